// What there is to say about the move on the board.

import { type Game, type Line, type Move, type Ply, type Position, movesOf } from './data';
import { element } from './elements';

/** A line that is shown on the board, its moves, and how many of them were made. */
export interface InLine {
  line: Line;
  moves: Move[];
  count: number;
}

export class Card {
  constructor(
    private readonly place: HTMLElement,
    private readonly goInto: (inLine: InLine) => void,
  ) {
    place.hidden = false;
  }

  show(game: Game, at: number, inLine: InLine | null): void {
    const ply = at > 0 ? game.plies[at - 1] : null;
    const position = ply ?? game.start;
    this.place.replaceChildren(
      ply ? moveHead(ply) : element('h3', { class: 'card-head' }, 'Start position'),
      element(
        'p',
        { class: 'score-line' },
        element('strong', {}, position.score),
        ` White’s chances ${percent(position.chance)}`,
        ply?.spent ? ` · took ${ply.spent}` : null,
      ),
      ...(ply ? this.judgement(ply, game, at > 1 ? game.plies[at - 2].board : game.start.board, inLine) : []),
      ...remarks(position, ply),
    );
  }

  private judgement(ply: Ply, { goal }: Game, before: string, inLine: InLine | null): Node[] {
    const nodes: Node[] = [];
    const words = wordsAbout(ply);
    if (words) nodes.push(element('p', { class: 'words' }, words));
    const { punishment } = ply;
    if (punishment) {
      const arrow = element('span', { class: 'arrow punishing', 'aria-hidden': 'true' }, ' ➜');
      const head = element('p', { class: 'line-head' }, element('strong', {}, 'After your move'), arrow);
      const text = element('p', { class: 'words' }, punishment.text);
      nodes.push(this.line('line after-move', [head, text], punishment, movesOf(punishment, before, ply, goal), inLine));
    }
    (ply.lines ?? []).forEach((line, index) => {
      const moves = movesOf(line, before, ply, goal);
      const isPlayed = moves[0]?.san === ply.san;
      const name = (index > 0 ? 'Second' : 'Best') + (isPlayed ? ', as played' : '');
      const arrow = index === 0 && !ply.is_best && element('span', { class: 'arrow', 'aria-hidden': 'true' }, ' ➜');
      const score = element('strong', {}, line.score ?? '');
      const head = element('p', { class: 'line-head' }, `${name} `, score, ` depth ${line.depth}`, arrow);
      nodes.push(this.line('line', [head], line, moves, inLine));
    });
    return nodes;
  }

  private line(kind: string, head: Node[], line: Line, made: Move[], inLine: InLine | null): HTMLElement {
    const row = element('div', { class: kind }, ...head);
    const moves = element('div', { class: 'line-moves' });
    made.forEach((move, at) => {
      const isNumbered = at === 0 || move.mover === 'white';
      const isHere = inLine?.line === line && inLine.count === at + 1;
      const press = element(
        'button',
        { type: 'button', class: isHere ? 'line-move here' : 'line-move' },
        isNumbered && element('span', { class: 'number' }, `${move.number} `),
        move.san,
      );
      if (isHere) press.setAttribute('aria-current', 'true');
      press.addEventListener('click', () => this.goInto({ line, moves: made, count: at + 1 }));
      moves.append(press);
    });
    row.append(moves);
    return row;
  }
}

/** The sentences about the move. The head of the card has the verdict, a block of its own the punishment. */
function wordsAbout(ply: Ply): string {
  let words = ply.words ?? '';
  if (words.startsWith(ply.verdict)) words = words.slice(ply.verdict.length).replace(/^[:,]? /, '');
  if (ply.punishment) words = words.replace(` ${ply.punishment.text}.`, '').replace(`. ${ply.punishment.text}`, '');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function moveHead(ply: Ply): HTMLElement {
  return element(
    'h3',
    { class: `card-head ${ply.kind}` },
    `${ply.number} ${ply.san}`,
    !!ply.glyph && element('span', { class: 'glyph' }, ply.glyph),
    element('span', { class: 'verdict' }, ply.verdict),
    !!ply.nags && element('span', { class: 'nags' }, `source: ${ply.nags.join(' ')}`),
  );
}

function remarks(position: Position, ply: Ply | null): Node[] {
  return [
    ...(position.comments ?? []).map(text => element('p', { class: 'comment' }, text)),
    ...(ply?.side_lines ?? []).map(text => element('p', { class: 'side-line' }, `(${text})`)),
  ];
}

export function percent(share: number): string {
  return `${Math.round(100 * share)}\u00a0%`;
}
