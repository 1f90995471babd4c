// The placement of the men, the first field of a FEN, and what a move changes in it.

/** The placement after the man on one square has gone to another. */
export function after(placement: string, squares: string): string {
  const rows = placement.split('/').map(row => row.replace(/\d/g, digit => '1'.repeat(Number(digit))).split(''));
  const [from, to] = [squares.slice(0, 2), squares.slice(2, 4)].map(name => [8 - Number(name[1]), name.charCodeAt(0) - 97]);
  rows[to[0]][to[1]] = rows[from[0]][from[1]];
  rows[from[0]][from[1]] = '1';
  return rows.map(row => row.join('').replace(/1+/g, ones => String(ones.length))).join('/');
}

/**
 * Does a move give check? `#` marks every win. Where kings win on certain squares, one that arrives there gives none.
 */
export function givesCheck(san: string, kingsHaveGoals: boolean): boolean {
  return san.endsWith('+') || (san.endsWith('#') && !(kingsHaveGoals && san.startsWith('K')));
}

/** The squares that an explosion has emptied: the target and those of other men, if nothing stands on the target of a move. */
export function exploded(before: string, place: string, squares: string): string[] {
  const [old, now] = [men(before), men(place)];
  const target = squares.slice(2, 4);
  if (now.has(target)) return [];
  const gone = [...old.keys()].filter(square => !now.has(square) && square !== squares.slice(0, 2));
  return [...new Set([target, ...gone])];
}

/** The men of a placement by their squares. `~` marks promoted men. */
function men(placement: string): Map<string, string> {
  const found = new Map<string, string>();
  placement.split('[')[0].replaceAll('~', '').split('/').forEach((row, index) => {
    let file = 0;
    for (const letter of row) {
      if (/\d/.test(letter)) file += Number(letter);
      else found.set(`${'abcdefgh'[file++]}${8 - index}`, letter);
    }
  });
  return found;
}
