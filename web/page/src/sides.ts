// The two sides and their names.

import type { Side } from './rules';

export const other = (side: Side): Side => (side === 'white' ? 'black' : 'white');

export const nameOfSide = (side: Side) => (side === 'white' ? 'White' : 'Black');
