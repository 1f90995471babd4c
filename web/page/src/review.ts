// The review of a game: the coach looks for the moments in which the player lost something, and each becomes an
// exercise. Those that were failed come again.

import { element } from '../../report/src/elements';
import { Boxes } from './boxes';
import * as dialogs from './dialogs';
import { Drill, press } from './drill';
import { Stopped } from './engine';
import type { Judge } from './judge';
import { type Game, type Step, moments, movesOf } from './moments';
import { type Move, Refusal, type Rules, type Side, type Verdict } from './rules';
import type { Exercise } from './store';

/** Milliseconds for which the reply to a mistake stays on the board. */
const REPLY_SHOWN = 1500;

/** How an exercise went: the player found a good move, after a mistake or with a hint, or the answer was shown. */
type Result = 'found' | 'found later' | 'not found';

const MARKS = { found: '✓', 'found later': '(✓)', 'not found': '✗', 'not done': '–' };

const nameOfSide = (side: Side) => (side === 'white' ? 'White' : 'Black');
const sentence = (text: string) => (!text || /[.!?]$/.test(text) ? text : `${text}.`);
const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

export class Review extends Drill {
  private readonly boxes = new Boxes();
  private readonly remarks = element('div', { class: 'remarks', 'aria-live': 'polite' });
  private readonly said = element('section', { class: 'coach', 'aria-label': 'Review' }, this.status, this.remarks, this.about);
  private readonly back: HTMLButtonElement;
  private readonly previousButton = press('Previous', () => this.open(this.at - 1));
  private readonly nextButton = press('Next', () => this.next());
  /** Who is to move in the exercise, or at whose side of the board the player sits. */
  private side: Side;
  private exercises: Exercise[] = [];
  private results: (Result | undefined)[] = [];
  /** The number of the exercise on the board. */
  private at = -1;
  /** The moves before the exercise's moment. */
  private lead: string[] = [];
  /** How many tries were made: a verdict on an older one comes too late. */
  private tries = 0;

  constructor(
    rules: Rules,
    private readonly judge: Judge,
    private readonly game: Game,
    /** Whose moves are reviewed. */
    private player: Side,
    /** The coach has judged a move of the game. */
    private readonly judged: (step: Step) => void,
    leave: () => void,
  ) {
    super(rules, 'Show the answer');
    this.side = player;
    this.back = press('Back to the game', leave);
    this.begin();
  }

  protected get solver(): Side {
    return this.side;
  }

  private get exercise(): Exercise {
    return this.exercises[this.at];
  }

  override close(): void {
    this.judge.close();
  }

  override key(name: string): boolean {
    const steps: Record<string, HTMLButtonElement> = { ArrowLeft: this.previousButton, ArrowRight: this.nextButton, n: this.nextButton };
    const step = steps[name];
    if (!step?.isConnected) return super.key(name);
    step.click();
    return true;
  }

  /** What can be done: a review of the game, or the exercises that are due. */
  private begin(text = ''): void {
    const { game } = this;
    this.at = -1;
    this.tries += 1;
    const due = this.boxes.due();
    const side = element('select');
    const tell = () => (this.about.textContent = this.aboutMoves());
    for (const name of ['white', 'black'] as const) side.append(element('option', { value: name }, nameOfSide(name)));
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
      ? `The coach looks at ${many(count, 'move')}. Each one that lost 10% of the winning chances or more becomes an exercise.`
      : 'Play a game, or open one under PGN: then the coach can look for your mistakes in it.';
    const waiting = boxes.count - boxes.due().length;
    return waiting ? `${searched} ${many(waiting, 'exercise')} will be due on a later day.` : searched;
  }

  private forget(): void {
    dialogs.confirm('Forget all exercises?', 'Forget them', () => {
      this.boxes.forget();
      this.begin('All exercises are forgotten.');
    });
  }

