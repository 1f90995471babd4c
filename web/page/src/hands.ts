// The men in hand, beside the board: one row for each side. The player takes a man there and puts it on a square.

import { element } from '../../report/src/elements';
import type { Place, Side } from './rules';

/** By the letters of a FEN, in the order in which they are shown. */
const ROLES: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

/** A finger drags a man when it has gone so far, in pixels. Until then it may be a tap. */
const LEAST_DRAG = 10;

export class Hands {
  readonly above = element('div', { class: 'hand', role: 'group' });
  readonly below = element('div', { class: 'hand', role: 'group' });
  /** The small letter of the man that the player has taken, or nothing. */
  held = '';

  constructor(
    private readonly changed: () => void,
    /** The player begins to drag a man. */
    private readonly dragged: (role: string, side: Side, event: MouseEvent | TouchEvent) => void,
    /** The player has taken a man with a key, and now chooses its square. */
    private readonly taken: () => void,
  ) {}

  /** `mover` may take men; nobody while the player cannot move. */
  show(place: Place, mover: Side | null, isFlipped: boolean): void {
    const letters = /\[(.*)\]/.exec(place.fen)?.[1];
    this.above.hidden = this.below.hidden = letters === undefined;
    const sides: [Side, HTMLElement][] = [
      [isFlipped ? 'white' : 'black', this.above],
      [isFlipped ? 'black' : 'white', this.below],
    ];
    for (const [side, row] of sides) {
      const own = [...(letters ?? '')].filter(letter => (letter === letter.toUpperCase()) === (side === 'white'));
      const men = Object.keys(ROLES).map(letter => this.man(letter, count(own, letter), side, side === mover));
      const focused = row.contains(document.activeElement) ? (document.activeElement as HTMLElement).dataset.man : '';
      row.replaceChildren(...men.filter(man => man !== null));
      if (focused) row.querySelector<HTMLElement>(`button[data-man=${focused}]`)?.focus();
      row.setAttribute('aria-label', `In ${side}’s hand`);
    }
  }

  /** Takes no man any more. */
  release(): void {
    if (!this.held) return;
    this.held = '';
    this.changed();
  }

  private man(letter: string, count: number, side: Side, canBeTaken: boolean): HTMLElement | null {
    if (!count) return null;
    const name = `${count} ${side} ${ROLES[letter]}${count > 1 ? 's' : ''} in hand`;
    const picture = element('span', { class: 'cg-wrap' }, element('piece' as 'span', { class: `${ROLES[letter]} ${side}` }));
    const number = count > 1 ? element('span', { class: 'count' }, String(count)) : null;
    if (!canBeTaken) return element('span', { class: 'man', role: 'img', 'aria-label': name }, picture, number);
    const pressed = String(this.held === letter);
    const man = element('button', { type: 'button', class: 'man', 'data-man': letter, 'aria-label': name, 'aria-pressed': pressed }, picture, number);
    const drag = (event: MouseEvent | TouchEvent) => this.dragged(ROLES[letter], side, event);
    man.addEventListener('mousedown', drag);
    let touched: { x: number; y: number } | null = null;
    man.addEventListener('touchstart', ({ touches }) => (touched = { x: touches[0].clientX, y: touches[0].clientY }), { passive: true });
    man.addEventListener('touchmove', event => {
      const { clientX, clientY } = event.touches[0];
      if (!touched || Math.hypot(clientX - touched.x, clientY - touched.y) < LEAST_DRAG) return;
      touched = null;
      drag(event);
    }, { passive: true });
    man.addEventListener('click', event => {
      this.held = this.held === letter ? '' : letter;
      this.changed();
      // No pointer was used.
      if (this.held && event.detail === 0) this.taken();
    });
    return man;
  }
}

function count(letters: string[], wanted: string): number {
  return letters.filter(letter => letter.toLowerCase() === wanted).length;
}
