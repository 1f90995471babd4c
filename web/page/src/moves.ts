// The list of the moves. For the keyboard it is one stop: the arrow keys step through the game.

import { element } from '../../report/src/elements';
import { moveNumber } from './sides';
import type { Table } from './table';
import { inWords } from './voice';

/** Signs in words. */
const VERDICTS: Record<string, string> = { '??': 'blunder', '?': 'mistake', '?!': 'inaccuracy', '!?': 'interesting move', '!': 'great move', '!!': 'brilliant move' };

export class Moves {
  readonly list = element('ol', { class: 'moves', 'aria-label': 'Moves' });
  private shown = '';

  show(table: Table): void {
    const { glyphs } = table.state;
    const signature = JSON.stringify([table.record.plies.map(ply => ply.san), glyphs, table.at]);
    if (signature === this.shown) return;
    this.shown = signature;
    const { start } = table.record;
    const rows: HTMLElement[] = [];
    table.record.plies.forEach((ply, index) => {
      const slot = index + Number(start.turn === 'black');
      const number = moveNumber(start, index);
      if (slot % 2 === 0 || index === 0) {
        rows.push(element('li', {}, element('span', { class: 'number' }, `${number}.`)));
        if (slot % 2 === 1) rows[0].append(element('span', {}, '…'));
      }
      const glyph = glyphs[index] ?? '';
      const name = [`${number}. ${inWords(ply.san)}`, VERDICTS[glyph]].filter(text => text).join(', ');
      const move = element('button', { type: 'button', 'aria-label': name, tabindex: '-1' }, ply.san + glyph);
      if (index + 1 === table.at) move.setAttribute('aria-current', 'true');
      move.addEventListener('click', () => table.go(index + 1));
      rows[rows.length - 1].append(move);
    });
    const hasFocus = this.list.contains(document.activeElement);
    this.list.replaceChildren(...rows);
    const here = this.list.querySelector<HTMLElement>('[aria-current]');
    if (here) this.list.scrollTop = here.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    const next = here ?? this.list.querySelector('button');
    if (next) next.tabIndex = 0;
    if (hasFocus) next?.focus({ preventScroll: true });
  }
}
