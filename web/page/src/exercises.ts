// Exercises, one after the other: the position before a mistake, in which the player looks for a better move. Each
// try gets a verdict with its reason. Where the exercises come from and who judges is for others to say.

import { element } from '../../report/src/elements';
import { Drill, press } from './drill';
import { type GameRecord, type Move, Refusal, type Side, type Verdict } from './rules';
import { nameOfSide } from './sides';
import type { Exercise } from './store';
import { tellAll } from './voice';

/** Milliseconds for which the reply to a mistake stays on the board. */
const REPLY_SHOWN = 1500;

/** How an exercise went: the player found a good move, after a mistake or with a hint, or the answer was shown. */
type Result = 'found' | 'found later' | 'not found';

const MARKS = { found: '✓', 'found later': '(✓)', 'not found': '✗', 'not done': '–' };

export abstract class Exercises<E extends Exercise> extends Drill {
  private readonly remarks = element('div', { class: 'remarks' });
  protected readonly said = element('section', { class: 'coach', 'aria-label': 'Exercise' }, this.status, this.remarks, this.about);
  protected readonly back: HTMLButtonElement;
  private readonly previousButton = press('Previous', () => this.open(this.at - 1));
  private readonly nextButton = press('Next', () => this.next());
  /** Who is to move in the exercise, or at whose side of the board the player sits. */
  protected side: Side = 'white';
  private exercises: E[] = [];
  private results: (Result | undefined)[] = [];
  /** Those with a mistake, a hint or the answer shown. */
  private failed = new Set<E>();
  /** The number of the exercise on the board; less than 0 if there is none. */
  protected at = -1;

  constructor(
    /** The words of the button that leaves. */
    backText: string,
    leave: () => void,
    tag: 'main' | 'section' = 'main',
  ) {
    super('Show the answer', tag);
    this.back = press(backText, leave);
  }

  /** The game from the move that led to the moment, and the player's moves. Fails with a `Refusal` if there is no such game. */
  protected abstract position(exercise: E, moves: string[]): GameRecord;

  /** The verdict on a try. */
  protected abstract judgement(exercise: E, move: Move): Promise<Verdict>;

  /** The name of the exercise's game. */
  protected abstract title(exercise: E): string;

  /** What stands in the place of the exercises when they are done or cannot be shown; the summary leads there. */
  protected abstract begin(): void;

  /** The words of the button in the summary that leads there; empty for none. */
  protected abstract readonly beginText: string;

  /** The player has found a move at once, or has not: the first result counts. */
  protected noted(_exercise: E, _wasFound: boolean): void {}

  /** An exercise cannot be shown. */
  protected unusable(_exercise: E): void {}

  /** What the player is asked. */
  protected question(exercise: E): string {
    return `You played ${exercise.played}${exercise.glyph} Find something better for ${nameOfSide(this.side)}.`;
  }

  /** What to say of exercises that were not found at once; there are so many. */
  protected later(_count: number): string {
    return '';
  }

  /** Shows the position of an exercise before it begins; nobody can move. */
  protected preview(exercise: E): void {
    this.variant = exercise.variant;
    this.record = this.position(exercise, []);
    const { plies, start } = this.record;
    this.side = (plies.at(-1) ?? start).turn;
    this.isOver = true;
    this.bad = null;
  }

  override arrived(): void {
    this.board.redraw();
    this.focus();
  }

  protected get solver(): Side {
    return this.side;
  }

  private get exercise(): E {
    return this.exercises[this.at];
  }

  override key(name: string): boolean {
    const steps: Record<string, HTMLButtonElement> = { ArrowLeft: this.previousButton, ArrowRight: this.nextButton, n: this.nextButton };
    const step = steps[name];
    if (!step?.isConnected) return super.key(name);
    step.click();
    return true;
  }

  protected start(exercises: E[], notice = ''): void {
    this.exercises = exercises;
    this.results = exercises.map(() => undefined);
    this.failed.clear();
    this.resume(0, notice);
  }

  /** Puts one of the exercises on the board, with its buttons beside it. */
  protected resume(at: number, notice = ''): void {
    this.panel.replaceChildren(
      this.said,
      actions(this.hintButton, this.answerButton),
      actions(this.previousButton, this.nextButton),
      actions(this.back),
    );
    this.open(at, notice);
    this.board.focus();
  }

  private open(at: number, notice = ''): void {
    this.at = at;
    this.hints = 0;
    this.tries += 1;
    this.isOver = false;
    const { exercise } = this;
    this.hasFailed = this.failed.has(exercise);
    this.variant = exercise.variant;
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
    this.show(`${notice} ${this.question(exercise)}`.trim());
  }

  /** The exercise on the board cannot be shown: whatever was kept is no exercise. */
  private dropExercise(): void {
    this.unusable(this.exercise);
    this.exercises.splice(this.at, 1);
    this.results.splice(this.at, 1);
    if (this.exercises.length) this.open(Math.min(this.at, this.exercises.length - 1));
    else this.begin();
  }

  private play(moves: string[]): void {
    this.record = this.position(this.exercise, moves);
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
    if (exercise.others.includes(move.san)) return this.right(`${move.san} is good, too.`, this.why(false, move.san));
    this.tell();
    this.show(`${move.san}: the coach looks …`);
    try {
      const said = await this.judgement(exercise, move);
      if (number === this.tries) this.answer(move, said);
    } catch (error) {
      if (number === this.tries) this.again(null, `${move.san} was not judged: ${words(error)}`);
    }
  }

