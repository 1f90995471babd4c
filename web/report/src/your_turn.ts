// The exercises of a report: the reader chooses a side and looks for its better moves. They stand in the place of
// the game.

import { press } from '../../page/src/drill';
import { actions, many } from '../../page/src/exercises';
import type { Side } from '../../page/src/rules';
import { nameOfSide, withSide } from '../../page/src/sides';
import { type Stored, StoredExercises } from './stored';

const SIDES: Side[] = ['white', 'black'];

class YourTurn extends StoredExercises<Stored> {
  protected readonly beginText: string;

  constructor(
    private readonly found: Stored[],
    private readonly players: [string, string],
    leave: () => void,
  ) {
    super('Back to the report', leave);
    this.beginText = this.of('white').length && this.of('black').length ? 'The other side' : '';
    this.begin();
  }

  private of(side: Side): Stored[] {
    return this.found.filter(({ turn }) => turn === side);
  }

  protected override question({ played, glyph }: Stored): string {
    return `${nameOfSide(this.side)} played ${played}${glyph} Find something better.`;
  }

  protected begin(): void {
    this.at = -1;
    this.tries += 1;
    const sides = SIDES.filter(side => this.of(side).length);
    if (sides.length === 1) return this.start(this.of(sides[0]));
    const choose = (side: Side) => press(`${this.nameOf(side)}: ${many(this.of(side).length, 'exercise')}`, () => this.start(this.of(side)), 'main');
    this.panel.replaceChildren(this.said, ...sides.map(side => actions(choose(side))), actions(this.back));
    this.preview(this.found[0]);
    this.tell();
    this.about.textContent = '';
    this.show('Whose moves do you want to improve?');
    this.focus();
  }

  private nameOf(side: Side): string {
    return withSide(this.players[SIDES.indexOf(side)], side);
  }
}

/** Puts a button into a game's head that leads to its exercises, and back. */
export class Turn {
  private drill: YourTurn | null = null;
  /** What the exercises stand in for. */
  private readonly game: HTMLElement;

  constructor(
    private readonly article: HTMLElement,
    private readonly exercises: Stored[],
    private readonly players: [string, string],
    /** The game is shown again. */
    private readonly returned: () => void,
  ) {
    this.game = article.querySelector<HTMLElement>('.layout')!;
    const open = press(`Find the better moves (${exercises.length})`, () => this.open(), 'your-turn main');
    article.querySelector('.digest-accuracy')!.append(open);
    // Whoever chooses a move of the game wants to see the game.
    article.addEventListener('click', event => (event.target as HTMLElement).closest('[data-ply]') && this.close(), true);
  }

  /** A key was pressed. Returns true if it is for the exercises. */
  key(name: string): boolean {
    if (!this.drill) return false;
    if (name === 'Escape') this.close();
    else return this.drill.key(name) || name.startsWith('Arrow');
    return true;
  }

  get isOpen(): boolean {
    return this.drill !== null;
  }

  private open(): void {
    if (this.drill) return;
    this.drill = new YourTurn(this.exercises, this.players, () => this.close());
    this.game.replaceWith(this.drill.place);
    this.article.classList.add('with-drill');
    this.drill.arrived();
  }

  private close(): void {
    if (!this.drill) return;
    this.drill.close();
    this.drill.place.replaceWith(this.game);
    this.drill = null;
    this.article.classList.remove('with-drill');
    this.returned();
    this.article.querySelector<HTMLElement>('.your-turn')?.focus();
  }
}