  /** Looks for the moments of the game. What was found before a stop is kept. */
  async search(): Promise<void> {
    const { game, player } = this;
    const count = movesOf(game, player).length;
    const bar = element('progress', { max: String(count), value: '0', 'aria-label': 'Moves that the coach has looked at' });
    this.panel.replaceChildren(this.said, bar, actions(press('Stop', () => this.judge.stop(), 'main')), actions(this.back));
    const found: Exercise[] = [];
    let done = 0;
    const tell = () => (this.about.textContent = `Move ${Math.min(done + 1, count)} of ${count}. Found: ${many(found.length, 'exercise')}.`);
    this.showGame(0, `Looking for mistakes of ${nameOfSide(player)} …`);
    tell();
    this.focus();
    let trouble = '';
    try {
      for await (const step of moments(this.judge, game, player)) {
        this.judged(step);
        if (step.exercise) found.push(step.exercise);
        bar.value = done += 1;
        this.showGame(step.ply + 1, this.status.textContent ?? '');
        tell();
      }
    } catch (error) {
      trouble = error instanceof Stopped ? `Stopped after ${many(done, 'move')}.` : `The review ended after ${many(done, 'move')}: ${words(error)}`;
    }
    if (found.length) return this.start(found, trouble);
    this.begin(trouble ? `${trouble} No mistake was found.` : `${nameOfSide(player)} made no mistake in ${many(count, 'move')}.`);
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

  private start(exercises: Exercise[], notice = ''): void {
    this.exercises = exercises;
    this.results = exercises.map(() => undefined);
    this.panel.replaceChildren(
      this.said,
      actions(this.hintButton, this.answerButton),
      actions(this.previousButton, this.nextButton),
      actions(this.back),
    );
    this.open(0, notice);
    this.board.place.focus({ preventScroll: true });
  }

  private open(at: number, notice = ''): void {
    this.at = at;
    this.hints = 0;
    this.tries += 1;
    this.hasFailed = this.isOver = false;
    const { exercise } = this;
    this.variant = exercise.variant;
    this.lead = exercise.lead ? [exercise.lead] : [];
    try {
      this.play([]);
      const { plies, start, legal } = this.record;
      this.side = (plies.at(-1) ?? start).turn;
      this.bad = legal.find(move => move.san === exercise.played) ?? null;
      if (!this.wanted()) throw new Refusal('its move is not legal');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return this.dropExercise();
    }
    this.tell();
    this.show(`${notice} You played ${exercise.played}${exercise.glyph} Find something better for ${nameOfSide(this.side)}.`.trim());
  }

  /** The exercise on the board cannot be shown: whatever the browser has kept is no exercise. */
  private dropExercise(): void {
    this.boxes.drop(this.exercise);
    this.exercises.splice(this.at, 1);
    this.results.splice(this.at, 1);
    if (this.exercises.length) this.open(Math.min(this.at, this.exercises.length - 1));
    else this.begin();
  }

  private play(moves: string[]): void {
    this.record = this.rules.record(this.variant, this.exercise.fen, [...this.lead, ...moves]);
  }

  protected wanted(): Move | undefined {
    return this.record.legal.find(move => move.san === this.exercise.best);
  }

  protected override clue(move: Move): string {
    return this.exercise.clue ? sentence(this.exercise.clue) : super.clue(move);
  }

  protected override hint(): void {
    this.fail();
    super.hint();
    this.tell(this.hints > 1 ? this.reason() : '');
  }

  /** The player tries a move: the coach judges it, unless it is known already. */
  protected async try(move: Move): Promise<void> {
    const { exercise } = this;
    const number = (this.tries += 1);
    if (move.san === exercise.played) return this.wrong(move, `${exercise.verdict}. ${exercise.punishment}`, exercise.reply);
    this.isOver = true;
    this.bad = null;
    this.play([move.text]);
    if (move.san === exercise.best) return this.right('', this.why(true));
    if (exercise.others.includes(move.san)) return this.right(`${move.san} is good, too.`, this.why());
    this.tell();
    this.show(`${move.san}: the coach looks …`);
    try {
      const said = await this.judge.judge({ variant: this.variant, fen: exercise.fen, moves: [...this.lead, move.text] });
      if (number === this.tries) this.answer(move, said);
    } catch (error) {
      if (number === this.tries) this.again(null, `${move.san} was not judged: ${words(error)}`);
    }
  }

  private answer(move: Move, said: Verdict): void {
    const reason = `${said.verdict}. ${said.punishment ?? ''}`;
    if (said.is_mistake) this.wrong(move, reason, said.reply ?? '');
    else if (said.is_bad) this.again(move, 'Close, but there is something better. Try again.', reason);
    else this.right(`${said.verdict}.`, this.why());
  }

  /** A mistake: the reply to it is shown, and then the player tries again. */
  private wrong(move: Move, reason: string, reply: string): void {
    const text = 'Not that one. Try again.';
    const { tries } = this;
    this.fail();
    this.isOver = true;
    this.play(reply ? [move.text, reply] : [move.text]);
    this.tell(sentence(reason.trim()));
    this.show(text);
    setTimeout(() => {
      if (tries === this.tries) this.again(move, text, reason);
    }, REPLY_SHOWN);
  }

  /** The position before the moment again. */
  private again(bad: Move | null, text: string, reason = ''): void {
    this.isOver = false;
    this.bad = bad;
    this.play([]);
    this.board.redraw();
    this.tell(sentence(reason.trim()));
    this.show(text);
  }

  private right(text: string, why: string[]): void {
    this.isOver = true;
    this.note(this.hasFailed ? 'found later' : 'found');
    this.tell(text, ...why);
    this.show('Right!');
  }

  protected showAnswer(): void {
    this.fail();
    this.isOver = true;
    this.bad = null;
    this.note('not found');
    this.play([this.exercise.best]);
    this.tell(...this.why(true));
    this.show(`The answer is ${this.exercise.best}.`);
  }

  /** Why the coach's move is better, if there is a reason in words. */
  private reason(): string {
    const { best, reasons } = this.exercise;
    return reasons.length ? `${best} ${reasons.join(', ')}.` : '';
  }

  /** Why the coach's move is better, and what was wrong with the one in the game. */
  private why(isOnBoard = false): string[] {
    const { best, line, others, verdict, punishment } = this.exercise;
    return [
      this.reason() || (isOnBoard ? '' : `The coach’s move is ${best}.`),
      line.length > 1 ? `It might go on: ${line.join(' ')}.` : '',
      others.length ? `Good, too: ${others.join(', ')}.` : '',
      `In the game: ${sentence(`${verdict}. ${punishment}`.trim())}`,
    ];
  }

  /** The player has not found the move alone: the exercise comes again. */
  private fail(): void {
    if (!this.hasFailed && !this.results[this.at]) this.boxes.note(this.exercise, false);
    this.hasFailed = true;
  }

  /** The first result counts. */
  private note(result: Result): void {
    if (this.results[this.at]) return;
    this.results[this.at] = result;
    if (result === 'found') this.boxes.note(this.exercise, true);
  }

  private next(): void {
    if (this.at + 1 < this.exercises.length) this.open(this.at + 1);
    else this.sum();
  }

  /** How it went. */
  private sum(): void {
    const { exercises, results } = this;
    const count = (wanted: Result) => results.filter(result => result === wanted).length;
    const [later, missed] = [count('found later'), count('not found')];
    const list = element('ol', { class: 'results' });
    exercises.forEach(({ number, played, glyph, best }, index) => {
      const result = results[index];
      const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[result ?? 'not done']);
      const text = `${number}. ${played}${glyph}${result ? `, better ${best}` : ''}`;
      const line = element('button', { type: 'button' }, mark, element('span', {}, text), element('span', { class: 'about' }, result ?? 'not done'));
      line.addEventListener('click', () => {
        const before = this.results;
        this.start(exercises);
        this.results = before;
        this.open(index);
      });
      list.append(element('li', {}, line));
    });
    const again = exercises.filter((_, index) => results[index] !== 'found');
    this.tries += 1;
    this.isOver = true;
    this.show(`${count('found') + later} of ${exercises.length} found.`);
    this.tell(
      later ? `${later} of them after a mistake or with a hint.` : '',
      later + missed ? `What you did not find at once comes again: ${many(later + missed, 'exercise')}.` : '',
    );
    this.about.textContent = '';
    this.panel.replaceChildren(
      this.said,
      ...(again.length ? [actions(press(`Repeat ${many(again.length, 'exercise')}`, () => this.start(again), 'main'))] : []),
      list,
      actions(press('Back to the review', () => this.begin()), this.back),
    );
    this.focus();
  }

