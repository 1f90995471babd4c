// Who plays: a row above the board and one beneath it, with the name, the clock, and the checks given in three-check.

import { element } from '../../report/src/elements';
import type { Side } from './rules';
import { nameOfSide, other, shortened } from './sides';
import type { State } from './store';
import type { Table } from './table';

export class Players {
  readonly above = element('div', { class: 'side' });
  readonly below = element('div', { class: 'side' });

  show(table: Table): void {
    const { state } = table;
    const { fen } = table.placeAt(table.at);
    const below: Side = state.isFlipped ? 'black' : 'white';
    for (const [place, side] of [[this.above, other(below)], [this.below, below]] as const) {
      const isRunning = !table.ending && table.turn === side;
      const name = nameOf(state, side);
      place.replaceChildren(
        element('span', { class: `disc ${side}`, role: 'img', 'aria-label': side }),
        element('span', { class: 'name', title: name }, name),
        pips(fen, side) ?? '',
        state.clock ? element('span', { class: isRunning ? 'clock running' : 'clock' }, timeText(state.clock[side])) : '',
      );
    }
  }
}

/** The player's name, which the page writes into PGN, too. */
export const YOU = 'You';

/** Who plays this side. In a game from a text these are the players that it names. */
export function nameOf({ players, player, level }: State, side: Side): string {
  if (players) return shortened(players[side]) || nameOfSide(side);
  return side === player ? YOU : `Trebuchet, ${level}`;
}

/** The checks that a side has given in three-check. */
function pips(fen: string, side: Side): HTMLElement | null {
  const left = /^(\d)\+(\d)$/.exec(fen.split(' ')[4] ?? '');
  if (!left) return null;
  const given = 3 - Number(left[side === 'white' ? 1 : 2]);
  const text = `${given} of 3 checks given`;
  const row = element('span', { class: 'pips', role: 'img', 'aria-label': text, title: text });
  for (let number = 0; number < 3; number++) row.append(element('span', { class: number < given ? 'pip given' : 'pip' }, '+'));
  return row;
}

function timeText(millis: number): string {
  const seconds = Math.ceil(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
