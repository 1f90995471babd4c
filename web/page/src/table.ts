// The table: the game, its clocks, and the talk with the engine, without anything that is drawn.

import { dayIn } from './boxes';
import { Engine } from './engine';
import type { Step } from './moments';
import { type GameRecord, type Move, Refusal, type Rules, type Side, type Verdict } from './rules';
import { nameOfSide, other } from './sides';
import { FIRST, type State, load, save } from './store';

/** The engine's answer is not shown sooner, in milliseconds. */
const LEAST_WAIT = 400;

/** Longer side lines are cut where they are shown, in characters. */
const MOST_OF_LINES = 400;

/** The signs that PGN writes as numbers, such as `$2`. */
const SIGNS = ['', '!', '?', '!!', '??', '!?', '?!'];

const win = (side: Side) => (side === 'white' ? '1-0' : '0-1');

/** A line of an analysis. */
export interface Analysis {
  depth: number;
  /** In centipawns, from the side to move. */
  score: number;
  moves: string[];
}

export class Table {
  state: State = load();
  record: GameRecord;
  /** The number of moves before the position that is shown. */
  at: number;
  /** What the coach says besides its verdicts, a paragraph each. */
  private besides: string[] = [];
  /** The coach's last hint or message, which stands alone. */
  private told = '';
  arrow: Move | null = null;
  analysis: Analysis | null = null;
  isAnalysing = false;
  /** An offer of a draw that stands, or the player's last one, which the engine has declined. */
  drawOffer: 'player' | 'engine' | 'declined' | null = null;
  /** The number of moves before the player's offer. */
  private offeredAt = 0;
  /** The number of moves before the position in which the player asked for a hint. */
  private hintedAt = -1;
  /** The number of the line that asked for it. */
  private hintLine = 0;
  /** The page tells what went wrong. */
  trouble = '';
  private latest: Analysis | null = null;
  /** The engine's move is shown when this timer ends; 0 if there is none. */
  private moveTimer = 0;
  private tick = performance.now();
  /** When the player has moved. */
  private movedAt = 0;
  /** The number of the lines before the player's move: when the engine has answered them, it hears the move. */
  private heardAfter = 0;
  private isResting = false;
  /** The times of both sides when a position came on the board, by the number of moves before it. */
  private timesAt: Record<Side, number>[] = [];
  private readonly engine: Engine;

  constructor(
    readonly rules: Rules,
    module: WebAssembly.Module,
    source: string,
    private readonly changed: () => void,
    /** A clock runs. */
    private readonly ticked: () => void,
  ) {
    this.engine = new Engine(module, source, {
      reply: line => this.reply(line),
      progress: line => this.progress(line),
      failed: () => {
        this.trouble = `The engine has broken down. “${this.lastDecision < 0 ? 'New game' : 'Take back'}” starts it again.`;
        this.changed();
      },
    });
    try {
      this.record = this.play(this.state);
    } catch {
      // The settings stay.
      const { level, coach, heat, sound } = this.state;
      this.state = { ...structuredClone(FIRST), level, coach, heat, sound };
      this.record = this.play(this.state);
    }
    this.at = this.state.moves.length;
    setInterval(() => this.runClock(), 200);
  }

  /** What is said of the position that is shown, a paragraph each, the most important one first. */
  get remarks(): string[] {
    const { state, at } = this;
    const isLast = at === state.moves.length;
    if (this.told && isLast) return [this.told];
    if (state.players || !isLast) return [...this.comment(at), sideLines(state.lines[at - 1])];
    return state.coach && !this.isAnalysing ? [...this.verdict, ...this.besides] : [];
  }

  /** The verdict on the player's last move, a paragraph each. It stays until the player moves again. */
  private get verdict(): string[] {
    const { moves, player } = this.state;
    const isAnswered = moves.length > 0 && this.turn === player;
    return this.comment(isAnswered ? moves.length - 1 : moves.length);
  }

  /** What is said of a move, by the number of moves after it: of the coach's words each sentence is a paragraph. */
  private comment(count: number): string[] {
    const text = this.state.comments[count] ?? '';
    return this.isFromText(count - 1) ? [text] : paragraphs(text);
  }

  /** How the game has ended, if it has. */
  get ending() {
    return this.record.outcome ?? this.state.ending;
  }

  get turn(): Side {
    return (this.record.plies.at(-1) ?? this.record.start).turn;
  }

  get isPlayersTurn(): boolean {
    return !this.ending && this.turn === this.state.player;
  }

  get isThinking(): boolean {
    return !this.ending && !this.isPlayersTurn;
  }

