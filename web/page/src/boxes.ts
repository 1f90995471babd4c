// When exercises come again: boxes as Sebastian Leitner used them. Whoever finds the move at once moves the exercise
// one box on; whoever does not puts it back into the first one.

import { type Exercise, type Repetition, loadExercises, loadStandings, saveExercises, saveStandings } from './store';

/** How many days an exercise rests in each box. After the last one it is known. */
const DAYS = [0, 1, 3, 7, 21, 60];
/** More are not kept; of those that are known best, the oldest goes first. */
const MOST = 300;

export class Boxes {
  /** Another page may change them: they are read again before each change. */
  private kept = loadExercises();

  get count(): number {
    return this.kept.length;
  }

  /** The exercises that are due, those from the first boxes first. */
  due(): Exercise[] {
    const today = dayIn(0);
    return this.kept.filter(exercise => exercise.due <= today).sort((a, b) => a.box - b.box);
  }

  /** The player has done an exercise. Only those that were failed at some time are kept. */
  note(exercise: Exercise, wasFound: boolean): void {
    this.kept = loadExercises();
    const old = this.kept.find(other => isSame(other, exercise));
    const others = this.kept.filter(other => other !== old);
    if (!wasFound) {
      this.kept = withRoom([...others, { ...exercise, box: 0, due: dayIn(0) }]);
    } else if (old && old.due <= dayIn(0)) {
      const box = old.box + 1;
      const again: Repetition[] = isKnown(box) ? [] : [{ ...old, box, due: dayIn(DAYS[box]) }];
      this.kept = [...others, ...again];
    }
    saveExercises(this.kept);
  }

  /** An exercise that cannot be shown. */
  drop(exercise: Exercise): void {
    this.kept = loadExercises().filter(other => !isSame(other, exercise));
    saveExercises(this.kept);
  }

  forget(): void {
    this.kept = [];
    saveExercises([]);
  }
}

/** The newest stands last. */
function withRoom(exercises: Repetition[]): Repetition[] {
  const kept = [...exercises];
  while (kept.length > MOST) {
    const last = Math.max(...kept.map(({ box }) => box));
    kept.splice(kept.findIndex(({ box }) => box === last), 1);
  }
  return kept;
}

/** How many exercises are remembered: a browser may keep those of several files in one place. */
const MOST_STANDINGS = 2000;

/** When the exercises of a file come again. All are due at first; the file has them, the browser keeps only where each one stands. */
export class Schedule {
  /** Another page may change them: they are read again before each change. */
  private kept = loadStandings();

  /** The exercises that are due, in their order; those that were failed last come first. */
  due<E extends Exercise>(exercises: E[]): E[] {
    const today = dayIn(0);
    const standing = (exercise: E) => this.kept[nameOf(exercise)];
    const isDue = (exercise: E) => {
      const { box, due } = standing(exercise) ?? { box: 0, due: '' };
      return !isKnown(box) && due <= today;
    };
    const rank = (exercise: E) => (standing(exercise)?.box === 0 ? 0 : 1);
    return exercises.filter(isDue).sort((a, b) => rank(a) - rank(b));
  }

  /** The player has done an exercise. */
  note(exercise: Exercise, wasFound: boolean): void {
    const name = nameOf(exercise);
    this.kept = loadStandings();
    const old = this.kept[name];
    if (wasFound && old && (isKnown(old.box) || old.due > dayIn(0))) return;
    const box = wasFound ? (old?.box ?? 0) + 1 : 0;
    delete this.kept[name];
    this.kept[name] = { box, due: dayIn(DAYS[box] ?? 0) };
    const names = Object.keys(this.kept);
    for (const other of names.slice(0, Math.max(0, names.length - MOST_STANDINGS))) delete this.kept[other];
    saveStandings(this.kept);
  }

  /** Was one of these exercises done? */
  has(exercises: Exercise[]): boolean {
    return exercises.some(exercise => nameOf(exercise) in this.kept);
  }

  forget(exercises: Exercise[]): void {
    this.kept = loadStandings();
    for (const exercise of exercises) delete this.kept[nameOf(exercise)];
    saveStandings(this.kept);
  }
}

const isKnown = (box: number) => box >= DAYS.length;

const nameOf = ({ variant, fen, lead }: Exercise) => `${variant}|${fen}|${lead}`;

const isSame = (a: Exercise, b: Exercise) => a.variant === b.variant && a.fen === b.fen && a.lead === b.lead;

/** The day in so many days, `2024-05-31`. */
export function dayIn(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
