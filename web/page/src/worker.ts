// The worker: a session of the engine. It gets the module and a seed once, then lines of CECP
// and moves to judge.

import { EngineModule } from './module';

/** What the page sends. */
export type ToWorker = { module: WebAssembly.Module; seed: bigint } | { line: string } | { review: string };
/** What the worker sends. */
export type FromWorker = { reply: string } | { progress: string } | { answer: unknown } | { failed: true };

const scope = self as unknown as { onmessage: unknown; postMessage(message: FromWorker): void };

let engine: Promise<EngineModule> | null = null;

async function handle(data: ToWorker): Promise<void> {
  if ('module' in data) {
    engine = EngineModule.of(data.module, {
      reply: reply => scope.postMessage({ reply }),
      progress: progress => scope.postMessage({ progress }),
    });
    (await engine).start(data.seed);
  } else if (engine && 'review' in data) {
    scope.postMessage({ answer: (await engine).ask('review', data.review) });
  } else if (engine && 'line' in data) {
    (await engine).say(data.line);
  }
}

// What goes wrong while something is awaited would not reach the page by itself.
scope.onmessage = ({ data }: MessageEvent<ToWorker>) =>
  handle(data).catch(() => scope.postMessage({ failed: true }));
