// The board with its buttons, keys and swipes. Steps through a game and through its lines.

import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Color, Key } from '@lichess-org/chessground/types';

import { Card, type InLine, percent } from './card';
import { Curves } from './curve';
import { type Checks, type Game, type Move, type Place, type Ply, type Position, ends, movesOf } from './data';
import { BACK, FIRST, FLIP, FORWARD, LAST, button, element } from './elements';
import { HeatMap } from './heat';
import { exploded } from './placement';

type HeatChoice = 'off' | 'position' | 'game';

const NEXT_MOMENT = 'M4 6l6 6-6 6zM16 5v9M16 18v1';

/** The colours of the glyph on the board; the glyph itself tells the verdict. */
const BADGES: Record<string, string> = {
  brilliant: '#00616e',
  great: '#1b5fa8',
  inaccuracy: '#8a6d00',
  mistake: '#b45309',
  blunder: '#9b1c31',
  missed: '#6d28a8',
};

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

export class Viewer {
  private at = 0;
  private inLine: InLine | null = null;
  private orientation: Color = 'white';
  private heatChoice: HeatChoice = 'off';
  private readonly board: Api;
  private readonly boardPlace: HTMLElement;
  private readonly heat = new HeatMap();
  private readonly card: Card;
  private readonly curves: Curves;
  private readonly whitePart: HTMLElement;
  private readonly bar: HTMLElement;
  private readonly barNumber: HTMLElement;
  private readonly sides: Record<Color, HTMLElement>;
  private readonly lineNotice: HTMLElement;
  private readonly spoken: HTMLElement;
  private readonly heatLegend: HTMLElement;
  private readonly stage: HTMLElement;
  private readonly buttons: Record<'back' | 'forward' | 'first' | 'last' | 'moment', HTMLButtonElement>;

  constructor(
    private readonly game: Game,
    private readonly article: HTMLElement,
    private readonly moved: (ply: number) => void,
  ) {
    this.stage = article.querySelector<HTMLElement>('.stage')!;
    this.stage.replaceChildren();
    this.whitePart = element('div', { class: 'white-part' });
    this.barNumber = element('span', { class: 'bar-number' });
    this.bar = element('div', { class: 'bar', role: 'img' }, this.whitePart, this.barNumber);
    this.boardPlace = element('div', { class: 'board' });
    const frame = element('div', { class: 'frame' }, this.bar, element('div', { class: 'square' }, this.boardPlace));
    this.sides = { white: element('div', { class: 'side' }), black: element('div', { class: 'side' }) };
    this.lineNotice = element('div', { class: 'line-notice' });
    this.spoken = element('p', { class: 'spoken', role: 'status' });
    this.heatLegend = heatLegend();
    this.buttons = {
      first: button('First position', FIRST, () => this.go(0), 'Home'),
      back: button('Back', BACK, () => this.step(-1), '←'),
      forward: button('Forward', FORWARD, () => this.step(1), '→'),
      last: button('Last position', LAST, () => this.go(this.game.plies.length), 'End'),
      moment: button('Next critical moment', NEXT_MOMENT, () => this.nextMoment(), 'm'),
    };
    const controls = element(
      'div',
      { class: 'controls', role: 'group', 'aria-label': 'Step through the game' },
      this.buttons.first,
      this.buttons.back,
      this.buttons.forward,
      this.buttons.last,
      this.buttons.moment,
      button('Turn the board', FLIP, () => this.flip(), 'f'),
    );
    this.stage.append(
      element('div', { class: 'top-side' }),
      frame,
      element('div', { class: 'bottom-side' }),
      controls,
      this.lineNotice,
      this.spoken,
      this.heatSwitch(),
      this.heatLegend,
    );
    this.placeSides();
    this.board = Chessground(this.boardPlace, {
      viewOnly: true,
      coordinates: true,
      coordinatesOnSquares: false,
      addDimensionsCssVarsTo: this.boardPlace,
      animation: { enabled: !stillness.matches, duration: 180 },
      drawable: {
        enabled: false,
        visible: true,
        brushes: {
          green: { key: 'g', color: '#00616e', opacity: 1, lineWidth: 10 },
          red: { key: 'r', color: '#9b1c31', opacity: 1, lineWidth: 10 },
          blue: { key: 'b', color: '#0b62b8', opacity: 0.9, lineWidth: 11 },
          yellow: { key: 'y', color: '#d98200', opacity: 0.9, lineWidth: 11 },
        },
      },
    });
    this.boardPlace.querySelector('cg-container')!.prepend(this.heat.picture);
    this.card = new Card(article.querySelector<HTMLElement>('.card')!, inLine => this.goInto(inLine));
    this.curves = new Curves(article, ply => this.go(ply, true));
    for (const link of article.querySelectorAll<HTMLElement>('[data-ply]')) {
      link.addEventListener('click', event => {
        event.preventDefault();
        this.go(Number(link.dataset.ply), true);
      });
    }
    this.listenToSwipes(frame);
    // The board counts in pixels and cannot adapt to paper.
    addEventListener('beforeprint', () => frame.style.setProperty('--width', `${frame.offsetWidth}px`));
    this.show();
  }

