// The keyboard's cursor on a board: the arrow keys move it, and what happens is said to screen readers.

import { element } from '../../report/src/elements';

const STEPS: Record<string, [files: number, ranks: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** The board beneath the cursor. */
interface Ground {
  isFlipped(): boolean;
  /** What stands on a square, in words. */
  describe(square: string): string;
  /** The cursor has moved, has come or has gone. */
  changed(): void;
  /** Another key was pressed. Returns what it does, in words; an empty text says nothing, `null` leaves the key alone. */
  pressed(key: string): string | null;
}

export class Cursor {
  square = 'e2';
  isVisible = false;
  readonly spoken = element('p', { class: 'spoken', 'aria-live': 'polite' });

  constructor(place: HTMLElement, private readonly ground: Ground) {
    place.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    place.addEventListener('focus', () => place.matches(':focus-visible') && this.show(true));
    place.addEventListener('blur', () => this.show(false));
  }

  say(text: string): void {
    this.spoken.textContent = text;
  }

  /** The class of the cursor's square, beside one that it may have. */
  mark(marks: Map<string, string>): void {
    if (this.isVisible) marks.set(this.square, `cursor ${marks.get(this.square) ?? ''}`.trim());
  }

  private show(isVisible: boolean): void {
    this.isVisible = isVisible;
    this.ground.changed();
  }

  private key(key: string): boolean {
    const step = STEPS[key];
    if (step) {
      const turn = this.ground.isFlipped() ? -1 : 1;
      const [file, rank] = [this.square.charCodeAt(0) - 97 + turn * step[0], Number(this.square[1]) + turn * step[1]];
      if (file >= 0 && file < 8 && rank >= 1 && rank <= 8) this.square = 'abcdefgh'[file] + rank;
      this.show(true);
      this.say(`${this.square}, ${this.ground.describe(this.square)}`);
      return true;
    }
    const said = this.ground.pressed(key);
    if (said === null) return false;
    this.show(true);
    if (said) this.say(said);
    return true;
  }
}
