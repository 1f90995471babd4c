// When exercises come again: boxes as Sebastian Leitner used them. Whoever finds the move at once moves the exercise
// one box on; whoever does not puts it back into the first one.

import { type Exercise, type Repetition, loadExercises, saveExercises } from './store';

/** So many days an exercise rests in each box. After the last one it is known. */
const DAYS = [0, 1, 3, 7, 21, 60];
/** More are not kept; the ones that are known best go first. */
const MOST = 300;

export class Boxes {
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
    const old = this.kept.find(other => isSame(other, exercise));
    const others = this.kept.filter(other => other !== old);
    if (!wasFound) {
      this.kept = [...others, { ...exercise, box: 0, due: dayIn(0) }];
    } else if (old && old.due <= dayIn(0)) {
      const box = old.box + 1;
      const again: Repetition[] = box < DAYS.length ? [{ ...old, box, due: dayIn(DAYS[box]) }] : [];
      this.kept = [...others, ...again];
    }
    if (this.kept.length > MOST) this.kept = this.kept.sort((a, b) => a.box - b.box).slice(0, MOST);
    saveExercises(this.kept);
  }

  /** An exercise that cannot be shown. */
  drop(exercise: Exercise): void {
    this.kept = this.kept.filter(other => !isSame(other, exercise));
    saveExercises(this.kept);
  }

  forget(): void {
    this.kept = [];
    saveExercises([]);
  }
}

const isSame = (a: Exercise, b: Exercise) => a.variant === b.variant && a.fen === b.fen && a.lead === b.lead;

/** The day in so many days, `2024-05-31`. */
export function dayIn(days: number): string {
  const date = new Date();
  date.setDate(date.getDate() + days);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => String(part).padStart(2, '0')).join('-');
}
