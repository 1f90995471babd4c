// The data of the page, as workbench/src/report/html/data.rs writes them.

import type { Key, Color, FEN } from '@lichess-org/chessground/types';

export interface Place {
  board: FEN;
  in_check: Color | null;
}

export interface Checks {
  given: [number, number];
  goal: number;
}

/** A position of the game. */
export interface Position extends Place {
  /** From White, for people. */
  score: string;
  /** White's chances, 0 to 1. */
  chance: number;
  checks: Checks | null;
  state: string | null;
  /** By square, a1 first: 0 to 100, plus 1000 where White leads and 2000 where Black leads. */
  heat: number[];
  comments: string[];
}

export interface Move extends Place {
  number: string;
  san: string;
  mover: Color;
  squares: [Key, Key];
}

export interface Line {
  score: string;
  depth: number;
  moves: Move[];
}

export type Kind = 'brilliant' | 'great' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'missed';

/** A move of the game and the position after it. */
export interface Ply extends Position, Move {
  kind: Kind;
  verdict: string;
  glyph: string;
  words: string;
  is_best: boolean;
  lines: Line[];
  nags: string[];
  side_lines: string[];
  clock: string | null;
  spent: string | null;
}

export interface Game {
  title: string;
  players: [string, string];
  ratings: [string | null, string | null];
  start: Position;
  plies: Ply[];
  heat: number[];
  /** Numbers of plies, from 1. */
  moments: number[];
}
