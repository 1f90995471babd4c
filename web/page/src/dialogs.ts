// The windows over the board: a new game, the game as text, the choice of a promotion, and what is inside.

import { element } from '../../report/src/elements';
import { nameOf } from './board';
import { setUp } from './editor';
import type { Move, Rules, Side } from './rules';
import { type Clock, LEVELS, type State } from './store';
import { choice, labelled, openWindow, refuse } from './windows';

const CLOCKS: [string, number, number][] = [
  ['No clock', 0, 0],
  ['3 minutes + 2 seconds', 3, 2],
  ['5 minutes + 3 seconds', 5, 3],
  ['10 minutes + 5 seconds', 10, 5],
  ['15 minutes + 10 seconds', 15, 10],
  ['30 minutes', 30, 0],
];

const LEVEL_HINTS: Record<string, string> = {
  Beginner: 'for your first games',
  Amateur: 'knows the basics',
  Intermediate: 'a club player',
  Hard: 'a strong club player',
  Master: 'full strength',
};

/** How many letters of a text are read: some hundred games. */
const MOST_LETTERS = 1_000_000;

/** Asks for the next game. `begun` is called when the window is gone. */
export function newGame(rules: Rules, state: State, begin: (wanted: Partial<State>) => void, begun: () => void): void {
  const games = rules.games.map(({ name, title }): [string, string] => [name, title]);
  const game = choice(games, state.variant);
  game.autofocus = true;
  const about = element('p', { class: 'about' });
  const tell = () => (about.textContent = rules.games[game.selectedIndex].rules);
  game.addEventListener('change', tell);
  tell();
  const level = choice(LEVELS.map(name => [name, `${name}: ${LEVEL_HINTS[name]}`]), state.level);
  const side = choice([['white', 'White'], ['black', 'Black'], ['random', 'Either']], state.player);
  const { clock } = state;
  const isClock = ([, base, increment]: [string, number, number]) =>
    clock ? base * 60000 === clock.base && increment * 1000 === clock.increment : base === 0;
  const times = choice(CLOCKS.map(([text], index) => [String(index), text]), String(Math.max(0, CLOCKS.findIndex(isClock))));
  const fen = element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'FEN; empty for the usual start' });
  const edit = element('button', { type: 'button' }, 'Set it up on a board');
  edit.addEventListener('click', () => setUp(rules, game.value, fen.value.trim(), made => (fen.value = made)));
  const problem = element('p', { class: 'problem', role: 'alert' });
  const form = element(
    'form',
    {},
    labelled('Game', game),
    about,
    labelled('Level', level),
    labelled('You play', side),
    labelled('Clock', times),
    element('details', {}, element('summary', {}, 'Start from a position'), labelled('Position', fen), edit),
    problem,
    element('button', { type: 'submit', class: 'main' }, 'Play'),
  );
  const dialog = openWindow('New game', form);
  form.addEventListener('submit', event => {
    event.preventDefault();
    const player: Side = side.value === 'random' ? (Math.random() < 0.5 ? 'white' : 'black') : (side.value as Side);
    const [, minutes, increment] = CLOCKS[Number(times.value)];
    const base = minutes * 60000;
    const clock: Clock | null = base ? { base, increment: increment * 1000, white: base, black: base } : null;
    try {
      begin({ variant: game.value, level: level.value, player, clock, fen: fen.value.trim(), isFlipped: player === 'black' });
      dialog.close();
      begun();
    } catch (error) {
      refuse(problem, error);
    }
  });
}

/**
 * Shows the game as PGN and the position as FEN, and reads others; of a text with several games it reads the one with a
 * number. `begun` is called when one is read and the window is gone.
 */
