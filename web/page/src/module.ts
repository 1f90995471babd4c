// The WebAssembly module of the engine (`web/engine`) as functions that take and return texts.

interface Exports {
  memory: WebAssembly.Memory;
  input(len: number): number;
  output(): number;
  start(seed: bigint): void;
  say(): number;
  games(): number;
  position(): number;
  puzzles(): number;
  review(): number;
  decode(): number;
  list_pgn(): number;
  read_pgn(): number;
  write_pgn(): number;
  bench(game: number, depth: number): bigint;
}

/** What the module asks of its surroundings. */
export interface Surroundings {
  /** The session says a line. */
  reply(line: string): void;
  /** A running search has a new thinking line. */
  progress(line: string): void;
}

type Question = 'games' | 'position' | 'puzzles' | 'review' | 'decode' | 'list_pgn' | 'read_pgn' | 'write_pgn';

export class EngineModule {
  private constructor(private readonly exports: Exports) {}

  static async of(module: WebAssembly.Module, surroundings: Surroundings): Promise<EngineModule> {
    const text = (at: number, len: number) => new TextDecoder().decode(new Uint8Array(made.exports.memory.buffer, at, len));
    const page = {
      reply: (at: number, len: number) => surroundings.reply(text(at, len)),
      progress: (at: number, len: number) => surroundings.progress(text(at, len)),
      now: () => performance.now(),
    };
    const instance = await WebAssembly.instantiate(module, { page });
    const made = new EngineModule(instance.exports as unknown as Exports);
    return made;
  }

  /** Starts the session. */
  start(seed: bigint): void {
    this.exports.start(seed);
  }

  /** The session handles a line of CECP; its searches run before this returns. */
  say(line: string): void {
    this.write(encoded(line));
    this.exports.say();
  }

  /** Asks a question; the answer is JSON, an object with the key `error` if there is none. */
  ask(question: Question, asked: string | Uint8Array = ''): unknown {
    this.write(typeof asked === 'string' ? encoded(asked) : asked);
    const len = this.exports[question]();
    const bytes = new Uint8Array(this.exports.memory.buffer, this.exports.output(), len);
    return JSON.parse(new TextDecoder().decode(bytes));
  }

  /** The nodes of the bench of a game, by its place in the list of the games. */
  bench(game: number, depth: number): bigint {
    return this.exports.bench(game, depth);
  }

  private write(bytes: Uint8Array): void {
    const at = this.exports.input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }
}

const encoded = (text: string) => new TextEncoder().encode(text);
