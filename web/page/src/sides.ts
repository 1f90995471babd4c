// The two sides and their names.

import type { Place, Side } from './rules';

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export const nameOfSide = (side: Side) => (side === 'white' ? 'White' : 'Black');

/** A name of more characters is cut where it is shown. */
const LONGEST_NAME = 40;

/** A player's name, not too long. */
export function shortened(name: string): string {
  const letters = [...name];
  return letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name;
}

/** A player's name with the side, `Anderssen (White)`; the side alone if it is all that is known. */
export const withSide = (name: string, side: Side) => (name === nameOfSide(side) ? name : `${name} (${nameOfSide(side)})`);

/** The number of the move with which a game from `start` goes on after so many moves: that of the FEN is the first. */
export function moveNumber(start: Place, ply: number): number {
  const first = Number(start.fen.split(' ').at(-1)) || 1;
  return first + Math.floor((ply + Number(start.turn === 'black')) / 2);
}
