// The heat map beneath the pieces: the hotter a square, the denser its hatching.

import { svg } from '../../report/src/elements';

/** Cooler squares stay plain. */
const LEAST = 10;

export class Heat {
  readonly picture = svg('svg', { class: 'heat', viewBox: '0 0 8 8', 'aria-hidden': 'true' });

  /** Shows the heat of each square, a1 first; nothing for an empty list. */
  show(heat: number[], isFlipped: boolean): void {
    this.picture.replaceChildren();
    heat.forEach((degree, square) => {
      if (degree < LEAST) return;
      const [file, rank] = [square % 8, Math.floor(square / 8)];
      const [x, y] = isFlipped ? [7 - file, rank] : [file, 7 - rank];
      const opacity = (0.15 + 0.006 * degree).toFixed(2);
      const group = svg('g', { transform: `translate(${x} ${y})`, opacity });
      group.append(svg('rect', { width: 1, height: 1 }));
      if (degree >= 40) group.append(svg('path', { d: 'M0 .5L.5 0M0 1L1 0M.5 1L1 .5' }));
      this.picture.append(group);
    });
  }
}
