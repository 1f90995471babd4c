// The board: chessground, with a keyboard, goals, the heat map and an arrow for a hint.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key, Role } from '@lichess-org/chessground/types';

import { element } from '../../report/src/elements';
import { Cursor } from './cursor';
import { Hands } from './hands';
import { Heat } from './heat';
import type { Move, Place, Side } from './rules';

/** The squares that win a game. */
export const GOALS: Record<string, string[]> = {
  kingofthehill: ['d4', 'e4', 'd5', 'e5'],
  racingkings: ['a8', 'b8', 'c8', 'd8', 'e8', 'f8', 'g8', 'h8'],
};

const NAMES: Record<string, string> = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

/** How many squares are said one by one. */
const MOST_SQUARES = 14;

/** Does the reader use the keyboard? With a pointer, the arrow keys should not be caught by the board. */
let usesKeys = true;
addEventListener('keydown', () => (usesKeys = true), true);
addEventListener('pointerdown', () => (usesKeys = false), true);

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

interface Arrow {
  /** Empty for a drop. */
  from: string;
  to: string;
}

export interface Shown {
  variant: string;
  place: Place;
  lastMove: Move | null;
  legal: Move[];
  /** Whose men may be moved; nobody's while the player cannot move. */
  mover: Side | null;
  isFlipped: boolean;
  heat: number[];
  arrow: Arrow | null;
  /** A move that was bad. */
  bad?: Arrow | null;
}

export class Board {
  readonly place = element('div', {
    class: 'board',
    tabindex: '0',
    role: 'application',
    'aria-label': 'Board. Arrow keys move the cursor, Enter takes and puts down a man, or puts it back where it stood.',
  });
  private readonly heat = new Heat();
  private readonly ground: Api;
  private bounds: Api['state']['dom']['bounds'] | null = null;
  private shown: Shown | null = null;
  private signature = '';
  private readonly hands = new Hands(
    () => this.takenFromHand(),
    (role, color, event) => this.ground.dragNewPiece({ role: role as Role, color }, event),
    () => this.focus(),
  );
  private readonly cursor = new Cursor(this.place, {
    isFlipped: () => this.shown?.isFlipped ?? false,
    describe: square => describe(this.ground, square),
    changed: () => this.ground.set({ highlight: { custom: this.marks() } }),
    pressed: key => this.pressed(key),
  });
  private readonly observer = new ResizeObserver(() => this.redraw());

