// The placement of the men, the first field of a FEN, and what a move changes in it.

/** The placement after the man on one square has gone to another. */
export function after(placement: string, squares: string): string {
  const rows = placement.split('/').map(row => row.replace(/\d/g, digit => '1'.repeat(Number(digit))).split(''));
  const [from, to] = [squares.slice(0, 2), squares.slice(2, 4)].map(name => [8 - Number(name[1]), name.charCodeAt(0) - 97]);
  rows[to[0]][to[1]] = rows[from[0]][from[1]];
  rows[from[0]][from[1]] = '1';
  return rows.map(row => row.join('').replace(/1+/g, ones => String(ones.length))).join('/');
}
