// The sounds: strokes that the browser makes, without files. A browser is silent until its user has done something
// on the page.

import type { Ending, GameRecord } from './rules';

type Sound = 'move' | 'capture' | 'check' | 'end';

/** A stroke: its frequency in hertz, its begin and its length in seconds. */
type Stroke = [frequency: number, begin: number, length: number];

const STROKES: Record<Sound, Stroke[]> = {
  move: [[330, 0, 0.09]],
  capture: [[247, 0, 0.09], [165, 0.06, 0.14]],
  check: [[523, 0, 0.12], [784, 0.1, 0.2]],
  end: [[392, 0, 0.3], [494, 0.16, 0.3], [587, 0.32, 0.7]],
};

const VOLUME = 0.25;
/** An exponential decay does not reach zero. */
const SILENCE = 0.001;

export class Sounds {
  isOn = false;
  private context: AudioContext | null = null;

  play(sound: Sound): void {
    if (!this.isOn || navigator.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    const { context } = this;
    // It sleeps after a while, and until its user has done something.
    void context.resume();
    for (const [frequency, begin, length] of STROKES[sound]) {
      const from = context.currentTime + begin;
      const tone = new OscillatorNode(context, { type: 'triangle', frequency });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(VOLUME, from);
      volume.gain.exponentialRampToValueAtTime(SILENCE, from + length);
      tone.connect(volume).connect(context.destination);
      tone.start(from);
      tone.stop(from + length);
    }
  }
}

/** Makes one board heard, and knows what was heard of it. */
export class Ear {
  /** The position that was heard last. */
  private fen = '';
  private isOver = false;

  constructor(private readonly sounds: Sounds) {}

  /** Tells by ear what has happened since the last time: one move, or two; other games and positions are silent. */
  hear(record: GameRecord, ending: Ending | null): void {
    const fens = [record.start, ...record.plies].map(place => place.fen);
    const before = fens.lastIndexOf(this.fen);
    const moves = before < 0 ? 0 : record.plies.length - before;
    const hasEnded = ending !== null && !this.isOver && before >= 0;
    this.fen = fens[record.plies.length];
    this.isOver = ending !== null;
    if (hasEnded) this.sounds.play('end');
    else if (moves === 1 || moves === 2) this.sounds.play(soundOf(record.plies[record.plies.length - 1]));
  }
}

const soundOf = ({ check, capture }: GameRecord['plies'][number]): Sound => (check ? 'check' : capture ? 'capture' : 'move');