  /** Goes to the position after so many plies. */
  go(ply: number, showsBoard = false): void {
    this.at = Math.max(0, Math.min(this.game.plies.length, ply));
    this.inLine = null;
    this.show();
    if (showsBoard) this.bringBoardIntoView();
  }

  /** One step, in the game or in the line that is shown. */
  step(by: 1 | -1): void {
    if (!this.inLine) return this.go(this.at + by);
    const count = this.inLine.count + by;
    if (count < 1) return this.leaveLine();
    if (count <= this.inLine.moves.length) this.goInto({ ...this.inLine, count });
  }

  /** Reads a key; returns whether it means something. */
  key(name: string): boolean {
    switch (name) {
      case 'ArrowLeft':
        this.step(-1);
        return true;
      case 'ArrowRight':
        this.step(1);
        return true;
      case 'Home':
        this.go(0);
        return true;
      case 'End':
        this.go(this.game.plies.length);
        return true;
      case 'f':
        this.flip();
        return true;
      case 'm':
        this.nextMoment();
        return true;
      case 'Escape':
        if (!this.inLine) return false;
        this.leaveLine();
        return true;
      default:
        return false;
    }
  }

  /** Shows the board again after its place was hidden. */
  redraw(): void {
    this.board.redrawAll();
    this.boardPlace.querySelector('cg-container')!.prepend(this.heat.picture);
    this.show();
  }

  get ply(): number {
    return this.at;
  }

  private goInto(inLine: InLine): void {
    this.inLine = inLine;
    this.show();
    this.bringBoardIntoView();
  }

  private leaveLine(): void {
    this.inLine = null;
    this.show();
  }

  private nextMoment(): void {
    const { moments } = this.game;
    const next = moments.find(ply => ply > this.at) ?? moments[0];
    if (next !== undefined) this.go(next);
  }

  private flip(): void {
    this.orientation = this.orientation === 'white' ? 'black' : 'white';
    this.board.toggleOrientation();
    this.boardPlace.querySelector('cg-container')!.prepend(this.heat.picture);
    this.placeSides();
    this.show();
  }

  private placeSides(): void {
    const below = this.orientation;
    const above = below === 'white' ? 'black' : 'white';
    this.stage.querySelector('.top-side')!.replaceChildren(this.sides[above]);
    this.stage.querySelector('.bottom-side')!.replaceChildren(this.sides[below]);
    this.stage.classList.toggle('flipped', below === 'black');
  }

  private show(): void {
    const ply = this.at > 0 ? this.game.plies[this.at - 1] : null;
    const position: Position = ply ?? this.game.start;
    const inLine = this.inLine && this.inLine.moves[this.inLine.count - 1];
    const place: Place = inLine || position;
    const lastMove = (inLine || ply)?.squares;
    this.board.set({
      fen: place.board.split('[')[0],
      lastMove: lastMove ? ends(lastMove) : [],
      check: place.in_check ?? false,
      orientation: this.orientation,
      highlight: { custom: this.marks(place, lastMove) },
    });
    this.board.setAutoShapes(inLine ? [] : shapes(ply, this.at > 1 ? this.game.plies[this.at - 2] : this.game.start, this.game.goal));
    this.card.show(this.game, this.at, this.inLine);
    this.curves.show(this.at);
    this.showSides(position, place);
    this.showBar(position);
    this.showHeat(position);
    this.showLineNotice(inLine || null);
    this.markMoves();
    const isLast = this.at === this.game.plies.length;
    this.buttons.first.disabled = this.buttons.back.disabled = this.at === 0 && !this.inLine;
    this.buttons.last.disabled = isLast && !this.inLine;
    this.buttons.forward.disabled = this.inLine ? this.inLine.count === this.inLine.moves.length : isLast;
    this.buttons.moment.disabled = this.game.moments.length === 0;
    this.boardPlace.setAttribute('role', 'img');
    this.boardPlace.setAttribute('aria-label', describe(inLine || ply));
    this.spoken.textContent = inLine
      ? `Line: ${inLine.number} ${inLine.san}`
      : ply
        ? `${ply.number} ${ply.san}, ${ply.score}. ${ply.words ?? ply.verdict}`
        : 'Start position';
    this.moved(this.at);
  }