  /** Can the engine be told to move at once? */
  get canHurry(): boolean {
    return this.isThinking && this.latest !== null;
  }

  /** Begins a game, at a start position or at a FEN. Throws a `Refusal` if that is no position. */
  begin(wanted: Partial<State>): void {
    const notes = { glyphs: {}, comments: {}, marks: {}, lines: {} };
    const empty = { ...notes, moves: [], date: '', ending: null, players: null, fromText: 0, tags: [] };
    const state: State = { ...this.state, ...empty, ...wanted };
    const starts = this.rules.games.find(game => game.name === state.variant)?.starts ?? 1;
    const number = Math.floor(Math.random() * starts);
    const record = this.rules.record(state.variant, state.fen, state.moves, number);
    if (starts > 1 && !state.fen) state.fen = record.start.fen;
    this.state = state;
    this.record = record;
    this.clearRemarks();
    this.drawOffer = null;
    this.at = state.moves.length;
    this.timesAt = [];
    this.noteTimes();
    this.synchronise();
  }

  /** The legal move that a text means: SAN, also with a small letter, or squares. Throws a `Refusal` if there is none. */
  written(text: string): Move {
    const { variant, fen, moves } = this.state;
    const man = text.replace(/^[a-z]/, letter => letter.toUpperCase());
    // `b` may be a file or a bishop.
    const texts = /^[nrqk]/.test(text) ? [man] : text.startsWith('b') ? [text, man] : [text];
    let refusal: unknown;
    for (const written of texts) {
      try {
        return this.rules.record(variant, fen, [...moves, written]).plies[moves.length];
      } catch (error) {
        refusal ??= error;
      }
    }
    throw refusal;
  }

  /** The player makes a legal move. */
  move(move: Move): void {
    this.clearRemarks();
    this.own();
    if (!this.add(move.text)) return;
    this.movedAt = performance.now();
    if (this.isAnalysing || !this.engine.isRunning) {
      this.isAnalysing = false;
      return this.synchronise();
    }
    if (!this.ending) {
      const { clock, player } = this.state;
      // The engine may still be speaking of the position before.
      this.heardAfter = this.engine.say();
      const times = clock ? [`time ${centis(clock[other(player)])}`, `otim ${centis(clock[player])}`] : [];
      this.engine.say(...times, `usermove ${move.text}`);
    } else if (this.state.coach) {
      this.engine.say(`usermove ${move.text}`);
    }
    this.changed();
  }

  /** Whose game it is: in one from a text, of the side that is nearer on the board. */
  get owner(): Side {
    const { players, player, isFlipped } = this.state;
    if (!players) return player;
    return isFlipped ? 'black' : 'white';
  }

  /** The number of moves before the last decision of the player; less than 0 if there was none. */
  get lastDecision(): number {
    const { owner } = this;
    let count = this.state.moves.length - 1;
    while (count >= 0 && this.placeAt(count).turn !== owner) count--;
    return count;
  }

  /** Takes back to the player's last decision. */
  takeBack(): void {
    const { lastDecision: count, owner: player } = this;
    if (count < 0) return;
    const until = (last: number, notes: Record<number, string>) =>
      Object.fromEntries(Object.entries(notes).filter(([number]) => Number(number) <= last));
    const { clock, glyphs, comments, marks, lines } = this.state;
    const notes = {
      glyphs: until(count - 1, glyphs),
      comments: until(count, comments),
      marks: until(count, marks),
      lines: until(count - 1, lines),
    };
    const moves = this.state.moves.slice(0, count);
    const then = this.timesAt[count];
    // Where the times are not known any more, a game that was lost on time goes on without a clock.
    const remaining = clock && clock.white > 0 && clock.black > 0 ? clock : null;
    this.own();
    const fromText = Math.min(this.state.fromText, count);
    const times = clock && then ? { ...clock, ...then } : remaining;
    this.state = { ...this.state, ...notes, moves, fromText, player, ending: null, clock: times };
    this.record = this.play(this.state);
    this.at = count;
    this.clearRemarks();
    this.drawOffer = null;
    this.synchronise();
  }

  hint(): void {
    if (!this.isPlayersTurn || this.isAnalysing) return;
    if (!this.engine.isRunning) this.synchronise();
    this.hintedAt = this.state.moves.length;
    this.hintLine = this.engine.say('hint');
  }

  resign(): void {
    this.own();
    const { player } = this.state;
    this.end({ result: win(other(player)), words: `${nameOfSide(player)} resigns` });
  }

