// The moments of a game in which a player lost something: the coach judges every move of that player.

import type { Judge } from './judge';
import { moveNumber } from './sides';
import type { GameRecord, Side, Verdict } from './rules';
import type { Exercise } from './store';

/** A game to review. */
export interface Game {
  variant: string;
  /** The position before the first move; empty for the game's own. */
  fen: string;
  /** As CECP writes them. */
  moves: string[];
  record: GameRecord;
  /** The names of the players in a game from a text; empty if it does not say them. */
  players: Record<Side, string> | null;
}

/** A move that was judged. */
export interface Step {
  /** Its place in the game, from 0. */
  ply: number;
  verdict: Verdict;
  /** If it is a moment to learn from. */
  exercise: Exercise | null;
}

const placeBefore = ({ record }: Game, ply: number) => (ply > 0 ? record.plies[ply - 1] : record.start);

/** The places of the player's moves in the game. */
export function movesOf(game: Game, side: Side): number[] {
  return game.record.plies.map((_, ply) => ply).filter(ply => placeBefore(game, ply).turn === side);
}

/** Judges the moves of a player, one after the other. */
export async function* moments(judge: Judge, game: Game, side: Side): AsyncGenerator<Step> {
  for (const ply of movesOf(game, side)) {
    const { variant, fen, moves } = game;
    const verdict = await judge.judge({ variant, fen, moves: moves.slice(0, ply + 1), hint: true });
    yield { ply, verdict, exercise: exerciseOf(game, ply, verdict) };
  }
}

function exerciseOf(game: Game, ply: number, said: Verdict): Exercise | null {
  const { better } = said;
  if (!better || !said.is_mistake) return null;
  const { start, plies } = game.record;
  return {
    variant: game.variant,
    fen: placeBefore(game, ply - 1).fen,
    lead: ply > 0 ? plies[ply - 1].text : '',
    number: moveNumber(start, ply),
    played: said.san,
    glyph: said.glyph,
    verdict: said.verdict,
    punishment: said.punishment ?? '',
    reply: said.reply ?? '',
    best: better.san,
    reasons: better.reasons,
    line: better.line,
    others: better.others,
    clue: better.clue ?? '',
  };
}