  /** The squares where a king wins, and those that an explosion has emptied. */
  private marks(place: Place, lastMove?: string): Map<Key, string> {
    const marks = new Map<Key, string>();
    for (const square of this.game.goal.split(' ').filter(Boolean)) marks.set(square as Key, 'goal');
    const { inLine, game, at } = this;
    const positions = [game.start, ...game.plies];
    // A line begins before the move at which it was opened.
    const before = inLine && inLine.count > 1 ? inLine.moves[inLine.count - 2] : positions[at - 1];
    if (lastMove && before) {
      for (const square of exploded(before.board, place.board, lastMove)) marks.set(square as Key, 'exploded');
    }
    return marks;
  }

  private showBar(position: Position): void {
    this.whitePart.style.height = `${100 * position.chance}%`;
    this.bar.setAttribute('aria-label', `Evaluation ${position.score}, White’s chances ${percent(position.chance)}`);
    this.bar.title = this.bar.getAttribute('aria-label')!;
    this.barNumber.textContent = position.score.replace(/(\.\d)\d$/, '$1').replace(/^([+−]\d\d+)\.\d$/, '$1');
    this.barNumber.classList.toggle('for-black', position.chance < 0.5);
  }

  private showSides(position: Position, place: Place): void {
    (['white', 'black'] as const).forEach((color, index) => {
      const clock = lastClock(this.game.plies.slice(0, this.at), color);
      this.sides[color].replaceChildren(
        element('span', { class: `disc ${color}`, 'aria-hidden': 'true' }),
        element('span', { class: 'name' }, this.game.players[index]),
        rating(this.game.ratings[index]),
        position.checks ? checkPips(position.checks, index) : '',
        hand(place.board, color),
        clock ? element('span', { class: 'clock' }, clock) : '',
      );
    });
  }

  private showHeat(position: Position): void {
    const choice = this.inLine && this.heatChoice === 'position' ? 'off' : this.heatChoice;
    const heat = { off: null, position: position.heat ?? '', game: this.game.heat }[choice];
    this.heat.show(heat ?? '', this.orientation === 'black');
    this.boardPlace.classList.toggle('with-heat', heat !== null);
    this.heatLegend.hidden = this.heatChoice === 'off';
  }

  private showLineNotice(move: Move | null): void {
    this.lineNotice.replaceChildren();
    this.lineNotice.hidden = !move;
    if (!move || !this.inLine) return;
    const back = element('button', { type: 'button' }, 'Back to the game');
    back.addEventListener('click', () => this.leaveLine());
    const { count, moves } = this.inLine;
    this.lineNotice.append(
      element('span', {}, `Line: ${move.number} ${move.san}, move ${count} of ${moves.length}`),
      back,
    );
  }

  private markMoves(): void {
    for (const link of this.article.querySelectorAll<HTMLElement>('[data-ply]')) {
      const isHere = Number(link.dataset.ply) === this.at;
      if (isHere) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
      if (isHere && link.classList.contains('move')) keepInView(link);
    }
  }

  private heatSwitch(): HTMLElement {
    const choices: [HeatChoice, string][] = [
      ['off', 'Off'],
      ['position', 'Position'],
      ['game', 'Whole game'],
    ];
    const name = `heat-${this.article.id}`;
    const set = element('fieldset', { class: 'heat-switch' }, element('legend', {}, 'Heat map'));
    for (const [choice, text] of choices) {
      const input = element('input', { type: 'radio', name, value: choice });
      input.checked = choice === this.heatChoice;
      input.addEventListener('change', () => {
        this.heatChoice = choice;
        this.show();
      });
      set.append(element('label', {}, input, element('span', {}, text)));
    }
    const numbers = element('input', { type: 'checkbox' });
    numbers.addEventListener('change', () => {
      this.heat.hasNumbers = numbers.checked;
      this.show();
    });
    set.append(element('label', { class: 'numbers' }, numbers, element('span', {}, 'Numbers')));
    return set;
  }

  private listenToSwipes(frame: HTMLElement): void {
    let start: Touch | null = null;
    frame.addEventListener('touchstart', event => (start = event.touches.length === 1 ? event.touches[0] : null), {
      passive: true,
    });
    frame.addEventListener(
      'touchend',
      event => {
        const end = event.changedTouches[0];
        if (!start || !end) return;
        const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY];
        start = null;
        if (Math.abs(x) > 30 && Math.abs(x) > 2 * Math.abs(y)) return this.step(x < 0 ? 1 : -1);
        // A tap on the right half goes forward, one on the left half back.
        if (Math.hypot(x, y) < 10) {
          const box = frame.getBoundingClientRect();
          this.step(end.clientX > box.left + box.width / 2 ? 1 : -1);
        }
      },
      { passive: true },
    );
  }

  private bringBoardIntoView(): void {
    const box = this.boardPlace.getBoundingClientRect();
    const isVisible = box.top >= -box.height / 4 && box.bottom <= innerHeight + box.height / 4;
    if (!isVisible) {
      this.stage.scrollIntoView({ block: 'start', behavior: stillness.matches ? 'auto' : 'smooth' });
    }
  }
}