  private answer(move: Move, said: Verdict): void {
    const reason = `${said.verdict}. ${said.punishment ?? ''}`;
    if (said.is_mistake) this.wrong(move, reason, said.reply ?? '');
    else if (said.is_bad) this.again(move, 'Close, but there is something better. Try again.', reason);
    else this.right(`${said.verdict}.`, this.why(false, move.san));
  }

  /** A mistake: the reply to it is shown, and then the player tries again. */
  private wrong(move: Move, reason: string, reply: string): void {
    const text = 'Not that one. Try again.';
    const { tries } = this;
    this.fail();
    this.isOver = true;
    this.play(reply ? [move.text, reply] : [move.text]);
    this.show(text);
    this.tell(sentence(reason.trim()));
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
    this.show(text);
    this.tell(sentence(reason.trim()));
  }

  private right(text: string, why: string[]): void {
    this.isOver = true;
    this.note(this.hasFailed ? 'found later' : 'found');
    this.show('Right!');
    this.tell(text, ...why);
  }

  protected showAnswer(): void {
    this.fail();
    this.isOver = true;
    this.bad = null;
    this.note('not found');
    this.play([this.exercise.best]);
    this.show(`The answer is ${this.exercise.best}.`);
    this.tell(...this.why(true));
  }

  /** Why the coach's move is better, if there is a reason in words. */
  private reason(): string {
    const { best, reasons } = this.exercise;
    return reasons.length ? `${best} ${reasons.join(', ')}.` : '';
  }

  /** Why the coach's move is better, and what was wrong with the one in the game. */
  private why(isOnBoard = false, found = ''): string[] {
    const { best, line, verdict, punishment } = this.exercise;
    const others = this.exercise.others.filter(san => san !== found);
    return [
      this.reason() || (isOnBoard ? '' : `The coach’s move is ${best}.`),
      line.length > 1 ? `It might go on: ${line.join(' ')}.` : '',
      others.length ? `Good, too: ${others.join(', ')}.` : '',
      `In the game: ${sentence(`${verdict}. ${punishment}`.trim())}`,
    ];
  }

  /** The player has not found the move alone: the exercise comes again. */
  private fail(): void {
    if (!this.hasFailed && !this.results[this.at]) this.noted(this.exercise, false);
    this.hasFailed = true;
    this.failed.add(this.exercise);
  }

  /** The first result counts. */
  private note(result: Result): void {
    if (this.results[this.at]) return;
    this.results[this.at] = result;
    if (result === 'found') this.noted(this.exercise, true);
  }

  private next(): void {
    if (this.at + 1 < this.exercises.length) this.open(this.at + 1);
    else this.sum();
  }

  /** How it went. */
  private sum(): void {
    const { exercises, results } = this;
    const count = (wanted: Result) => results.filter(result => result === wanted).length;
    const later = count('found later');
    const open = exercises.filter((exercise, index) => this.failed.has(exercise) && results[index] !== 'found').length;
    const list = element('ol', { class: 'results' });
    exercises.forEach(({ number, played, glyph, best }, index) => {
      const result = results[index];
      const mark = element('span', { class: 'mark', 'aria-hidden': 'true' }, MARKS[result ?? 'not done']);
      const text = `${number}. ${played}${glyph}${result ? `, better ${best}` : ''}`;
      const line = element('button', { type: 'button' }, mark, element('span', {}, text), element('span', { class: 'about' }, result ?? 'not done'));
      line.addEventListener('click', () => this.resume(index));
      list.append(element('li', {}, line));
    });
    const again = exercises.filter((_, index) => results[index] !== 'found');
    this.tries += 1;
    this.isOver = true;
    this.show(`${count('found') + later} of ${exercises.length} found.`);
    this.tell(
      later ? `${later} of them after a mistake or with a hint.` : '',
      open ? this.later(open) : '',
    );
    this.about.textContent = '';
    this.panel.replaceChildren(
      this.said,
      ...(again.length ? [actions(press(`Repeat ${many(again.length, 'exercise')}`, () => this.start(again), 'main'))] : []),
      list,
      actions(...(this.beginText ? [press(this.beginText, () => this.begin())] : []), this.back),
    );
    this.focus();
  }

  /** The panel has new buttons: the keyboard goes on at the most important one. */
  protected focus(): void {
    this.panel.querySelector<HTMLElement>('button.main')?.focus({ preventScroll: true });
  }

  /** Shows remarks beneath the status, a paragraph each. */
  protected tell(...texts: string[]): void {
    const kind = (text: string) => (/^\S+\?/.test(text) ? 'remark bad' : 'remark');
    tellAll(this.remarks, texts.filter(text => text), kind);
  }

  protected override show(text: string): void {
    super.show(text);
    if (this.at < 0) return;
    const { exercise } = this;
    const { state } = this.record.plies.at(-1) ?? this.record.start;
    this.about.textContent = `Exercise ${this.at + 1} of ${this.exercises.length}. ${this.title(exercise)}, move ${exercise.number}.${state ? ` ${state}.` : ''}`;
    this.board.keepFocus(() => {
      this.previousButton.disabled = this.at === 0;
    });
    this.nextButton.textContent = this.at + 1 < this.exercises.length ? 'Next' : 'Summary';
    this.nextButton.classList.toggle('main', this.results[this.at] !== undefined);
  }
}

export const sentence = (text: string) => (!text || /[.!?]$/.test(text) ? text : `${text}.`);
export const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
export const actions = (...buttons: HTMLElement[]) => element('div', { class: 'actions' }, ...buttons);
export const words = (error: unknown) => sentence(error instanceof Error ? error.message : String(error));
