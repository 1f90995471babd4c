// The exercises that a file holds. The program has judged every move in them, so the file needs no engine.
// workbench/src/report/html/exercises.rs writes them.

import { GOALS } from '../../page/src/board';
import { Exercises } from '../../page/src/exercises';
import { type GameRecord, type Move, type Place, Refusal, type Side, type Verdict } from '../../page/src/rules';
import type { Exercise } from '../../page/src/store';
import { after, exploded, givesCheck } from './placement';

/** Games without checks: `#` there is another end, and the king on the board is in no danger. */
const CHECKLESS = ['antichess', 'suicide', 'giveaway'];

/** A move, and the board after it if more than one man has moved or there are men in hand. */
interface Step {
  san: string;
  /** From where and to where; a drop names its square twice. */
  squares: string;
  board?: string;
}

/** A legal move and what is said of it. */
interface Try extends Step {
  /** As CECP writes it. */
  text: string;
  /** The rook with which the king castles in Chess960. */
  rook?: string;
  verdict: string;
  glyph?: string;
  /** 0 or nothing for a good move, 1 for an inaccuracy, 2 for worse. */
  rank?: number;
  punishment?: string;
  reply?: Step;
}

export interface Stored extends Exercise {
  /** The name of its game. */
  title: string;
  in_check: boolean;
  lead_move?: Step;
  turn: Side;
  state?: string;
  tries: Try[];
}

/** Adds what the program leaves out because it says nothing. */
export function completed<S extends Stored>(exercises: Partial<S>[]): S[] {
  const nothing = { lead: '', glyph: '', punishment: '', reply: '', clue: '', reasons: [], line: [], others: [], tries: [] };
  return exercises.map(exercise => ({ ...nothing, ...exercise }) as unknown as S);
}

export abstract class StoredExercises<S extends Stored> extends Exercises<S> {
  constructor(backText: string, leave: () => void) {
    super(backText, leave, 'section');
  }

  protected position(exercise: S, moves: string[]): GameRecord {
    const [first, side] = exercise.fen.split(' ');
    const lead = exercise.lead_move;
    const start: Place = { fen: first, turn: side === 'w' ? 'white' : 'black', check: !lead && exercise.in_check, state: null, exploded: [] };
    const plies: (Move & Place)[] = [];
    const play = (step: Step) => {
      const last = plies.at(-1) ?? start;
      const check = !CHECKLESS.includes(exercise.variant) && givesCheck(step.san, exercise.variant in GOALS);
      const fen = step.board ?? after(last.fen, step.squares);
      const gone = exploded(last.fen, fen, step.squares);
      plies.push({ ...moveOf(step), fen, turn: last.turn === 'white' ? 'black' : 'white', check, state: null, exploded: gone });
    };
    if (lead) play(lead);
    if (!moves.length) (plies.at(-1) ?? start).state = exercise.state ?? null;
    const [text, reply] = moves;
    const tried = exercise.tries.find(({ san, text: other }) => san === text || other === text);
    if (text !== undefined && !tried) throw new Refusal('its move is not legal');
    if (tried) play(tried);
    if (reply !== undefined && tried?.reply) play(tried.reply);
    return { start, plies, legal: moves.length ? [] : exercise.tries.map(moveOf), outcome: null, can_win: { white: true, black: true }, heat: [], dangers: [] };
  }

  protected async judgement({ tries }: S, move: Move): Promise<Verdict> {
    const said = tries.find(({ text }) => text === move.text);
    if (!said) throw new Refusal('the report does not know this move');
    const { san, text, verdict, rank = 0 } = said;
    const reply = said.reply?.san ?? null;
    return { san, text, verdict, glyph: said.glyph ?? '', is_bad: rank > 0, is_mistake: rank > 1, punishment: said.punishment ?? null, reply, advice: null, better: null };
  }

  protected title({ title }: S): string {
    return title;
  }
}

function moveOf(step: Step | Try): Move {
  const { san, squares } = step;
  const drop = /^([A-Z])?@/.exec(san);
  const to = squares.slice(2, 4);
  return {
    san,
    text: 'text' in step ? step.text : san,
    from: drop ? '' : squares.slice(0, 2),
    to,
    drop: drop ? (drop[1] ?? 'P').toLowerCase() : null,
    promotion: /=([A-Z])/.exec(san)?.[1].toLowerCase() ?? null,
    capture: san.includes('x'),
    rook: ('rook' in step && step.rook) || null,
  };
}
