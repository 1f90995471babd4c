// The data of the page, as workbench/src/report/html/data.rs writes them, and what the page makes of them.

import type { Key, Color, FEN } from '@lichess-org/chessground/types';

import { after, givesCheck } from './placement';

export interface Place {
  /** The men on the board, and in brackets those in hand, in games that have them. */
  board: FEN;
  in_check?: Color;
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
  checks?: Checks;
  state?: string;
  /** The squares that are not cold, three digits for each: the square, and two for heat and leader. */
  heat?: string;
  comments?: string[];
}

export interface Move extends Place {
  number: string;
  san: string;
  mover: Color;
  /** From where and to where. */
  squares: string;
}

/** A line as it is written: each move is its notation, its squares and, if need be, the placement after it. */
export interface Line {
  score?: string;
  depth?: number;
  moves: string;
}

export type Kind = 'brilliant' | 'great' | 'good' | 'inaccuracy' | 'mistake' | 'blunder' | 'missed';

/** A move of the game and the position after it. */
export interface Ply extends Position, Move {
  kind: Kind;
  verdict: string;
  glyph?: string;
  words?: string;
  is_best?: boolean;
  lines?: Line[];
  /** How the move is punished; the line begins with the move itself. */
  punishment?: Line & { text: string };
  nags?: string[];
  side_lines?: string[];
  clock?: string;
  spent?: string;
}

export interface Game {
  title: string;
  players: [string, string];
  ratings: [string | null, string | null];
  start: Position;
  plies: Ply[];
  heat: string;
  /** The squares where a king wins, with blanks between them. */
  goal: string;
  /** Numbers of plies, from 1. */
  moments: number[];
}

/** Adds to the games what goes without saying in the data. */
export function completed(games: Game[]): Game[] {
  for (const game of games) {
    let board = game.start.board;
    for (const ply of game.plies) {
      ply.board ??= after(board, ply.squares);
      board = ply.board;
      ply.mover = ply.number.endsWith('.') ? 'white' : 'black';
      ply.verdict ??= 'Good';
    }
  }
  return games;
}

/** Where a move begins and ends. */
export function ends(squares: string): [Key, Key] {
  return [squares.slice(0, 2) as Key, squares.slice(2, 4) as Key];
}

/** The moves of a line that begins in the position before a move of the game. `goal` are the squares where a king wins. */
export function movesOf(line: Line, before: FEN, ply: Ply, goal: string): Move[] {
  let board = before;
  let number = parseInt(ply.number, 10);
  let mover = ply.mover;
  return line.moves.split(',').map(text => {
    const [san, squares, placement] = text.split(' ');
    board = placement ?? after(board, squares);
    const other: Color = mover === 'white' ? 'black' : 'white';
    const move: Move = { number: `${number}${mover === 'white' ? '.' : '…'}`, san, squares, mover, board };
    if (givesCheck(san, goal !== '')) move.in_check = other;
    if (mover === 'black') number++;
    mover = other;
    return move;
  });
}
