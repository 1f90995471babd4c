// Sets a position up on a board: men are put down, moved and taken away. The result is a FEN.

import { Chessground } from '@lichess-org/chessground';
import { read } from '@lichess-org/chessground/fen';
import type { Key, Piece, Role } from '@lichess-org/chessground/types';

import { element } from '../../report/src/elements';
import { describe, nameOf } from './board';
import { Cursor } from './cursor';
import { Refusal, type Rules } from './rules';
import { choice, labelled, openWindow, refuse } from './windows';

const SIDES = ['white', 'black'] as const;
const LETTERS = ['k', 'q', 'r', 'b', 'n', 'p'];

const KEYS = 'Keys on the board: arrows move the cursor, K Q R B N P put a white man, k q r b n p a black one, Delete takes a man away, Enter does what is chosen above.';

/** What a touch of a square does: it puts a man there, takes one away, or moves one. */
type Tool = Piece | 'take away' | 'move';

/** Opens a board with the position of a FEN, or with the game's own. `done` gets the FEN of a legal position. */
export function setUp(rules: Rules, variant: string, fen: string, done: (fen: string) => void): void {
  const start = rules.record(variant, '', []).start.fen;
  let from = start;
  try {
    from = rules.record(variant, fen, []).start.fen;
  } catch (error) {
    // What was typed is no position: the game's own one will do.
    if (!(error instanceof Refusal)) throw error;
  }
  const place = element('div', { class: 'board', tabindex: '0', role: 'application', 'aria-label': 'Board', 'aria-describedby': 'editor-keys' });
  const keys = element('p', { class: 'about', id: 'editor-keys' }, KEYS);
  const turn = choice([['w', 'White'], ['b', 'Black']], 'w');
  const hand = element('input', { type: 'text', spellcheck: 'false', autocomplete: 'off', placeholder: 'QNp: White has a queen and a knight, Black a pawn' });
  const problem = element('p', { class: 'problem', role: 'alert' });
  const palette = element('div', { class: 'palette cg-wrap', role: 'group', 'aria-label': 'What a touch of a square does' });
  const clear = element('button', { type: 'button' }, 'Empty board');
  const again = element('button', { type: 'button' }, 'Start position');
  const take = element('button', { type: 'button', class: 'main' }, 'Take this position');
  const hasHands = start.includes('[');
  const cursor = new Cursor(place, {
    isFlipped: () => false,
    describe: square => describe(ground, square),
    changed: () => {
      const marks = new Map<string, string>();
      cursor.mark(marks);
      ground.set({ highlight: { custom: marks as Map<Key, string> } });
    },
    pressed,
  });
  const dialog = openWindow(
    'Set up a position',
    element('div', { class: 'square' }, place),
    cursor.spoken,
    palette,
    keys,
    labelled('To move', turn),
    hasHands ? labelled('Men in hand', hand) : '',
    problem,
    element('div', { class: 'actions' }, clear, again),
    take,
  );
  dialog.classList.add('editor');
  const ground = Chessground(place, {
    coordinates: true,
    addDimensionsCssVarsTo: place,
    animation: { enabled: false },
    // Kings are moved, not castled.
    autoCastle: false,
    highlight: { lastMove: false, check: false },
    movable: { free: true, color: 'both' },
    draggable: { deleteOnDropOff: true },
    premovable: { enabled: false },
    drawable: { enabled: false },
    events: { select: square => touch(square) },
  });
  dialog.addEventListener('close', () => ground.destroy());
  // What is said beneath the board moves it.
  place.addEventListener('pointerdown', () => ground.state.dom.bounds.clear(), true);
  let tool: Tool = 'move';
  /** The men and the side to move of `from`, as they are shown. */
  let shown = '';

  function touch(square: Key): void {
    if (tool === 'move') return;
    const isSame = (piece?: Piece) => typeof tool === 'object' && piece?.role === tool.role && piece.color === tool.color;
    const put = tool === 'take away' || isSame(ground.state.pieces.get(square)) ? undefined : tool;
    ground.setPieces(new Map([[square, put]]));
  }

  /** Enter does what a touch does; a letter puts a man down, as a FEN writes it. */
  function pressed(key: string): string | null {
    const square = cursor.square as Key;
    const held = ground.state.selected;
    const isMan = LETTERS.includes(key.toLowerCase());
    if (key === 'Enter' || key === ' ') {
      if (tool === 'move' && held === square) ground.cancelMove();
      else if (tool === 'move') ground.selectSquare(square);
      else touch(square);
      if (ground.state.selected) return `${describe(ground, square)} taken`;
    } else if (isMan || key === 'Delete' || key === 'Backspace') {
      const color = key === key.toUpperCase() ? 'white' : 'black';
      ground.setPieces(new Map([[square, isMan ? { role: nameOf(key) as Role, color } : undefined]]));
    } else if (key === 'Escape' && held) {
      ground.cancelMove();
    } else {
      return null;
    }
    return `${square}, ${describe(ground, square)}`;
  }

  function choose(chosen: Tool, button: HTMLElement): void {
    tool = chosen;
    for (const other of palette.children) other.setAttribute('aria-pressed', String(other === button));
    ground.cancelMove();
    ground.set({ movable: { color: tool === 'move' ? 'both' : undefined } });
  }

  function offer(name: string, chosen: Tool, picture?: Node): HTMLElement {
    const kind = picture ? 'man' : 'tool';
    const made = element('button', { type: 'button', class: kind, 'aria-label': name, title: name, 'aria-pressed': 'false' }, picture ?? name);
    made.addEventListener('click', () => choose(chosen, made));
    palette.append(made);
    return made;
  }

  function show(wanted: string): void {
    const [board, side] = wanted.split(' ');
    from = wanted;
    turn.value = side;
    ground.set({ fen: board.split('[')[0] });
    hand.value = /\[(.*)\]/.exec(board)?.[1] ?? '';
    shown = placed();
  }

  /** The first two fields of the FEN. */
  function placed(): string {
    const hands = hasHands ? `[${hand.value.replace(/[^a-z]/gi, '')}]` : '';
    return `${ground.getFen()}${hands} ${turn.value}`;
  }

  /** The position, with the rights to castle that kings and rooks may have. */
  function written(rights: string): string {
    const checks = from.split(' ').filter(field => /^\d\+\d$/.test(field));
    return [placed(), rights, '-', ...checks, '0', '1'].join(' ');
  }

  /**
   * In chess king and rooks castle from their squares, in Chess960 from any square of their rank. Those that stood
   * there before have the rights that they had.
   */
  function castling(): string {
    const { pieces } = ground.state;
    const [board, , had] = from.split(' ');
    const before = read(board.split('[')[0]);
    const isChess960 = variant === 'fischerandom';
    const rights = SIDES.map((color, index) => {
      const cased = (letter: string) => (index ? letter : letter.toUpperCase());
      const isAt = (men: Map<Key, Piece>, role: Role, file: string) => {
        const piece = men.get(`${file}${index ? '8' : '1'}` as Key);
        return piece?.role === role && piece.color === color;
      };
      const filesOf = (role: Role) => [...'abcdefgh'].filter(file => isAt(pieces, role, file));
      const [king] = filesOf('king').filter(file => isChess960 || file === 'e');
      if (!king) return '';
      const rooks = filesOf('rook').filter(file => isChess960 || 'ah'.includes(file));
      /** The right of one of these rooks, the outermost of which is the first: `letter`, or the file of another one. */
      const right = (files: string[], letter: string) => {
        const mayCastle = (file: string, number: number) => {
          const stood = isAt(before, 'king', king) && isAt(before, 'rook', file);
          return !stood || had.includes(cased(file)) || (number === 0 && had.includes(cased(letter)));
        };
        const number = files.findIndex(mayCastle);
        return number > 0 ? files[number] : number === 0 ? letter : '';
      };
      return cased(right(rooks.filter(file => file > king).reverse(), 'k') + right(rooks.filter(file => file < king), 'q'));
    });
    return rights.join('') || '-';
  }

  for (const color of SIDES) {
    for (const letter of LETTERS) {
      const role = nameOf(letter) as Role;
      offer(`Put a ${color} ${role}`, { role, color }, element('piece' as 'span', { class: `${role} ${color}` }));
    }
  }
  choose('move', offer('Move men', 'move'));
  offer('Take men away', 'take away');
  show(from);
  place.focus();
  clear.addEventListener('click', () => show('8/8/8/8/8/8/8/8 w - - 0 1'));
  again.addEventListener('click', () => show(start));
  take.addEventListener('click', () => {
    // Not every game has castling. What was not changed stays as it is, with all fields.
    const changed = () => [...new Set([castling(), '-'])].map(written);
    for (const fen of placed() === shown ? [from] : changed()) {
      try {
        done(rules.record(variant, fen, []).start.fen);
        dialog.close();
        return;
      } catch (error) {
        refuse(problem, error);
      }
    }
  });
}