  constructor(parent: HTMLElement, private readonly played: (moves: Move[]) => void) {
    const square = element('div', { class: 'square' }, this.place);
    parent.append(this.hands.above, square, this.hands.below, this.cursor.spoken);
    this.ground = Chessground(this.place, {
      coordinates: true,
      addDimensionsCssVarsTo: this.place,
      animation: { enabled: !stillness.matches, duration: 180 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.moved(from, to), afterNewPiece: (role, to) => this.dropped(role, to) } },
      premovable: { enabled: false },
      events: { select: square => this.drop(square) },
      drawable: { enabled: true, brushes: brushes() },
    });
    this.measure();
    // The board may have moved since it was measured.
    parent.addEventListener('pointerdown', () => this.ground.state.dom.bounds.clear(), true);
    this.observer.observe(parent);
  }

  /** Nobody will see the board again: the document does not hear of it any more. */
  destroy(): void {
    this.observer.disconnect();
    this.ground.destroy();
  }

  show(shown: Shown): void {
    // Nothing disturbs a man that the player holds.
    const signature = JSON.stringify(shown);
    if (signature === this.signature) return;
    this.signature = signature;
    const { place, lastMove } = shown;
    const isSame = place.fen === this.shown?.place.fen && shown.mover === this.shown.mover;
    // In another position nothing is chosen yet.
    if (!isSame) {
      this.ground.cancelMove();
      this.hands.held = '';
    }
    const isTurned = shown.isFlipped !== this.shown?.isFlipped;
    this.shown = shown;
    const isDragged = isSame && !isTurned && this.ground.state.draggable.current?.newPiece;
    this.ground.set({
      // Chessground would put back a man that is dragged from the hand.
      fen: isDragged ? undefined : place.fen.split(' ')[0],
      orientation: shown.isFlipped ? 'black' : 'white',
      turnColor: place.turn,
      check: place.check ? place.turn : false,
      lastMove: lastMove ? ([lastMove.from, lastMove.to].filter(square => square) as Key[]) : [],
      movable: { color: shown.mover ?? undefined, dests: targets(shown.legal) },
      viewOnly: false,
      highlight: { custom: this.marks() },
    });
    // Chessground has made a new board if it was turned.
    this.measure();
    this.ground.setAutoShapes([...shapes(shown.bad, 'bad'), ...shapes(shown.arrow, 'hint')]);
    // A finger drags the man only while its button stays in the document.
    if (!isDragged) this.showHands();
    this.heat.show(shown.heat, shown.isFlipped);
    this.place.querySelector('cg-container')?.prepend(this.heat.picture);
    this.place.classList.toggle('with-heat', shown.heat.length > 0);
  }

  /** Draws all anew: the size has changed, or a man stands where it was dropped. */
  redraw(): void {
    // A board that cannot be seen has no size to draw in.
    if (!this.place.offsetWidth) return;
    this.ground.redrawAll();
    this.measure();
    this.signature = '';
    if (this.shown) this.show(this.shown);
  }

  /**
   * Chessground divides by the size of the board when it draws an arrow, in a later frame: until then the board may
   * be hidden. One that cannot be seen has the size of one pixel here, and is drawn anew when it can be seen.
   */
  private measure(): void {
    const { dom } = this.ground.state;
    const { bounds } = dom;
    if (bounds === this.bounds) return;
    const size = (): DOMRectReadOnly => (bounds().width ? bounds() : new DOMRect(0, 0, 1, 1));
    this.bounds = dom.bounds = Object.assign(size, { clear: bounds.clear });
  }

  /** Who uses the keyboard goes on at the board. */
  focus(): void {
    if (usesKeys) this.place.focus({ preventScroll: true });
  }

  /** A button that `change` hides or disables loses the focus, which goes on to the board. */
  keepFocus(change: () => void): void {
    const { activeElement } = document;
    change();
    if (activeElement instanceof HTMLButtonElement && (activeElement.disabled || activeElement.hidden)) this.focus();
  }

  private moved(from: string, to: string): void {
    const moves = this.shown?.legal.filter(move => move.from === from && reaches(move, to, this.shown!.legal)) ?? [];
    this.played(moves);
  }

  private showHands(): void {
    const { shown } = this;
    if (!shown) return;
    this.hands.show(shown.place, shown.mover, shown.isFlipped);
    this.place.closest('.stage')?.classList.toggle('with-hands', !this.hands.below.hidden);
    this.ground.set({ highlight: { custom: this.marks() } });
  }

  /** The player has taken a man from the hand, or has put it back. */
  private takenFromHand(): void {
    this.showHands();
    if (this.hands.held && this.shown) {
      this.ground.cancelMove();
      this.cursor.say(`${nameOf(this.hands.held)} taken; it can go to ${squaresInWords(this.drops())}`);
    }
  }

  /** The drops of the man that the player has taken from the hand. */
  private drops(): Move[] {
    const { held } = this.hands;
    return held ? (this.shown?.legal.filter(move => move.drop === held) ?? []) : [];
  }

  /** A square was chosen: the man from the hand is dropped there if it may be, and put back otherwise. */
  private drop(square: string): void {
    if (!this.hands.held) return;
    const moves = this.drops().filter(move => move.to === square);
    this.hands.release();
    if (moves.length) this.played(moves);
  }

  /** A man was dragged from the hand to a square. */
  private dropped(role: string, square: string): void {
    const moves = this.shown?.legal.filter(move => move.drop && nameOf(move.drop) === role && move.to === square) ?? [];
    this.hands.release();
    this.played(moves);
  }

  private marks(): Map<Key, string> {
    const marks = new Map<string, string>();
    for (const move of this.drops()) marks.set(move.to, 'move-dest');
    for (const square of GOALS[this.shown?.variant ?? ''] ?? []) marks.set(square, 'goal');
    for (const square of this.shown?.place.exploded ?? []) marks.set(square, 'exploded');
    this.cursor.mark(marks);
    return marks as Map<Key, string>;
  }

  /** Enter takes and puts down, or puts back where the man stood. Escape puts back. */
  private pressed(key: string): string | null {
    const { square } = this.cursor;
    if (key === 'Escape') {
      this.ground.cancelMove();
      this.hands.release();
      return '';
    }
    if (key !== 'Enter' && key !== ' ') return null;
    // Where men can be dragged, chessground takes the man again.
    if (this.ground.state.selected === square) {
      this.ground.cancelMove();
      return `${describe(this.ground, square)} put back`;
    }
    this.ground.selectSquare(square as Key);
    if (!this.ground.state.selected) return '';
    const moves = this.shown?.legal.filter(move => move.from === square) ?? [];
    return `${describe(this.ground, square)} taken; it can go to ${squaresInWords(moves)}`;
  }
}

/** The squares to choose for moves; their number where nobody would listen to all of them. */
function squaresInWords(moves: Move[]): string {
  const squares = [...new Set(moves.map(move => (move.rook ? `${move.rook} to castle` : move.to)))];
  return squares.length > MOST_SQUARES ? `${squares.length} squares` : squares.join(', ') || 'no square';
}

/** What stands on a square, in words. */
export function describe(ground: Api, square: string): string {
  const piece = ground.state.pieces.get(square as Key);
  return piece ? `${piece.color} ${piece.role}` : 'empty';
}

/** The name of a man by its letter. */
export function nameOf(letter: string): string {
  return NAMES[letter.toLowerCase()] ?? letter;
}

/** Does the move go there? In Chess960 a king castles onto its rook, and onto its target if no other move goes there. */
function reaches(move: Move, to: string, legal: Move[]): boolean {
  if (!move.rook) return move.to === to;
  const isShared = legal.some(other => other !== move && other.from === move.from && other.to === move.to && !other.rook);
  return move.rook === to || (move.to === to && !isShared && move.from !== to);
}

function targets(legal: Move[]): Map<Key, Key[]> {
  const targets = new Map<Key, Key[]>();
  for (const move of legal.filter(move => move.from)) {
    const squares = targets.get(move.from as Key) ?? [];
    for (const to of [move.to, move.rook]) {
      if (to && to !== move.from && reaches(move, to, legal)) squares.push(to as Key);
    }
    targets.set(move.from as Key, squares);
  }
  return targets;
}

/** An arrow. A drop has no origin: its square gets a circle. */
function shapes(arrow: Arrow | null | undefined, brush: string): DrawShape[] {
  if (!arrow) return [];
  const [from, to] = [arrow.from as Key, arrow.to as Key];
  return [from ? { orig: from, dest: to, brush } : { orig: to, brush }];
}

function brushes() {
  const brush = (key: string, color: string) => ({ key, color, opacity: 0.9, lineWidth: 11 });
  return {
    green: brush('g', '#00616e'),
    red: brush('r', '#9b1c31'),
    blue: brush('b', '#0b62b8'),
    yellow: brush('y', '#d98200'),
    hint: brush('hint', '#0b62b8'),
    bad: brush('bad', '#d4002a'),
  };
}
