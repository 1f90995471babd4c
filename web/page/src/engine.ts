// The page's side of the worker. A search cannot hear the page while it runs: to stop it, the page ends the
// worker and starts another one.

import type { FromWorker, ToWorker } from './worker';

export interface Listener {
  reply(line: string): void;
  progress(line: string): void;
  /** The worker has broken down. */
  failed(): void;
}

/** The worker was stopped before it answered. */
export class Stopped extends Error {
  constructor() {
    super('the engine was stopped');
  }
}

interface Asked {
  answer(answer: unknown): void;
  refuse(error: Error): void;
}

export class Engine {
  private worker: Worker | null = null;
  private pings = 0;
  private pongs = 0;
  /** Questions without an answer: answers come in their order. */
  private asked: Asked[] = [];

  constructor(
    private readonly module: WebAssembly.Module,
    private readonly source: string,
    private readonly listener: Listener,
  ) {}

  /** Does the engine still work on a line or on a question? */
  get isBusy(): boolean {
    return this.pongs < this.pings || this.asked.length > 0;
  }

  /** The number of the lines that the engine works on: what it says belongs to them. */
  get current(): number {
    return this.pongs + 1;
  }

  /** Is there a worker, which knows the game? */
  get isRunning(): boolean {
    return this.worker !== null;
  }

  /** Ends the worker, whatever it does. */
  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.pongs = this.pings;
    for (const { refuse } of this.asked.splice(0)) refuse(new Stopped());
  }

  /** Asks for the coach's verdict on a move, as a request in JSON. Fails with `Stopped`, or if the worker breaks down. */
  review(request: string): Promise<unknown> {
    const worker = this.worker ?? this.launch();
    return new Promise((answer, refuse) => {
      this.asked.push({ answer, refuse });
      this.post(worker, { review: request });
    });
  }

  /** Sends lines; starts a worker if there is none. Returns their number, which no other lines have. */
  say(...lines: string[]): number {
    const worker = this.worker ?? this.launch();
    for (const line of [...lines, `ping ${++this.pings}`]) this.post(worker, { line });
    return this.pings;
  }

  private launch(): Worker {
    const address = URL.createObjectURL(new Blob([this.source], { type: 'text/javascript' }));
    const worker = new Worker(address);
    this.worker = worker;
    const failed = () => {
      if (worker !== this.worker) return;
      for (const { refuse } of this.asked.splice(0)) refuse(new Error('The engine has broken down.'));
      this.stop();
      this.listener.failed();
    };
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (worker !== this.worker) return;
      URL.revokeObjectURL(address);
      if ('failed' in data) return failed();
      if ('answer' in data) return this.asked.shift()?.answer(data.answer);
      if ('progress' in data) return this.listener.progress(data.progress);
      if (data.reply.startsWith('pong ')) this.pongs = Number(data.reply.slice(5));
      this.listener.reply(data.reply);
    };
    worker.onerror = failed;
    worker.onmessageerror = failed;
    const seed = BigInt(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER));
    this.post(worker, { module: this.module, seed });
    for (const line of ['xboard', 'protover 2', 'post', 'easy']) this.post(worker, { line });
    return worker;
  }

  private post(worker: Worker, message: ToWorker): void {
    worker.postMessage(message);
  }
}
