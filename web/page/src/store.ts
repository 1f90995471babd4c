// What survives a reload: the game, the settings, the progress in puzzles, the exercises that come again, where those of
// a file stand, and the colours of a report. Each tab keeps its own game, and a new tab begins with the last one of all. A
// browser may refuse to keep anything.

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
  /** The day of the first move, or on which a game from a text became the player's, `2024-05-31`; empty if it is not known. */
  date: string;
  /** Signs such as `?!`, of the coach or of a text, by the number of the move from 0. */
  glyphs: Record<number, string>;
  /** What the coach said of the moves, or a text says, by the number of moves before it. */
  comments: Record<number, string>;
  /** What a text says besides: glyphs and commands that are not shown, and side lines, see `GameText`. */
  marks: Record<number, string>;
  lines: Record<number, string>;
  player: Side;
  level: string;
  clock: Clock | null;
  /** An end that is not on the board: resignation, time, agreement. */
  ending: Ending | null;
  isFlipped: boolean;
  /** Who has played a game that comes from a text, until the reader goes on with it; empty if the text does not say it. */
  players: Record<Side, string> | null;
  /** How many moves are those of a text, once the reader has gone on with it. */
  fromText: number;
  /** The PGN tags of such a game besides those of its players, its variant, its start position and its result. */
  tags: [string, string][];
  coach: boolean;
  heat: boolean;
  sound: boolean;
}

export const FIRST: State = {
  variant: 'normal',
  fen: '',
  moves: [],
  date: '',
  glyphs: {},
  comments: {},
  marks: {},
  lines: {},
  player: 'white',
  level: 'Beginner',
  clock: null,
  ending: null,
  isFlipped: false,
  players: null,
  fromText: 0,
  tags: [],
  coach: true,
  heat: false,
  sound: false,
};

const KEY = 'trebuchet.game.1';

/** What this page has kept last: another one may have kept a newer game meanwhile. */
let saved = '';

export function save(state: State): void {
  const text = JSON.stringify(state);
  if (text === saved) return;
  keep(KEY, text);
  keepHere(text);
}

/** Keeps the game for this tab alone. */
function keepHere(text: string): void {
  saved = text;
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // Then a reload shows the last game of all tabs.
  }
}

/** What the browser has refused to keep, by its keys: private windows and full disks. It is there until the page is closed. */
const refused = new Map<string, string>();

function keep(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
    refused.delete(key);
  } catch {
    refused.set(key, text);
  }
}

/** What was kept under the key, if it can be read. */
const kept = (key: string) => parsed(() => refused.get(key) ?? localStorage.getItem(key));

function parsed(read: () => string | null): unknown {
  try {
    return JSON.parse(read() ?? 'null');
  } catch {
    return null;
  }
}

/** The game of this tab, else the last one of all, if it can be read; the moves are checked when they are played. */
export function load(): State {
  const state = stateOf(parsed(() => sessionStorage.getItem(KEY))) ?? stateOf(kept(KEY));
  if (!state) return structuredClone(FIRST);
  keepHere(JSON.stringify(state));
  return state;
}

function stateOf(value: unknown): State | null {
  if (typeof value !== 'object' || value === null) return null;
  try {
    const state = { ...structuredClone(FIRST), ...(value as Partial<State>) };
    return isSound(state) ? state : null;
  } catch {
    return null;
  }
}

const areTexts = (...values: unknown[]) => values.every(value => typeof value === 'string');
const areNotes = (value: unknown) =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).every(([number, text]) => /^\d+$/.test(number) && typeof text === 'string') &&
  !Array.isArray(value);

