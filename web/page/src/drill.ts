// What puzzles and exercises share: a position in which the player looks for a move, with a hint in two steps and
// the answer.

import { element } from '../../report/src/elements';
import { Board, nameOf } from './board';
import * as dialogs from './dialogs';
import type { GameRecord, Move, Side } from './rules';
import { speakOf, tell } from './voice';

export abstract class Drill {
  readonly place: HTMLElement;
  protected readonly panel = element('div', { class: 'panel' });
  protected readonly status = element('p', { class: 'status' });
  protected readonly about = element('p', { class: 'about' });
  protected readonly hintButton: HTMLButtonElement;
  protected readonly answerButton: HTMLButtonElement;
  protected readonly board: Board;
  protected variant = '';
  /** The position behind the moves that are played, and the moves that lead to it. */
  protected record!: GameRecord;
  /** A wrong move, a hint or the answer: the player has not found the move alone. */
  protected hasFailed = false;
  protected hints = 0;
  /** No move is looked for: it was found, or the reply to it is awaited. */
  protected isOver = false;
  /** How many tries were made: what comes for an older one comes too late. */
  protected tries = 0;
  /** A bad move to show on the board. */
  protected bad: Move | null = null;
  private listener: (record: GameRecord) => void = () => {};

  /** `tag` is the element that the drill stands in: `main` where it is all of the page. */
  constructor(answer: string, tag: 'main' | 'section' = 'main') {
    this.place = element(tag, { class: 'drill' });
    this.hintButton = press('Hint', () => this.hint());
    this.answerButton = press(answer, () => this.showAnswer());
    const frame = element('div', { class: 'frame' });
    this.place.append(element('div', { class: 'stage' }, frame), this.panel);
    this.board = new Board(frame, moves => this.dropped(moves));
  }

  /** Whose move is looked for. */
  protected abstract get solver(): Side;

  /** The move that is looked for. */
  protected abstract wanted(): Move | undefined;

  /** The player tries a legal move. */
  protected abstract try(move: Move): void | Promise<void>;

  protected abstract showAnswer(): void;

  /** A key was pressed outside the board. Returns true if it means something. */
  key(name: string): boolean {
    if (name !== 'h' || this.hintButton.disabled || !this.hintButton.isConnected) return false;
    this.hint();
    return true;
  }

  /** The drill stands in the document now: the board can be measured, and the keyboard begins there. */
  arrived(): void {
    this.board.redraw();
    this.board.focus();
  }

  /** The page shows something else: nothing goes on, and the drill does not come back. */
  close(): void {
    this.tries += 1;
    this.board.destroy();
  }

  /** `listener` gets every position that is shown, with the moves that lead to it. */
  listen(listener: (record: GameRecord) => void): void {
    this.listener = listener;
    listener(this.record);
  }

  /** The first step of a hint. */
  protected clue(move: Move): string {
    const place = move.from ? `on ${move.from}` : 'in your hand';
    const letter = move.drop ?? /^[KQRBN]/.exec(move.san)?.[0] ?? (move.san.startsWith('O') ? 'k' : 'p');
    return `Look at your ${nameOf(letter)} ${place}.`;
  }

  /** First what to look at, then the move. */
  protected hint(): void {
    const move = this.wanted();
    if (!move) return;
    this.hasFailed = true;
    this.hints += 1;
    this.show(this.hints > 1 ? `The move is ${move.san}.` : this.clue(move));
  }

  /** What is shown next is said aloud even if it is the same again. */
  protected forgetStatus(): void {
    this.status.textContent = '';
  }

  protected show(text: string): void {
    const { record } = this;
    const last = record.plies.at(-1) ?? null;
    const place = last ?? record.start;
    const isPlayers = !this.isOver && place.turn === this.solver;
    speakOf(this.variant);
    this.board.show({
      variant: this.variant,
      place,
      lastMove: last,
      legal: isPlayers ? record.legal : [],
      mover: isPlayers ? this.solver : null,
      isFlipped: this.solver === 'black',
      heat: [],
      arrow: isPlayers && this.hints > 1 ? (this.wanted() ?? null) : null,
      bad: isPlayers ? this.bad : null,
    });
    tell(this.status, text);
    this.board.keepFocus(() => {
      this.hintButton.disabled = this.answerButton.disabled = !isPlayers;
    });
    this.listener(record);
  }

  /** The player has dropped a man; several moves are promotions. */
  private dropped(moves: Move[]): void {
    const tried = (move: Move | null) => {
      // The man goes back, and what is asked stays.
      if (!move) return this.board.redraw();
      this.forgetStatus();
      void this.try(move);
    };
    if (moves.length > 1) dialogs.promotion(moves, this.solver, tried);
    else tried(moves[0] ?? null);
  }
}

export function press(text: string, action: () => void, kind = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', class: kind }, text);
  made.addEventListener('click', action);
  return made;
}
