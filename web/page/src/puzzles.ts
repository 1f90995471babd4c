// Puzzles: positions in which one move wins, and the player looks for it.

import { element } from '../../report/src/elements';
import { Board, nameOf } from './board';
import * as dialogs from './dialogs';
import type { GameRecord, Move, Puzzle, Rules, Side } from './rules';
import { type Progress, loadProgress, saveProgress } from './store';

/** By so many Elo the next puzzles are harder after a solution, and easier after a failure. */
const STEP = 75;
const EASIEST = 400;
const HARDEST = 2600;
/** Milliseconds before the reply to a right move. */
const REPLY_WAIT = 500;

export class Puzzles {
  readonly place = element('main');
  private readonly board: Board;
  private readonly status = element('p', { class: 'status', role: 'status', 'aria-live': 'polite' });
  private readonly about = element('p', { class: 'about' });
  private readonly choice = element('select');
  private readonly hintButton: HTMLButtonElement;
  private readonly solutionButton: HTMLButtonElement;
  private readonly kept: Record<string, Progress> = loadProgress();
  private variant = '';
  private puzzles: Puzzle[] = [];
  private puzzle: Puzzle | null = null;
  /** The position behind the moves that are played, and the move that leads to it. */
  private record!: GameRecord;
  /** The moves that are played, in SAN. */
  private played: string[] = [];
  /** A wrong move, a hint or the solution: the puzzle counts as failed. */
  private hasFailed = false;
  private hints = 0;
  private isOver = false;

  constructor(private readonly rules: Rules, variant: string, leave: () => void) {
    const press = (text: string, action: () => void, kind = '') => {
      const made = element('button', { type: 'button', class: kind }, text);
      made.addEventListener('click', action);
      return made;
    };
    this.hintButton = press('Hint', () => this.hint());
    this.solutionButton = press('Show the solution', () => this.showSolution());
    const frame = element('div', { class: 'frame' });
    const withPuzzles = rules.games.filter(({ name }) => rules.puzzles(name).length > 0);
    for (const { name, title } of withPuzzles) this.choice.append(element('option', { value: name }, title));
    this.choice.addEventListener('change', () => this.open(this.choice.value));
    const panel = element(
      'div',
      { class: 'panel' },
      element('label', { class: 'field' }, element('span', {}, 'Puzzles of'), this.choice),
      element('div', { class: 'actions' }, this.hintButton, this.solutionButton),
      element('section', { class: 'coach', 'aria-label': 'Puzzle' }, this.status, this.about),
      element('div', { class: 'actions' }, press('Next puzzle', () => this.next(), 'main'), press('Back to the game', leave)),
    );
    this.place.append(element('div', { class: 'stage' }, frame), panel);
    this.board = new Board(frame, moves => this.dropped(moves));
    new ResizeObserver(() => this.board.redraw()).observe(frame);
    const names = withPuzzles.map(({ name }) => name);
    this.open(names.includes(variant) ? variant : names[0]);
  }

  private get progress(): Progress {
    return (this.kept[this.variant] ??= { level: EASIEST, solved: [], failed: 0 });
  }

  private get solver(): Side {
    return this.record.start.turn;
  }

  private open(variant: string): void {
    this.variant = this.choice.value = variant;
    this.puzzles = this.rules.puzzles(variant);
    this.puzzle = null;
    this.next();
  }

  /** Sets up the open puzzle that fits the player best; when all are solved, they begin anew. */
  private next(): void {
    const { progress } = this;
    const distance = (puzzle: Puzzle) => Math.abs(puzzle.rating - progress.level);
    const open = this.puzzles.filter(puzzle => !progress.solved.includes(idOf(puzzle)));
    if (open.length === 0) {
      progress.solved = [];
      progress.level = EASIEST;
      open.push(...this.puzzles);
    }
    const others = open.filter(puzzle => puzzle !== this.puzzle);
    this.puzzle = (others.length ? others : open).reduce((best, puzzle) => (distance(puzzle) < distance(best) ? puzzle : best));
    this.hasFailed = this.isOver = false;
    this.hints = 0;
    this.play([]);
    this.show(`Find the move that wins for ${this.solver === 'white' ? 'White' : 'Black'}.`);
  }

