// What survives a reload: the game, the settings and the progress in puzzles. A browser may refuse to keep anything.

import type { Ending, Side } from './rules';

export const LEVELS = ['Beginner', 'Amateur', 'Intermediate', 'Hard', 'Master'];

/** The clock of a game in milliseconds; `null` without a clock. */
export interface Clock {
  base: number;
  increment: number;
  white: number;
  black: number;
}

export interface State {
  variant: string;
  /** The position before the first move; empty for the game's own. */
  fen: string;
  /** The moves as CECP writes them. */
  moves: string[];
  /** The signs of the coach's verdicts, by the number of the move from 0. */
  glyphs: Record<number, string>;
  player: Side;
  level: string;
  clock: Clock | null;
  /** An end that is not on the board: resignation, time, agreement. */
  ending: Ending | null;
  isFlipped: boolean;
  coach: boolean;
  heat: boolean;
}

export const FIRST: State = {
  variant: 'normal',
  fen: '',
  moves: [],
  glyphs: {},
  player: 'white',
  level: 'Beginner',
  clock: null,
  ending: null,
  isFlipped: false,
  coach: true,
  heat: false,
};

const KEY = 'trebuchet.game.1';

export function save(state: State): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // Private windows and full disks: the game goes on without it.
  }
}

/** What was kept, if it can be read; the moves are checked when they are played. */
export function load(): State {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<State>;
    const state = { ...structuredClone(FIRST), ...kept };
    return isSound(state) ? state : structuredClone(FIRST);
  } catch {
    return structuredClone(FIRST);
  }
}

function isSound(state: State): boolean {
  const { clock, ending } = state;
  const areTexts = (...values: unknown[]) => values.every(value => typeof value === 'string');
  return (
    areTexts(state.variant, state.fen, ...(Array.isArray(state.moves) ? state.moves : [null])) &&
    typeof state.glyphs === 'object' &&
    state.glyphs !== null &&
    (state.player === 'white' || state.player === 'black') &&
    LEVELS.includes(state.level) &&
    (clock === null || [clock.base, clock.increment, clock.white, clock.black].every(Number.isFinite)) &&
    (ending === null || areTexts(ending.result, ending.words))
  );
}

/** How far the player has come in the puzzles of a game. */
export interface Progress {
  /** In Elo: the next puzzle is near it. */
  level: number;
  /** The placements of the puzzles that were solved without help. */
  solved: string[];
  failed: number;
}

const PUZZLES_KEY = 'trebuchet.puzzles.1';

export function saveProgress(progress: Record<string, Progress>): void {
  try {
    localStorage.setItem(PUZZLES_KEY, JSON.stringify(progress));
  } catch {
    // As for the game.
  }
}

/** The progress by the names of the games, as far as it can be read. */
export function loadProgress(): Record<string, Progress> {
  try {
    const kept = JSON.parse(localStorage.getItem(PUZZLES_KEY) ?? '{}') as Record<string, Progress>;
    const isSound = ({ level, solved, failed }: Progress) =>
      Number.isFinite(level) && Array.isArray(solved) && Number.isFinite(failed);
    return Object.fromEntries(Object.entries(kept).filter(([, progress]) => isSound(progress)));
  } catch {
    return {};
  }
}
