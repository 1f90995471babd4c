// The two sides and their names.

import type { Side } from './rules';

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export const nameOfSide = (side: Side) => (side === 'white' ? 'White' : 'Black');

/** A player's name with the side, `Anderssen (White)`; the side alone if it is all that is known. */
export const withSide = (name: string, side: Side) => (name === nameOfSide(side) ? name : `${name} (${nameOfSide(side)})`);