  private play(moves: string[]): void {
    this.played = moves;
    this.record = this.rules.record(this.variant, this.puzzle!.fen, moves);
  }

  private dropped(moves: Move[]): void {
    if (moves.length > 1) dialogs.promotion(moves, this.solver, move => (move ? this.try(move) : this.board.redraw()));
    else if (moves.length === 1) this.try(moves[0]);
    else this.board.redraw();
  }

  /** The player tries a legal move. One that wins the game at once is right, too. */
  private try(move: Move): void {
    const { solution } = this.puzzle!;
    const before = this.played;
    const wanted = this.wanted();
    this.play([...before, move.text]);
    const wins = this.record.outcome?.result === (this.solver === 'white' ? '1-0' : '0-1');
    if (move.text !== wanted?.text && !wins) {
      this.play(before);
      this.hasFailed = true;
      this.board.redraw();
      return this.show(`${move.san} is not the move. Try again.`);
    }
    if (wins || this.played.length === solution.length) return this.finish();
    const reply = solution[this.played.length];
    this.isOver = true;
    this.show(`${move.san} is right.`);
    setTimeout(() => {
      if (this.played.length !== before.length + 1) return;
      this.isOver = false;
      this.hints = 0;
      this.play([...solution.slice(0, before.length + 1), reply]);
      this.show(`${move.san} is right. The reply is ${reply}. Go on.`);
    }, REPLY_WAIT);
  }

  private wanted(): Move | undefined {
    const san = this.puzzle!.solution[this.played.length];
    return this.record.legal.find(move => move.san === san);
  }

  private finish(): void {
    const { progress } = this;
    this.isOver = true;
    if (this.hasFailed) progress.failed += 1;
    else progress.solved.push(idOf(this.puzzle!));
    const level = progress.level + (this.hasFailed ? -STEP : STEP);
    progress.level = Math.max(EASIEST, Math.min(HARDEST, level));
    saveProgress(this.kept);
    const themes = this.puzzle!.themes.join(', ');
    this.show(`Solved${themes && `: ${themes}`}.`);
  }

  /** First with which man to move, then the move. */
  private hint(): void {
    const move = this.wanted();
    if (!move) return;
    this.hasFailed = true;
    this.hints += 1;
    if (this.hints > 1) return this.show(`The move is ${move.san}.`);
    const place = move.from ? `on ${move.from}` : 'in your hand';
    const letter = move.drop ?? /^[KQRBN]/.exec(move.san)?.[0] ?? (move.san.startsWith('O') ? 'k' : 'p');
    this.show(`Look at your ${nameOf(letter)} ${place}.`);
  }

  private showSolution(): void {
    const { solution } = this.puzzle!;
    const rest = solution.slice(this.played.length).join(' ');
    this.hasFailed = true;
    this.play(solution);
    this.finish();
    this.show(`The solution: ${rest}.`);
  }

  private show(text: string): void {
    const { progress, record } = this;
    const puzzle = this.puzzle!;
    const last = record.plies.at(-1) ?? null;
    const isPlayers = !this.isOver && (last ?? record.start).turn === this.solver;
    this.board.show({
      variant: this.variant,
      place: last ?? record.start,
      lastMove: last,
      legal: isPlayers ? record.legal : [],
      mover: isPlayers ? this.solver : null,
      isFlipped: this.solver === 'black',
      heat: [],
      arrow: isPlayers && this.hints > 1 ? (this.wanted() ?? null) : null,
    });
    this.status.textContent = text;
    this.about.textContent = `About ${puzzle.rating} Elo. Solved ${progress.solved.length} of ${this.puzzles.length}, failed ${progress.failed}.`;
    this.hintButton.disabled = this.solutionButton.disabled = !isPlayers;
  }
}

/** The men on the board tell puzzles apart. */
const idOf = (puzzle: Puzzle) => puzzle.fen.split(' ')[0];
