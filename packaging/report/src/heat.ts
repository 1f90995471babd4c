// The heat map on the board: beneath the pieces, in blue where White leads and in hatched orange where
// Black leads. The strength of the colour is the heat.

import { svg } from './elements';

export class HeatMap {
  readonly picture: SVGElement;
  hasNumbers = false;

  constructor() {
    this.picture = svg('svg', { class: 'heat', viewBox: '0 0 8 8', 'aria-hidden': 'true' });
  }

  show(heat: number[] | null, isFlipped: boolean): void {
    this.picture.replaceChildren();
    if (!heat) return;
    heat.forEach((entry, square) => {
      const degree = entry % 1000;
      if (degree === 0) return;
      const [file, rank] = [square % 8, Math.floor(square / 8)];
      const [x, y] = isFlipped ? [7 - file, rank] : [file, 7 - rank];
      const leader = ['nobody', 'white', 'black'][Math.floor(entry / 1000)];
      const group = svg('g', { class: `lead-${leader}`, transform: `translate(${x} ${y})` });
      const opacity = (0.12 + 0.0078 * degree).toFixed(2);
      group.append(svg('rect', { width: 1, height: 1, opacity }));
      if (leader === 'black') {
        group.append(svg('path', { d: 'M0 .5L.5 0M0 1L1 0M.5 1L1 .5', opacity }));
      }
      if (this.hasNumbers) {
        group.append(svg('text', { x: 0.06, y: 0.26 }, String(degree)));
      }
      this.picture.append(group);
    });
  }
}