  offerDraw(): void {
    if (this.drawOffer === 'engine') return this.agree();
    if (this.isAnalysing || !this.engine.isRunning) return;
    this.own();
    this.drawOffer = 'player';
    this.offeredAt = this.state.moves.length;
    this.engine.say('draw');
    this.changed();
  }

  /** The engine plays the best move that it has found. */
  hurry(): void {
    const text = this.latest?.moves[0];
    const move = this.record.legal.find(legal => legal.text === text);
    if (!move || !this.isThinking) return;
    this.engine.stop();
    if (this.add(move.text)) this.synchronise();
  }

  analyse(isWanted: boolean): void {
    this.isAnalysing = isWanted;
    this.synchronise();
  }

  /** Shows another position of the game. */
  go(ply: number): void {
    const at = Math.max(0, Math.min(this.state.moves.length, ply));
    if (at === this.at) return;
    this.at = at;
    this.arrow = null;
    if (this.isAnalysing) this.analyse(true);
    else this.changed();
  }

  set(wanted: Partial<State>): void {
    const hasCoach = wanted.coach !== undefined && wanted.coach !== this.state.coach;
    this.state = { ...this.state, ...wanted };
    if (hasCoach && this.engine.isRunning) this.engine.say(`option Coach=${Number(this.state.coach)}`);
    this.changed();
  }

  /** A move of the game was judged. What a text says of it stays, and so does the same verdict. */
  note({ ply, verdict }: Pick<Step, 'ply' | 'verdict'>): void {
    const { glyphs, comments } = this.state;
    const isFromText = this.isFromText(ply);
    const has = { glyph: glyphs[ply] ?? '', comment: comments[ply + 1] ?? '' };
    if (isFromText ? has.glyph : has.comment && has.glyph === verdict.glyph) return;
    glyphs[ply] = verdict.glyph;
    // Of the moves of a text, only what is bad is worth a word.
    if (isFromText && (has.comment || !verdict.is_bad)) return save(this.state);
    comments[ply + 1] = [verdict.verdict, verdict.punishment, verdict.advice].filter(text => text).join('. ');
    save(this.state);
  }

  /** The page is hidden or shown: the engine and the clocks rest while it is hidden. */
  rest(isHidden: boolean): void {
    if (isHidden) {
      this.runClock();
      this.isResting = true;
      if (this.engine.isBusy || this.isAnalysing || this.moveTimer) {
        this.isAnalysing = false;
        this.engine.stop();
        this.forgetAnswer();
      }
      save(this.state);
    } else if (this.isResting) {
      this.isResting = false;
      this.tick = performance.now();
      if (!this.engine.isRunning) this.synchronise();
    }
  }

  /** Tells the engine where the game stands, and whose move it is. */
  synchronise(): void {
    if (this.engine.isBusy) this.engine.stop();
    this.forgetAnswer();
    this.latest = this.analysis = null;
    this.trouble = '';
    const { state } = this;
    const lines = [
      // In an analysis, `new` would search the start position.
      'exit',
      'new',
      `variant ${state.variant}`,
      `option Level=${state.level}`,
      `option Coach=${Number(state.coach)}`,
      ...this.times(),
      'force',
    ];
    if (this.isAnalysing) {
      if (this.canBeAnalysed) lines.push(`setboard ${this.placeAt(this.at).fen}`, 'analyze');
    } else {
      if (state.fen) lines.push(`setboard ${state.fen}`);
      const moves = state.moves.map(text => `usermove ${text}`);
      // The coach judges a move that the engine may answer.
      const last = this.isJudgedNow ? moves.splice(-1) : [];
      lines.push(...moves);
      if (last.length) lines.push('playother', ...last);
      else if (!this.ending) lines.push(this.isPlayersTurn ? 'playother' : 'go');
      lines.push(...this.offerAgain());
    }
    this.engine.say(...lines);
    this.judgeLater();
    this.changed();
  }

  /** Can the position that is shown be set up? Where a king has exploded it cannot. */
  private get canBeAnalysed(): boolean {
    try {
      this.rules.record(this.state.variant, this.placeAt(this.at).fen, []);
      return true;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return false;
    }
  }

  /** The engine that begins anew has not heard of the player's offer of a draw. */
  private offerAgain(): string[] {
    if (this.drawOffer !== 'player' || this.ending) return [];
    this.offeredAt = this.state.moves.length;
    return ['draw'];
  }