export function asText(rules: Rules, pgn: string, fen: string, read: (text: string, number: number) => void, begun: () => void): void {
  const area = (text: string, rows: number) => {
    const made = element('textarea', { rows: String(rows), readonly: '', spellcheck: 'false' });
    made.value = text;
    return made;
  };
  const input = element('textarea', { rows: '4', spellcheck: 'false', placeholder: 'Paste a game (PGN) or a position (FEN) here' });
  const text = () => input.value.slice(0, MOST_LETTERS);
  const games = element('select');
  const choiceOfGame = labelled('Which game', games);
  const problem = element('p', { class: 'problem', role: 'alert' });
  const file = element('input', { type: 'file', accept: '.pgn,.fen,.txt' });
  const open = element('button', { type: 'button', class: 'main' }, 'Open it');
  const save = element('button', { type: 'button' }, 'Save as a file');
  const dialog = openWindow(
    'The game as text',
    labelled('Position (FEN)', area(fen, 2)),
    labelled('Game (PGN)', area(pgn, 8)),
    save,
    element('h3', {}, 'Another game'),
    labelled('From a file', file),
    labelled('Or as text', input),
    choiceOfGame,
    problem,
    open,
  );
  save.addEventListener('click', () => {
    const address = URL.createObjectURL(new Blob([pgn], { type: 'application/x-chess-pgn' }));
    element('a', { href: address, download: 'trebuchet.pgn' }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  });
  /** Offers the games of the text, if there are several. */
  const list = () => {
    const titles = rules.listPgn(text());
    games.replaceChildren(...titles.map((title, index) => element('option', { value: String(index) }, `${index + 1}. ${title}`)));
    choiceOfGame.hidden = titles.length < 2;
    problem.textContent = input.value.length > MOST_LETTERS ? 'Only the first million letters of this text are read, so the last game may lack moves.' : '';
  };
  list();
  input.addEventListener('input', list);
  file.addEventListener('change', async () => {
    // A letter has up to three bytes.
    const bytes = await file.files?.[0]?.slice(0, 3 * MOST_LETTERS + 3).arrayBuffer();
    input.value = bytes ? rules.decode(new Uint8Array(bytes)) : '';
    list();
  });
  open.addEventListener('click', () => {
    try {
      read(text(), Math.max(0, games.selectedIndex));
      dialog.close();
      begun();
    } catch (error) {
      refuse(problem, error);
    }
  });
}

/** Asks what the pawn becomes. */
export function promotion(moves: Move[], side: Side, choose: (move: Move | null) => void): void {
  let chosen: Move | null = null;
  const row = element('div', { class: 'promotion cg-wrap' });
  for (const move of moves) {
    const name = nameOf(move.promotion ?? '');
    const pick = element('button', { type: 'button', class: 'man', 'aria-label': name, title: name, ...(move === moves[0] && { autofocus: '' }) });
    const piece = document.createElement('piece');
    piece.className = `${name} ${side}`;
    pick.append(piece);
    pick.addEventListener('click', () => {
      chosen = move;
      dialog.close();
    });
    row.append(pick);
  }
  const dialog = openWindow('The pawn becomes a …', row);
  dialog.addEventListener('close', () => choose(chosen));
}

/** Asks before something that cannot be taken back. */
export function confirm(question: string, yes: string, agreed: () => void): void {
  const button = element('button', { type: 'button', class: 'main' }, yes);
  const dialog = openWindow(question, button);
  button.addEventListener('click', () => {
    dialog.close();
    agreed();
  });
}

/** What is inside the page, and under which licences. */
export function about(): void {
  openWindow(
    'About this page',
    element('p', {}, 'Trebuchet, a chess engine, plays and coaches inside this page. Nothing leaves your device, and no network is needed. The game, your progress in puzzles and the exercises that come again are kept in this browser.'),
    element('p', {}, 'Keys: arrows on the board move the cursor, Enter takes and puts down a man, or puts it back where it stood. Elsewhere ← and → step through the game, f turns the board, h gives a hint, n starts a new game. In puzzles and exercises h gives a hint and n goes on to the next one; in exercises → and ← do so, too.'),
    element('h3', {}, 'Licences'),
    element('p', {}, 'Trebuchet and this page: GNU General Public License, version 3 or later.'),
    element('p', {}, 'chessground 10.4.1 by Lichess, the board: GNU General Public License, version 3 or later.'),
    element('p', {}, 'cburnett by Colin M.L. Burnett, the pieces: GNU General Public License, version 2 or later.'),
    element('p', {}, 'Crates in the engine: MIT, Apache-2.0, Zlib, GPL-3.0-or-later (shakmaty and shakmaty-syzygy by Niklas Fiekas). The whole is under the GPL, version 3 or later.'),
  );
}