function isSound(state: State): boolean {
  const { clock, ending, players } = state;
  return (
    areTexts(state.variant, state.fen, state.date, ...(Array.isArray(state.moves) ? state.moves : [null])) &&
    [state.glyphs, state.comments, state.marks, state.lines].every(areNotes) &&
    Array.isArray(state.tags) &&
    state.tags.every(tag => Array.isArray(tag) && tag.length === 2 && areTexts(...tag)) &&
    (state.player === 'white' || state.player === 'black') &&
    LEVELS.includes(state.level) &&
    (clock === null || [clock.base, clock.increment, clock.white, clock.black].every(Number.isFinite)) &&
    (ending === null || areTexts(ending.result, ending.words)) &&
    (players === null || areTexts(players.white, players.black)) &&
    Number.isInteger(state.fromText)
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

export const saveProgress = (progress: Record<string, Progress>) => keep(PUZZLES_KEY, JSON.stringify(progress));

/** The progress by the names of the games, as far as it can be read. */
export function loadProgress(): Record<string, Progress> {
  try {
    const isSound = ({ level, solved, failed }: Progress) =>
      Number.isFinite(level) && Array.isArray(solved) && Number.isFinite(failed);
    const all = Object.entries((kept(PUZZLES_KEY) ?? {}) as Record<string, Progress>);
    return Object.fromEntries(all.filter(([, progress]) => isSound(progress)));
  } catch {
    return {};
  }
}

/** A moment of a game in which the player lost something. */
export interface Exercise {
  variant: string;
  /** The position before the move of the opponent that led to the moment, or the moment itself. */
  fen: string;
  /** That move, as CECP writes it; empty if there was none. */
  lead: string;
  /** The number of the move in the game. */
  number: number;
  /** What was played, in SAN, and what the coach says of it. */
  played: string;
  glyph: string;
  verdict: string;
  punishment: string;
  /** The reply that punishes it, in SAN; empty if there is none. */
  reply: string;
  /** The better move in SAN, and why. */
  best: string;
  reasons: string[];
  line: string[];
  /** Other moves that are good, too, in SAN. */
  others: string[];
  /** What to look at. */
  clue: string;
}

/** An exercise that comes again. */
export interface Repetition extends Exercise {
  /** How often it was found in a row. */
  box: number;
  /** The day from which on it is due, `2024-05-31`. */
  due: string;
}

const EXERCISES_KEY = 'trebuchet.exercises.1';

/** Keeps the exercises that come again. */
export const saveExercises = (exercises: Repetition[]) => keep(EXERCISES_KEY, JSON.stringify(exercises));

/** The exercises that come again, as far as they can be read. Their moves are checked when they are shown. */
export function loadExercises(): Repetition[] {
  const all = kept(EXERCISES_KEY);
  return Array.isArray(all) ? all.filter(isExercise) : [];
}

function isExercise(value: unknown): value is Repetition {
  if (typeof value !== 'object' || value === null) return false;
  const { variant, fen, lead, played, glyph, verdict, punishment, reply, best, clue, due, ...rest } = value as Repetition;
  const { reasons, line, others, number, box } = rest;
  return (
    areTexts(variant, fen, lead, played, glyph, verdict, punishment, reply, best, clue, due) &&
    [reasons, line, others].every(texts => Array.isArray(texts) && areTexts(...texts)) &&
    [number, box].every(Number.isInteger)
  );
}

/** Where an exercise of a file stands. */
export interface Standing {
  /** How often it was found in a row. */
  box: number;
  /** The day from which on it is due, `2024-05-31`. */
  due: string;
}

const STANDINGS_KEY = 'trebuchet.training.1';

/** Keeps where the exercises of files stand, by their names. */
export const saveStandings = (standings: Record<string, Standing>) => keep(STANDINGS_KEY, JSON.stringify(standings));

/** Where the exercises of files stand, as far as that can be read. */
export function loadStandings(): Record<string, Standing> {
  const all = kept(STANDINGS_KEY);
  const isSound = (value: unknown): value is Standing =>
    typeof value === 'object' && value !== null && Number.isInteger((value as Standing).box) && areTexts((value as Standing).due);
  if (typeof all !== 'object' || all === null) return {};
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isSound(value))) as Record<string, Standing>;
}

const THEME_KEY = 'trebuchet.theme.1';

/** Keeps the colours that the reader of a report has chosen. */
export const saveTheme = (theme: string) => keep(THEME_KEY, JSON.stringify(theme));

/** These colours; empty if the reader has chosen none. */
export function loadTheme(): string {
  const theme = kept(THEME_KEY);
  return theme === 'dark' || theme === 'light' ? theme : '';
}