  /** The last decision of the player, if it was not judged before the engine was stopped. */
  private judgeLater(): void {
    const { state, lastDecision: ply } = this;
    const { variant, fen, moves, comments, coach } = state;
    if (ply < 0 || !coach || this.isFromText(ply) || this.isAnalysing || this.isJudgedNow || comments[ply + 1]) return;
    const isStill = () => this.state.comments === comments;
    const noted = (verdict: unknown) => {
      if (!isStill() || typeof verdict !== 'object' || verdict === null || 'error' in verdict) return;
      this.note({ ply, verdict: verdict as Verdict });
      this.changed();
    };
    // Whoever stops the engine asks again.
    this.engine.review(JSON.stringify({ variant, fen, moves: moves.slice(0, ply + 1) })).then(noted, () => {});
  }

  placeAt(ply: number) {
    return ply ? this.record.plies[ply - 1] : this.record.start;
  }

  /** Is the last move the player's, in a game that did not end off the board? */
  private get isJudgedNow(): boolean {
    const { moves, player, players, ending } = this.state;
    return moves.length > 0 && !players && !ending && this.placeAt(moves.length - 1).turn === player;
  }

  /** The player goes on with a game from a text: now it is the player's own. */
  private own(): void {
    const { players, moves } = this.state;
    const begun = players && { date: dayIn(0), fromText: moves.length };
    this.state = { ...this.state, ...begun, players: null, tags: [] };
  }

  /** Does the move, by its number from 0, come from a text? */
  isFromText(ply: number): boolean {
    const { players, fromText } = this.state;
    return players !== null || ply < fromText;
  }

  private times(): string[] {
    const { clock, player } = this.state;
    // The levels below Master end by the positions that they look at. The coach judges in a part of this time.
    if (!clock) return [`st ${this.state.level === 'Master' ? 2 : 12}`];
    const [minutes, seconds] = [Math.floor(clock.base / 60000), Math.round((clock.base % 60000) / 1000)];
    return [
      `level 0 ${minutes}:${String(seconds).padStart(2, '0')} ${clock.increment / 1000}`,
      `time ${centis(clock[other(player)])}`,
      `otim ${centis(clock[player])}`,
    ];
  }

  private play(state: State): GameRecord {
    return this.rules.record(state.variant, state.fen, state.moves);
  }

  /** Adds a legal move to the game, unless the mover's time is up: then returns false. */
  private add(text: string): boolean {
    const mover = this.turn;
    this.runClock();
    if (this.ending) return false;
    this.answerOffer(mover);
    const { clock, moves, date } = this.state;
    if (clock && moves.length > 0) clock[mover] += clock.increment;
    const isAtEnd = this.at === moves.length;
    this.state = { ...this.state, moves: [...moves, text], date: moves.length ? date : dayIn(0) };
    this.record = this.play(this.state);
    this.noteTimes();
    if (isAtEnd) this.at = this.state.moves.length;
    this.arrow = null;
    this.latest = null;
    save(this.state);
    return true;
  }

  /** With its next move a side declines a draw that it was offered. */
  private answerOffer(mover: Side): void {
    const { drawOffer, offeredAt } = this;
    const { player, moves } = this.state;
    if (mover === player) this.drawOffer = drawOffer === 'player' ? drawOffer : null;
    // While it thought, it did not hear the offer.
    else if (drawOffer === 'player' && offeredAt < moves.length) this.drawOffer = 'declined';
  }

  private noteTimes(): void {
    const { clock, moves } = this.state;
    if (clock) this.timesAt[moves.length] = { white: clock.white, black: clock.black };
  }

  private end(ending: { result: string; words: string }): void {
    if (this.ending) return;
    this.engine.stop();
    this.forgetAnswer();
    this.clearHint();
    this.state = { ...this.state, ending };
    this.synchronise();
  }

  private agree(): void {
    this.end({ result: '1/2-1/2', words: 'Draw by agreement' });
  }

  private clearRemarks(): void {
    this.besides = [];
    this.clearHint();
  }

  private clearHint(): void {
    this.told = '';
    this.arrow = null;
  }

