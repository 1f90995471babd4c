// Who plays: a row above the board and one beneath it, with the name, the clock, and the checks given in three-check.

import { element } from '../../report/src/elements';
import type { Side } from './rules';
import { nameOfSide, other, shortened } from './sides';
import type { State } from './store';
import type { Table } from './table';
import { write } from './voice';

export class Players {
  readonly above = element('div', { class: 'side' });
  readonly below = element('div', { class: 'side' });
  /** What the rows show besides the times. */
  private readonly shown = new Map<HTMLElement, string>();

  show(table: Table): void {
    const below: Side = table.state.isFlipped ? 'black' : 'white';
    this.showRow(this.above, other(below), table);
    this.showRow(this.below, below, table);
  }

  private showRow(row: HTMLElement, side: Side, table: Table): void {
    const { clock } = table.state;
    const name = nameOf(table.state, side);
    const given = checksGiven(table.placeAt(table.at).fen, side);
    // Nothing disturbs a screen reader that is here while the clock runs.
    const shown = JSON.stringify([side, name, given, clock !== null]);
    if (this.shown.get(row) !== shown) {
      this.shown.set(row, shown);
      row.replaceChildren(
        element('span', { class: `disc ${side}`, role: 'img', 'aria-label': side }),
        element('span', { class: 'name', title: name }, name),
        given === null ? '' : pips(given),
        clock ? element('span', { class: 'clock' }) : '',
      );
    }
    if (clock) showTime(row.querySelector<HTMLElement>('.clock')!, clock[side], !table.ending && table.turn === side);
  }
}

function showTime(place: HTMLElement, millis: number, isRunning: boolean): void {
  write(place, timeText(millis));
  place.classList.toggle('running', isRunning);
}

/** The player's name, which the page writes into PGN, too. */
export const YOU = 'You';

/** Who plays this side. In a game from a text these are the players that it names. */
export function nameOf({ players, player, level }: State, side: Side): string {
  if (players) return shortened(players[side]) || nameOfSide(side);
  return side === player ? YOU : `Trebuchet, ${level}`;
}

/** The number of checks that a side has given in three-check. */
function checksGiven(fen: string, side: Side): number | null {
  const left = /^(\d)\+(\d)$/.exec(fen.split(' ')[4] ?? '');
  return left && 3 - Number(left[side === 'white' ? 1 : 2]);
}

function pips(given: number): HTMLElement {
  const text = `${given} of 3 checks given`;
  const row = element('span', { class: 'pips', role: 'img', 'aria-label': text, title: text });
  for (let number = 0; number < 3; number++) row.append(element('span', { class: number < given ? 'pip given' : 'pip' }, '+'));
  return row;
}

function timeText(millis: number): string {
  const seconds = Math.ceil(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
