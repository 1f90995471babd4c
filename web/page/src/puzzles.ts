// Puzzles: positions in which one move wins, and the player looks for it.

import { element } from '../../report/src/elements';
import { Drill, press } from './drill';
import type { Move, Puzzle, Rules, Side } from './rules';
import { nameOfSide } from './sides';
import { type Progress, loadProgress, saveProgress } from './store';

/** By so many Elo the next puzzles are harder after a solution, and easier after a failure. */
const STEP = 75;
const EASIEST = 400;
const HARDEST = 2600;
/** Milliseconds before the reply to a right move. */
const REPLY_WAIT = 500;

export class Puzzles extends Drill {
  private readonly choice = element('select');
  private kept: Record<string, Progress> = {};
  private puzzles: Puzzle[] = [];
  private puzzle: Puzzle | null = null;
  /** The puzzles that have been on the board: the others come first. */
  private readonly shown = new Set<string>();
  /** How the puzzle went is kept. */
  private isFinished = false;
  /** The moves that are played, in SAN. */
  private played: string[] = [];

  constructor(private readonly rules: Rules, variant: string, leave: () => void) {
    super('Show the solution');
    const withPuzzles = rules.games.filter(({ name }) => rules.puzzles(name).length > 0);
    for (const { name, title } of withPuzzles) this.choice.append(element('option', { value: name }, title));
    this.choice.addEventListener('change', () => this.open(this.choice.value));
    this.panel.append(
      element('label', { class: 'field' }, element('span', {}, 'Puzzles of'), this.choice),
      element('div', { class: 'actions' }, this.hintButton, this.answerButton),
      element('section', { class: 'coach', 'aria-label': 'Puzzle' }, this.status, this.about),
      element('div', { class: 'actions' }, press('Next puzzle', () => this.next(), 'main'), press('Back to the game', leave)),
    );
    const names = withPuzzles.map(({ name }) => name);
    this.open(names.includes(variant) ? variant : names[0]);
  }

  override key(name: string): boolean {
    if (name !== 'n') return super.key(name);
    this.next();
    return true;
  }

  private get progress(): Progress {
    return (this.kept[this.variant] ??= { level: EASIEST, solved: [], failed: 0 });
  }

  private isSolved(puzzle: Puzzle): boolean {
    return this.progress.solved.includes(idOf(puzzle));
  }

  protected get solver(): Side {
    return this.record.start.turn;
  }

  private open(variant: string): void {
    this.giveUp();
    this.variant = this.choice.value = variant;
    this.puzzles = this.rules.puzzles(variant);
    this.puzzle = null;
    this.next();
  }

  /** A puzzle that the player leaves after a wrong move or a hint is a failure. */
  private giveUp(): void {
    if (this.puzzle && this.hasFailed && !this.isFinished) this.finish();
  }

  override close(): void {
    this.giveUp();
    super.close();
  }

  /** Sets up the open puzzle that fits the player best; when all are solved, they begin anew. */
  private next(): void {
    this.giveUp();
    this.kept = loadProgress();
    const { progress } = this;
    const distance = (puzzle: Puzzle) => Math.abs(puzzle.rating - progress.level);
    const open = this.puzzles.filter(puzzle => !this.isSolved(puzzle));
    if (open.length === 0) {
      progress.solved = [];
      progress.level = EASIEST;
      saveProgress(this.kept);
      open.push(...this.puzzles);
    }
    const isNew = (puzzle: Puzzle) => !this.shown.has(`${this.variant} ${idOf(puzzle)}`);
    if (!open.some(isNew)) this.shown.clear();
    const others = open.filter(puzzle => puzzle !== this.puzzle && isNew(puzzle));
    this.puzzle = (others.length ? others : open).reduce((best, puzzle) => (distance(puzzle) < distance(best) ? puzzle : best));
    this.shown.add(`${this.variant} ${idOf(this.puzzle)}`);
    this.hasFailed = this.isOver = this.isFinished = false;
    this.hints = 0;
    this.tries += 1;
    this.play([]);
    this.forgetStatus();
    this.show(`Find the move that wins for ${nameOfSide(this.solver)}.`);
  }

  private play(moves: string[]): void {
    this.played = moves;
    this.record = this.rules.record(this.variant, this.puzzle!.fen, moves);
  }

  /** The player tries a legal move. One that wins the game at once is right, too. */
  protected try(move: Move): void {
    const { solution } = this.puzzle!;
    const number = (this.tries += 1);
    const before = this.played;
    const wanted = this.wanted();
    this.play([...before, move.text]);
    const wins = this.record.outcome?.result === (this.solver === 'white' ? '1-0' : '0-1');
    if (move.text !== wanted?.text && !wins) {
      this.play(before);
      this.hasFailed = true;
      this.board.redraw();
      return this.show(`${move.san} is not the move. Try again.`);
    }
    if (wins || this.played.length === solution.length) return this.solved();
    const reply = solution[this.played.length];
    this.isOver = true;
    this.show(`${move.san} is right.`);
    setTimeout(() => {
      if (number !== this.tries) return;
      this.isOver = false;
      this.hints = 0;
      this.play([...solution.slice(0, before.length + 1), reply]);
      this.show(`${move.san} is right. The reply is ${reply}. Go on.`);
    }, REPLY_WAIT);
  }

  protected wanted(): Move | undefined {
    const san = this.puzzle!.solution[this.played.length];
    return this.record.legal.find(move => move.san === san);
  }

  private solved(): void {
    const themes = this.puzzle!.themes.join(', ');
    this.finish();
    this.show(`Solved${themes && `: ${themes}`}.`);
  }

  /** The puzzle is over: keeps how it went. */
  private finish(): void {
    // Another page may have gone on meanwhile.
    this.kept = loadProgress();
    const { progress } = this;
    this.isOver = this.isFinished = true;
    if (this.hasFailed) progress.failed += 1;
    else if (!this.isSolved(this.puzzle!)) progress.solved.push(idOf(this.puzzle!));
    const level = progress.level + (this.hasFailed ? -STEP : STEP);
    progress.level = Math.max(EASIEST, Math.min(HARDEST, level));
    saveProgress(this.kept);
  }

  protected showAnswer(): void {
    const { solution } = this.puzzle!;
    const rest = solution.slice(this.played.length).join(' ');
    this.hasFailed = true;
    this.play(solution);
    this.finish();
    this.show(`The solution: ${rest}.`);
  }

  protected override show(text: string): void {
    super.show(text);
    // Puzzles that were solved may have been dropped from the page since.
    const solved = this.puzzles.filter(puzzle => this.isSolved(puzzle)).length;
    this.about.textContent = `About ${this.puzzle!.rating} Elo. Solved ${solved} of ${this.puzzles.length}, failed ${this.progress.failed}.`;
  }
}

/** The men on the board tell puzzles apart. */
const idOf = (puzzle: Puzzle) => puzzle.fen.split(' ')[0];