  /** The panel has new buttons: the keyboard goes on at the most important one. */
  private focus(): void {
    this.panel.querySelector<HTMLElement>('button.main')?.focus({ preventScroll: true });
  }

  /** Shows remarks beneath the status, a paragraph each. */
  private tell(...texts: string[]): void {
    const kind = (text: string) => (/^\S+\?/.test(text) ? 'remark bad' : 'remark');
    const wanted = texts.filter(text => text);
    // What stands there already is not read aloud again.
    if (wanted.join('\n') === [...this.remarks.children].map(child => child.textContent).join('\n')) return;
    this.remarks.replaceChildren(...wanted.map(text => element('p', { class: kind(text) }, text)));
  }

  protected override show(text: string): void {
    super.show(text);
    if (this.at < 0) return;
    const { exercise } = this;
    this.about.textContent = `Exercise ${this.at + 1} of ${this.exercises.length}. ${this.rules.title(exercise.variant)}, move ${exercise.number}.`;
    this.previousButton.disabled = this.at === 0;
    this.nextButton.textContent = this.at + 1 < this.exercises.length ? 'Next' : 'Summary';
    this.nextButton.classList.toggle('main', this.results[this.at] !== undefined);
  }
}

const actions = (...buttons: HTMLElement[]) => element('div', { class: 'actions' }, ...buttons);

const words = (error: unknown) => sentence(error instanceof Stopped ? 'the engine was stopped' : error instanceof Error ? error.message : String(error));