/** The better move as a blue arrow, the punishment as a red one, and the verdict on the square of the move. */
function shapes(ply: Ply | null, before: Position, goal: string): DrawShape[] {
  if (!ply) return [];
  const shapes: DrawShape[] = [];
  const arrow = (move: Move | undefined, brush: string) => {
    if (!move) return;
    const [orig, dest] = ends(move.squares);
    shapes.push(orig === dest ? { orig, brush } : { orig, dest, brush });
  };
  if (ply.lines && !ply.is_best) arrow(movesOf(ply.lines[0], before.board, ply, goal)[0], 'blue');
  if (ply.punishment) arrow(movesOf(ply.punishment, before.board, ply, goal)[1], 'red');
  const color = BADGES[ply.kind];
  if (color && ply.glyph) shapes.push({ orig: ends(ply.squares)[1], customSvg: { html: badge(ply.glyph, color) } });
  return shapes;
}

/** The picture of a glyph; it is one of ours, so it needs no escape. */
function badge(glyph: string, color: string): string {
  return (
    `<circle cx="82" cy="18" r="23" fill="${color}" stroke="#fff" stroke-width="4"/>` +
    `<text x="82" y="29" font-size="32" font-weight="700" font-family="sans-serif" text-anchor="middle" fill="#fff">${glyph}</text>`
  );
}

/** The men in hand by their letters, in the order in which they are shown. */
const ROLES: Record<string, string> = { q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn' };

/** The men in a side's hand; nothing in games without. */
function hand(board: string, color: Color): HTMLElement | string {
  const letters = /\[(.*)\]/.exec(board)?.[1];
  if (!letters) return '';
  const own = [...letters].filter(letter => (letter === letter.toUpperCase()) === (color === 'white'));
  const men = Object.entries(ROLES).flatMap(([letter, role]) => {
    const count = own.filter(man => man.toLowerCase() === letter).length;
    return new Array<string>(count).fill(role);
  });
  const picture = (role: string) =>
    element('span', { class: 'cg-wrap man' }, element('piece' as 'span', { class: `${role} ${color}` }));
  const name = `In hand: ${men.join(', ') || 'nothing'}`;
  return element('span', { class: 'hand', role: 'img', 'aria-label': name, title: name }, ...men.map(picture));
}

function checkPips(checks: Checks, index: number): HTMLElement {
  const given = checks.given[index];
  const pips = element('span', { class: 'pips', role: 'img', 'aria-label': `${given} of ${checks.goal} checks given` });
  pips.title = `${given} of ${checks.goal} checks given`;
  for (let number = 0; number < checks.goal; number++) {
    pips.append(element('span', { class: number < given ? 'pip given' : 'pip' }, '+'));
  }
  return pips;
}

function rating(elo: string | null): Node | string {
  return elo ? element('span', { class: 'elo' }, elo) : '';
}

function lastClock(plies: Ply[], color: Color): string | null {
  for (let index = plies.length - 1; index >= 0; index--) {
    const { mover, clock } = plies[index];
    if (mover === color && clock) return clock;
  }
  return null;
}

function describe(move: Move | null): string {
  return move ? `Board after ${move.number} ${move.san}` : 'Board, start position';
}

function heatLegend(): HTMLElement {
  const sign = (leader: string, text: string) =>
    element('span', {}, element('span', { class: `heat-sign ${leader}`, 'aria-hidden': 'true' }), text);
  return element(
    'p',
    { class: 'legend heat-legend', hidden: '' },
    sign('white', 'contested, White leads'),
    sign('black', 'contested, Black leads'),
    sign('nobody', 'contested, equal'),
    element('span', {}, 'Stronger colour: hotter square.'),
  );
}

/** Scrolls the list of moves, not the page. */
function keepInView(link: HTMLElement): void {
  const list = link.closest<HTMLElement>('.moves');
  if (!list || list.scrollHeight <= list.clientHeight) return;
  const [row, box] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (row.top < box.top + 40 || row.bottom > box.bottom - 60) {
    list.scrollTop += row.top - box.top - box.height / 2;
  }
}
