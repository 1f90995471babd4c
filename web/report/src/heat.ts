// The heat map on the board: beneath the pieces, in blue where White leads, in hatched orange where
// Black leads and in dotted violet where nobody does. The strength of the colour is the heat.

import { svg } from './elements';

const HATCH = 'M0 .5L.5 0M0 1L1 0M.5 1L1 .5';
const DOTS = 'M.25 .25h.01M.75 .25h.01M.5 .5h.01M.25 .75h.01M.75 .75h.01';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-';

export class HeatMap {
  readonly picture: SVGElement;
  hasNumbers = false;

  constructor() {
    this.picture = svg('svg', { class: 'heat', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
  }

  show(heat: string, isFlipped: boolean): void {
    this.picture.replaceChildren();
    for (let at = 0; at + 2 < heat.length; at += 3) {
      const [square, high, low] = [0, 1, 2].map(place => DIGITS.indexOf(heat[at + place]));
      const entry = 64 * high + low;
      const degree = ((entry - 1) % 101) + 1;
      const [file, rank] = [square % 8, Math.floor(square / 8)];
      const [x, y] = isFlipped ? [7 - file, rank] : [file, 7 - rank];
      const leader = ['nobody', 'white', 'black'][Math.floor((entry - 1) / 101)];
      const group = svg('g', { class: `lead-${leader}`, transform: `translate(${x} ${y})` });
      const opacity = (0.12 + 0.0078 * degree).toFixed(2);
      group.append(svg('rect', { width: 1, height: 1, opacity }));
      if (leader !== 'white') group.append(svg('path', { d: leader === 'black' ? HATCH : DOTS, opacity }));
      if (this.hasNumbers) {
        group.append(svg('text', { x: 0.06, y: 0.26 }, String(degree)));
      }
      this.picture.append(group);
    }
  }
}