  private reply(line: string): void {
    const [word] = line.split(' ', 1);
    const rest = line.slice(word.length + 1);
    if (this.isLateHint(word)) return;
    switch (word) {
      case 'move':
        return this.answer(rest);
      case 'tellothers':
        this.judge(rest);
        break;
      case 'telluser':
        this.told = rest;
        break;
      case 'tellusererror':
        this.trouble = rest;
        break;
      case 'Hint:':
        this.hinted(rest);
        break;
      case 'offer':
        if (this.drawOffer === 'player') return this.agree();
        this.drawOffer = 'engine';
        break;
      case 'resign': {
        const side = other(this.state.player);
        return this.end({ result: win(this.state.player), words: `${nameOfSide(side)} resigns` });
      }
      default: {
        // What stands in parentheses are moves of the book.
        const remark = /^\d+ 0 0 0[ \t]([^(].*)$/.exec(line);
        // They come after the engine's move. If the player has moved meanwhile, they are about an old position.
        const isOld = this.isThinking && !this.moveTimer;
        if (remark && !this.isAnalysing && !isOld) this.remark(remark[1]);
      }
    }
    this.changed();
  }

  /** Is it a hint for a position that is no longer the last one? All that the engine tells its user are hints. */
  private isLateHint(word: string): boolean {
    return (word === 'telluser' || word === 'Hint:') && this.hintedAt !== this.state.moves.length;
  }

  /** The engine's move. */
  private answer(text: string): void {
    const wait = Math.max(0, LEAST_WAIT - (performance.now() - this.movedAt));
    this.moveTimer = window.setTimeout(() => {
      this.moveTimer = 0;
      if (!this.isThinking) return;
      try {
        this.add(text);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        this.trouble = `The engine said a move that is not legal: ${text}`;
      }
      this.changed();
    }, wait);
  }

  /** The engine's move that is not shown yet is not made. */
  private forgetAnswer(): void {
    clearTimeout(this.moveTimer);
    this.moveTimer = 0;
  }

  private progress(line: string): void {
    const [head, pv] = line.split('\t');
    const [depth, score] = head.split(' ').map(Number);
    if (!pv) return;
    const found = { depth, score, moves: pv.replace(/[?!]$/, '').trim().split(' ') };
    if (this.isAnalysing) {
      this.analysis = found;
      this.changed();
    } else if (this.engine.current > this.hintLine) {
      // What is found for a hint is not about the engine's move.
      const isFirst = this.latest === null;
      this.latest = found;
      if (isFirst) this.changed();
    }
  }

  /** The coach's verdict on the player's move, with the punishment and the better move. */
  private judge(text: string): void {
    const { moves, glyphs, comments } = this.state;
    comments[moves.length] = text;
    this.besides = [];
    this.told = '';
    const glyph = /^\S*?([!?]{1,2}) /.exec(text);
    glyphs[moves.length - 1] = glyph ? glyph[1] : '';
  }

  /** The engine's hint. If the coach is on, it says why with its next line. */
  private hinted(text: string): void {
    this.arrow = this.record.legal.find(move => move.text === text) ?? null;
    if (this.arrow && !this.state.coach) this.told = `Hint: ${this.arrow.san}`;
  }

  /** A remark of the coach: they come in the order of their importance, the least important first. */
  private remark(text: string): void {
    // The details of the evaluation are for experts.
    if (/^[a-z][a-z -]* [+-]\d/.test(text)) return;
    // The last ones repeat the verdict.
    if (!this.verdict.includes(text)) this.besides.unshift(text);
  }

  /** Takes the time that has passed from the clock that runs. */
  private runClock(): void {
    const now = performance.now();
    const passed = now - this.tick;
    this.tick = now;
    const { clock, moves } = this.state;
    if (!clock || this.isResting || this.ending || moves.length === 0 || this.isAnalysing) return;
    const side = this.turn;
    const hasHeard = !this.engine.isRunning || this.engine.current > this.heardAfter;
    if (side !== this.state.player && !hasHeard) return this.ticked();
    clock[side] = Math.max(0, clock[side] - passed);
    if (clock[side] === 0) this.timeIsUp(side);
    else this.ticked();
  }

  /** Who runs out of time loses, unless the other side could not win any more. */
  private timeIsUp(side: Side): void {
    const [winner, words] = [other(side), `${nameOfSide(side)} has no time left`];
    if (this.record.can_win[winner]) this.end({ result: win(winner), words });
    else this.end({ result: '1/2-1/2', words: `${words}, and ${nameOfSide(winner)} cannot win` });
  }
}

/** A comment, a paragraph for each sentence. */
const paragraphs = (comment: string) => comment.split(/\. (?=[A-Z])/).filter(text => text);

/** Side lines as they are shown: without commands and with signs in the place of numbers, not too long. */
function sideLines(lines = ''): string {
  const readable = lines
    .replace(/\[%[^\]]*\]/g, ' ')
    .replace(/\{\s*\}/g, ' ')
    .replace(/\s\$(\d+)/g, (_, number) => SIGNS[number] ?? '')
    .replace(/\s+/g, ' ')
    .replaceAll(' )', ')');
  const text = readable.length > MOST_OF_LINES ? `${readable.slice(0, MOST_OF_LINES)} …` : readable;
  return text && `Instead: ${text}`;
}

const centis = (millis: number) => Math.round(millis / 10);
