// The page of `trebuchet exercises`: the mistakes of a player in many games, sorted by what went wrong. What was found
// comes again after days, and what was not found stays due.

import { Schedule } from '../../page/src/boxes';
import * as dialogs from '../../page/src/dialogs';
import { press } from '../../page/src/drill';
import { actions, many } from '../../page/src/exercises';
import { element, isCommand } from './elements';
import { type Stored, StoredExercises, completed } from './stored';

/** How many exercises are done in a row. */
const ROW = 10;

interface Topic {
  id: string;
  name: string;
}

interface Mistake extends Stored {
  /** What went wrong: a topic. */
  topic: string;
  /** The game in which it was made. */
  source: string;
}

/** What the page holds. The exercises that cost most come first. */
interface Data {
  topics: Topic[];
  exercises: Partial<Mistake>[];
}

class Training extends StoredExercises<Mistake> {
  protected readonly beginText = '';
  private readonly schedule = new Schedule();
  private readonly choice = element('select');
  private readonly field = element('label', { class: 'field' }, element('span', {}, 'What went wrong'), this.choice);
  private readonly exercises_: Mistake[];
  /** How many exercises that were not due were begun: the next row begins after them. */
  private practised = 0;

  constructor(private readonly data: Data) {
    super('Back to the choice', () => this.begin());
    this.exercises_ = completed<Mistake>(data.exercises);
    this.choice.addEventListener('change', () => {
      this.practised = 0;
      this.begin();
    });
    this.begin();
  }

  protected override noted(exercise: Mistake, wasFound: boolean): void {
    this.schedule.note(exercise, wasFound);
  }

  protected override later(count: number): string {
    return `What you did not find at once stays due: ${many(count, 'exercise')}.`;
  }

  protected override title({ title, source }: Mistake): string {
    return `${source}: ${title}`;
  }

  /** While an exercise is on the board, it has all of the page. */
  protected override resume(at: number, notice = ''): void {
    document.body.classList.add('exercising');
    super.resume(at, notice);
    scrollTo(0, 0);
  }

  protected begin(): void {
    document.body.classList.remove('exercising');
    this.at = -1;
    this.tries += 1;
    const { schedule } = this;
    const of = (topic: string) => this.exercises_.filter(exercise => !topic || exercise.topic === topic);
    const due = (topic: string) => schedule.due(of(topic));
    const chosen = this.choice.value;
    const option = ({ id, name }: Topic) => element('option', { value: id }, `${name}: ${due(id).length} due of ${of(id).length}`);
    const topics = this.data.topics.filter(({ id }) => of(id).length);
    this.choice.replaceChildren(...[{ id: '', name: 'All' }, ...topics].map(option));
    this.choice.value = chosen;
    const open = due(chosen);
    const all = of(chosen);
    const first = this.practised % all.length;
    const next = (open.length ? open : [...all.slice(first), ...all.slice(0, first)]).slice(0, ROW);
    const text = open.length ? `Start: ${many(next.length, 'exercise')}` : `Practise all the same: ${many(next.length, 'exercise')}`;
    // Whoever chooses stays at the choice.
    const isChoosing = document.activeElement === this.choice;
    if (!this.field.isConnected) this.panel.replaceChildren(this.said, this.field);
    while (this.field.nextSibling) this.field.nextSibling.remove();
    this.panel.append(
      actions(press(text, () => this.startRow(next, open.length > 0), 'main')),
      ...(schedule.has(this.exercises_) ? [actions(press('Begin anew with all', () => this.forget()))] : []),
    );
    this.preview(next[0]);
    this.tell();
    this.about.textContent = 'What you find at once comes again after 1, 3, 7, 21 and 60 days, and is known then.';
    this.show(open.length ? `${many(due('').length, 'exercise')} due today.` : 'Nothing is due today here.');
    if (!isChoosing) this.focus();
  }

  private startRow(row: Mistake[], isDue: boolean): void {
    if (!isDue) this.practised += row.length;
    this.start(row);
  }

  private forget(): void {
    dialogs.confirm('Begin anew with all exercises?', 'Begin anew', () => {
      this.schedule.forget(this.exercises_);
      this.begin();
    });
  }
}

/** Puts the exercises into their place, if the page has some. */
export function startTraining(text: string): void {
  const data: Data = JSON.parse(text);
  const place = document.querySelector<HTMLElement>('.training');
  if (!place || !data.exercises.length) return;
  const training = new Training(data);
  place.replaceChildren(training.place);
  training.arrived();
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    if (!isCommand(event) || document.querySelector('dialog[open]')) return;
    if (target.closest('input, select') || (event.key.startsWith('Arrow') && target.closest('.board'))) return;
    if (training.key(event.key)) event.preventDefault();
  });
}
