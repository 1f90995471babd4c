// The rules of the games, which the module knows: positions, legal moves, results, PGN.

import type { EngineModule } from './module';

export type Side = 'white' | 'black';

export interface Variant {
  name: string;
  title: string;
  rules: string;
  starts: number;
}

export interface Move {
  san: string;
  /** As CECP writes it. */
  text: string;
  /** Empty for a drop. */
  from: string;
  to: string;
  /** The small letter of the man that is dropped. */
  drop: string | null;
  promotion: string | null;
  capture: boolean;
  /** The rook with which the king castles in Chess960. */
  rook: string | null;
}

export interface Place {
  fen: string;
  turn: Side;
  check: boolean;
  state: string | null;
  /** The squares that the explosion of the last move has emptied. */
  exploded: string[];
}

export interface Ending {
  result: string;
  words: string;
}

export interface GameRecord {
  start: Place;
  plies: (Move & Place)[];
  legal: Move[];
  outcome: Ending | null;
  /** Which sides can still win: the time of the other one may run out. */
  can_win: Record<Side, boolean>;
  /** From 0 to 100 for each square, a1 first, then b1. */
  heat: number[];
  dangers: [string, string][];
}

/** A game of a PGN text. */
export interface GameText {
  variant: string;
  fen: string;
  moves: string[];
  /** Signs such as `?!`, by the number of the move from 0. */
  glyphs: Record<number, string>;
  /** By the number of moves before them. */
  comments: Record<number, string>;
  /** The glyphs and commands of a text that are not shown, `$10 {[%clk 0:05:00]}`, by the number of moves before them. */
  marks: Record<number, string>;
  /** Side lines in parentheses, by the number from 0 of the move that they replace. */
  lines: Record<number, string>;
  /** The PGN tags besides those of the other fields. */
  tags: [string, string][];
  /** The names of the players; empty if they are not known. */
  white: string;
  black: string;
  result: string;
}

/** A position in which one move wins. */
export interface Puzzle {
  fen: string;
  /** The moves of the solution and the replies between them, in SAN. */
  solution: string[];
  /** In Elo. */
  rating: number;
  themes: string[];
}

/** What the coach says of a move. */
export interface Verdict {
  san: string;
  text: string;
  /** The verdict in a sentence. */
  verdict: string;
  glyph: string;
  is_bad: boolean;
  /** Worse than an inaccuracy. */
  is_mistake: boolean;
  punishment: string | null;
  /** The reply that punishes the move, in SAN. */
  reply: string | null;
  /** The better move, why, and how the game might go on, in a sentence. */
  advice: string | null;
  better: Better | null;
}

/** A better move. */
export interface Better {
  san: string;
  reasons: string[];
  /** The move, and how the game might go on. */
  line: string[];
  /** Other moves that are good, too. */
  others: string[];
  /** What to look at to find the move. */
  clue: string | null;
}

/** Why a position or a game cannot be had: a sentence. */
export class Refusal extends Error {}

export class Rules {
  readonly games: Variant[];

  constructor(private readonly module: EngineModule) {
    this.games = module.ask('games') as Variant[];
  }

  /** The game after these moves. `start` is the number of the start position, where there are several. */
  record(variant: string, fen: string, moves: string[], start = 0): GameRecord {
    return this.ask<GameRecord>('position', JSON.stringify({ variant, fen, moves, start }));
  }

  /** The puzzles of a game, the easiest first. */
  puzzles(variant: string): Puzzle[] {
    return this.ask<Puzzle[]>('puzzles', variant);
  }

  /** The text of a PGN file. */
  decode(bytes: Uint8Array): string {
    return this.module.ask('decode', bytes) as string;
  }

  /** The games of a PGN text, a line each. */
  listPgn(text: string): string[] {
    return this.module.ask('list_pgn', text) as string[];
  }

  /** One of them, by its number from 0. */
  readPgn(text: string, number: number): GameText {
    return this.ask<GameText>('read_pgn', JSON.stringify({ text, number }));
  }

  writePgn(game: GameText): string {
    return this.ask<string>('write_pgn', JSON.stringify(game));
  }

  title(variant: string): string {
    return this.games.find(game => game.name === variant)?.title ?? variant;
  }

  private ask<A>(question: 'position' | 'puzzles' | 'read_pgn' | 'write_pgn', text: string): A {
    const answer = this.module.ask(question, text) as A | { error: string };
    if (typeof answer === 'object' && answer !== null && 'error' in answer) throw new Refusal(answer.error);
    return answer as A;
  }
}
