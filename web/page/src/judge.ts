// Judges moves: a worker of its own asks the coach. It rests while the page is hidden.

import { Engine, Stopped } from './engine';
import { Refusal, type Verdict } from './rules';

/** The end of a game: the last move is the one to judge. */
export interface Judged {
  variant: string;
  fen: string;
  moves: string[];
  /** Is a hint for the better move wanted, too? */
  hint?: boolean;
}

export class Judge {
  private readonly engine: Engine;
  /** How often somebody has stopped. */
  private stops = 0;
  private readonly hide = () => document.hidden && this.engine.stop();

  constructor(module: WebAssembly.Module, source: string) {
    const nothing = () => {};
    this.engine = new Engine(module, source, { reply: nothing, progress: nothing, failed: nothing });
    document.addEventListener('visibilitychange', this.hide);
  }

  /** The coach's verdict. Fails with `Stopped`, or with the reason why there is none. */
  async judge(asked: Judged): Promise<Verdict> {
    const { stops } = this;
    for (;;) {
      await shown();
      if (stops !== this.stops) throw new Stopped();
      try {
        const answer = (await this.engine.review(JSON.stringify(asked))) as Verdict | { error: string };
        if ('error' in answer) throw new Refusal(answer.error);
        return answer;
      } catch (error) {
        // A hidden page has stopped it: it begins anew.
        if (!(error instanceof Stopped) || stops !== this.stops) throw error;
      }
    }
  }

  stop(): void {
    this.stops += 1;
    this.engine.stop();
  }

  close(): void {
    this.stop();
    document.removeEventListener('visibilitychange', this.hide);
  }
}

/** Waits until the page can be seen. */
function shown(): Promise<void> {
  return new Promise(go => {
    if (!document.hidden) return go();
    const look = () => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      go();
    };
    document.addEventListener('visibilitychange', look);
  });
}
