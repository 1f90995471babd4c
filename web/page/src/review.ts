// The review of a game: the coach looks for the moments in which the player lost something, and each becomes an
// exercise. Those that were failed come again.

import { element } from '../../report/src/elements';
import { Boxes } from './boxes';
import * as dialogs from './dialogs';
import { press } from './drill';
import { Stopped } from './engine';
import { Exercises, actions, many, words } from './exercises';
import type { Judge } from './judge';
import { type Game, type Step, moments, movesOf } from './moments';
import type { GameRecord, Move, Rules, Side, Verdict } from './rules';
import { nameOfSide, shortened, withSide } from './sides';
import type { Exercise } from './store';

export class Review extends Exercises<Exercise> {
  protected readonly beginText = 'Back to the review';
  private readonly boxes = new Boxes();

  constructor(
    private readonly rules: Rules,
    private readonly judge: Judge,
    private readonly game: Game,
    /** Whose moves are reviewed. */
    private player: Side,
    /** The coach has judged a move of the game. */
    private readonly judged: (step: Step) => void,
    leave: () => void,
  ) {
    super('Back to the game', leave);
    this.side = player;
    this.begin();
  }

  override close(): void {
    super.close();
    this.judge.close();
  }

  protected position({ variant, fen, lead }: Exercise, moves: string[]): GameRecord {
    return this.rules.record(variant, fen, lead ? [lead, ...moves] : moves);
  }

  protected judgement({ variant, fen, lead }: Exercise, { text }: Move): Promise<Verdict> {
    return this.judge.judge({ variant, fen, moves: lead ? [lead, text] : [text] });
  }

  protected title({ variant }: Exercise): string {
    return this.rules.title(variant);
  }

  protected override noted(exercise: Exercise, wasFound: boolean): void {
    this.boxes.note(exercise, wasFound);
  }

  protected override unusable(exercise: Exercise): void {
    this.boxes.drop(exercise);
  }

  protected override later(count: number): string {
    return `What you did not find at once comes again: ${many(count, 'exercise')}.`;
  }

  /** What can be done: a review of the game, or the exercises that are due. */
  protected begin(text = ''): void {
    const { game } = this;
    this.at = -1;
    this.tries += 1;
    const due = this.boxes.due();
    const side = element('select');
    const tell = () => (this.about.textContent = this.aboutMoves());
    for (const name of ['white', 'black'] as const) side.append(element('option', { value: name }, this.nameOf(name)));
    side.value = this.player;
    side.addEventListener('change', () => {
      this.player = side.value as Side;
      this.showGame(game.moves.length, this.status.textContent ?? '');
      tell();
    });
    const hasMoves = game.moves.length > 0;
    this.panel.replaceChildren(
      this.said,
      ...(hasMoves ? [element('label', { class: 'field' }, element('span', {}, 'Moves of'), side)] : []),
      ...(hasMoves ? [actions(press('Review this game', () => void this.search(), 'main'))] : []),
      ...(due.length ? [actions(press(`Repeat ${many(due.length, 'exercise')}`, () => this.start(due), hasMoves ? '' : 'main'))] : []),
      ...(this.boxes.count ? [actions(press('Forget all exercises', () => this.forget()))] : []),
      actions(this.back),
    );
    const withoutMoves = due.length ? `Due today: ${many(due.length, 'exercise')}.` : 'This game has no moves yet.';
    const first = hasMoves ? 'Find the moves that you could have played better.' : withoutMoves;
    this.tell();
    this.showGame(game.moves.length, text || first);
    tell();
    this.focus();
  }

  private aboutMoves(): string {
    const { boxes, game } = this;
    const count = movesOf(game, this.player).length;
    const searched = game.moves.length
      ? `The coach looks at ${many(count, 'move')}. Each one that missed a win, or lost 10% of the winning chances or more, becomes an exercise.`
      : 'Play a game, or open one under PGN: then the coach can look for your mistakes in it.';
    const waiting = boxes.count - boxes.due().length;
    return waiting ? `${searched} ${many(waiting, 'exercise')} will be due on a later day.` : searched;
  }

  private nameOf(side: Side): string {
    return withSide(shortened(this.game.players?.[side] ?? '') || nameOfSide(side), side);
  }

  private forget(): void {
    dialogs.confirm('Forget all exercises?', 'Forget them', () => {
      this.boxes.forget();
      this.begin('All exercises are forgotten.');
    });
  }

  /** Looks for the moments of the game. What was found before a stop is kept. */
  async search(): Promise<void> {
    const { game, player, tries } = this;
    const count = movesOf(game, player).length;
    const bar = element('progress', { max: String(count), value: '0', 'aria-label': 'Moves that the coach has looked at' });
    this.panel.replaceChildren(this.said, bar, actions(press('Stop', () => this.judge.stop(), 'main')), actions(this.back));
    const found: Exercise[] = [];
    let done = 0;
    let inaccurate = 0;
    const tell = () => (this.about.textContent = `Move ${Math.min(done + 1, count)} of ${count}. Found: ${many(found.length, 'exercise')}.`);
    this.showGame(0, `Looking for mistakes of ${this.nameOf(player)} …`);
    tell();
    this.focus();
    let trouble = '';
    try {
      for await (const step of moments(this.judge, game, player)) {
        this.judged(step);
        if (step.exercise) found.push(step.exercise);
        else if (step.verdict.is_bad) inaccurate += 1;
        bar.value = done += 1;
        this.showGame(step.ply + 1, this.status.textContent ?? '');
        tell();
      }
    } catch (error) {
      trouble = error instanceof Stopped ? `Stopped after ${many(done, 'move')}.` : `The review ended after ${many(done, 'move')}: ${words(error)}`;
    }
    if (tries !== this.tries) return;
    if (found.length) return this.start(found, trouble);
    const none = trouble ? `${trouble} No mistake was found.` : `${this.nameOf(player)} made no mistake in ${many(count, 'move')}.`;
    this.begin(inaccurate ? `${none} The list of moves marks ${many(inaccurate, 'move')} as inaccurate.` : none);
  }

  private showGame(ply: number, text: string): void {
    const { variant, fen, moves } = this.game;
    this.variant = variant;
    this.side = this.player;
    this.isOver = true;
    this.bad = null;
    this.record = this.rules.record(variant, fen, moves.slice(0, ply));
    this.show(text);
  }
}
