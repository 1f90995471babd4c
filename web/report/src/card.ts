// What there is to say about the move on the board.

import type { Game, Line, Ply, Position } from './data';
import { element } from './elements';

/** A line that is shown on the board, and how many of its moves were made. */
export interface InLine {
  line: Line;
  count: number;
}

export class Card {
  constructor(
    private readonly place: HTMLElement,
    private readonly goInto: (line: Line, count: number) => void,
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
      ...(ply ? this.judgement(ply, inLine) : []),
      ...remarks(position, ply),
    );
  }

  private judgement(ply: Ply, inLine: InLine | null): Node[] {
    const nodes: Node[] = [];
    if (ply.words) nodes.push(element('p', { class: 'words' }, withoutVerdict(ply)));
    ply.lines.forEach((line, index) => {
      const isPlayed = line.moves[0]?.san === ply.san;
      const name = (index > 0 ? 'Second' : 'Best') + (isPlayed ? ', as played' : '');
      nodes.push(this.line(ply, index, name, line, inLine));
    });
    return nodes;
  }

  private line(ply: Ply, index: number, name: string, line: Line, inLine: InLine | null): HTMLElement {
    const row = element('div', { class: 'line' });
    const score = element('strong', {}, line.score);
    const arrow = index === 0 && !ply.is_best && element('span', { class: 'arrow', 'aria-hidden': 'true' }, ' ➜');
    row.append(element('p', { class: 'line-head' }, `${name} `, score, ` depth ${line.depth}`, arrow));
    const moves = element('div', { class: 'line-moves' });
    line.moves.forEach((move, at) => {
      const isNumbered = at === 0 || move.mover === 'white';
      const isHere = inLine?.line === line && inLine.count === at + 1;
      const press = element(
        'button',
        { type: 'button', class: isHere ? 'line-move here' : 'line-move' },
        isNumbered && element('span', { class: 'number' }, `${move.number} `),
        move.san,
      );
      if (isHere) press.setAttribute('aria-current', 'true');
      press.addEventListener('click', () => this.goInto(line, at + 1));
      moves.append(press);
    });
    row.append(moves);
    return row;
  }
}

/** The sentence about the move, which the head of the card begins: the verdict is there. */
function withoutVerdict(ply: Ply): string {
  const rest = ply.words.startsWith(ply.verdict) ? ply.words.slice(ply.verdict.length).replace(/^[:,]? /, '') : ply.words;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function moveHead(ply: Ply): HTMLElement {
  return element(
    'h3',
    { class: `card-head ${ply.kind}` },
    `${ply.number} ${ply.san}`,
    ply.glyph !== '' && element('span', { class: 'glyph' }, ply.glyph),
    element('span', { class: 'verdict' }, ply.verdict),
    ply.nags.length > 0 && element('span', { class: 'nags' }, `source: ${ply.nags.join(' ')}`),
  );
}

function remarks(position: Position, ply: Ply | null): Node[] {
  return [
    ...position.comments.map(text => element('p', { class: 'comment' }, text)),
    ...(ply?.side_lines ?? []).map(text => element('p', { class: 'side-line' }, `(${text})`)),
  ];
}

export function percent(share: number): string {
  return `${Math.round(100 * share)}\u00a0%`;
}
