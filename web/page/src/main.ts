// The page: builds its parts and shows the table whenever it changes.

import { BACK, FIRST, FLIP, FORWARD, LAST, button, element, isCommand } from '../../report/src/elements';
import { Board } from './board';
import { Boxes, dayIn } from './boxes';
import * as dialogs from './dialogs';
import { type Drill, press } from './drill';
import { Judge } from './judge';
import { EngineModule } from './module';
import { Moves } from './moves';
import { Players, YOU, nameOf } from './players';
import { Puzzles } from './puzzles';
import { Review } from './review';
import { type GameRecord, type Move, Refusal, Rules, type Side } from './rules';
import { nameOfSide } from './sides';
import { Ear, Sounds } from './sounds';
import { type State, save } from './store';
import { Table } from './table';
import { say, speakOf, tell, tellAll, voice, write } from './voice';
import { refusal } from './windows';

const SPEAKER = 'M4 9h4l5-4v14l-5-4H4z';
/** Beside the speaker: waves, or a cross. */
const WAVES = 'M16 9v6M20 6v12';
const CROSS = 'M16 9l5 6M21 9l-5 6';

/** From this heat on, a square is worth a word. */
const HOT = 40;

/** The text of an element that the build has put into the page. */
const embedded = (id: string) => document.getElementById(id)!.textContent!.trim();

/** The module, which stands in the page as base64 of deflated bytes. */
async function compile(): Promise<WebAssembly.Module> {
  const bytes = Uint8Array.from(atob(embedded('module')), letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return WebAssembly.compile(await new Response(stream).arrayBuffer());
}

class Page {
  private readonly table: Table;
  private readonly board: Board;
  private readonly status = element('p', { class: 'status' });
  private readonly coach = element('div', { class: 'remarks' });
  private readonly moves = new Moves();
  private readonly title = element('h1');
  private readonly players = new Players();
  private readonly hot = element('p', { class: 'hot' });
  private readonly analysis = element('p', { class: 'analysis' });
  /** Why a typed move is not played, and where the game stood then. */
  private readonly problem = element('p', { class: 'problem' });
  private refusedIn: Pick<Table, 'record' | 'ending'> | null = null;
  private readonly actions: Record<'back' | 'hint' | 'hurry' | 'draw' | 'resign' | 'review', HTMLButtonElement>;
  private readonly switches: Record<'coach' | 'heat' | 'analyse', HTMLInputElement>;
  private readonly sounds = new Sounds();
  /** For the board of the game. */
  private readonly ear = new Ear(this.sounds);
  private readonly soundButton = button('Sound', SPEAKER, () => this.switchSound());
  private readonly game: HTMLElement;
  /** The number of moves before the position of which the remarks tell. */
  private toldAt = 0;
  /** What stands in the place of the game. */
  private drill: Drill | null = null;
  /** The worker's script. */
  private readonly source = embedded('worker');
  private readonly puzzlesButton = press('Puzzles', () => this.openPuzzles());
  private readonly reviewButton = press('Review', () => this.openReview());

  constructor(rules: Rules, private readonly module: WebAssembly.Module) {
    const table = new Table(rules, module, this.source, () => this.show(), () => this.players.show(table));
    this.table = table;
    this.actions = {
      back: press('Take back', () => table.takeBack()),
      hint: press('Hint', () => table.hint()),
      hurry: press('Move now', () => table.hurry()),
      draw: press('Draw', () => table.offerDraw()),
      resign: press('Resign', () => dialogs.confirm('Give this game up?', 'Resign', () => table.resign())),
      review: press('Review this game', () => this.reviewGame(), 'main'),
    };
    this.switches = {
      coach: this.toggle(on => table.set({ coach: on })),
      heat: this.toggle(on => table.set({ heat: on })),
      analyse: this.toggle(on => table.analyse(on)),
    };
    const boardPlace = element('div', { class: 'frame' });
    const steps = element(
      'div',
      { class: 'controls', role: 'group', 'aria-label': 'Step through the game' },
      button('First position', FIRST, () => table.go(0)),
      button('Back', BACK, () => table.go(table.at - 1), '←'),
      button('Forward', FORWARD, () => table.go(table.at + 1), '→'),
      button('Last position', LAST, () => table.go(Infinity)),
      button('Turn the board', FLIP, () => this.flip(), 'f'),
      this.soundButton,
    );
    const head = element(
      'header',
      { class: 'page-head' },
      this.title,
      press('New game', () => this.newGame(), 'main'),
      this.puzzlesButton,
      this.reviewButton,
      press('PGN', () => this.asText()),
      press('About', () => dialogs.about(), 'about-page'),
    );
    const switches = element(
      'fieldset',
      { class: 'switches' },
      element('legend', {}, 'Help'),
      element('label', {}, this.switches.coach, 'Coach: a word on each of your moves'),
      element('label', {}, this.switches.heat, 'Heat map: squares both sides fight for'),
      this.hot,
      element('label', {}, this.switches.analyse, 'Analysis: the engine’s own line'),
    );
    const side = element(
      'div',
      { class: 'panel' },
      // What has no fixed height comes after the buttons that are pressed often.
      steps,
      element('div', { class: 'actions' }, ...Object.values(this.actions)),
      element('section', { class: 'coach', 'aria-label': 'Coach' }, this.status, this.coach, this.analysis),
      this.moves.list,
      switches,
      this.typed(),
    );
    const stage = element('div', { class: 'stage' }, this.players.above, boardPlace, this.players.below);
    this.game = element('main', {}, stage, side);
    document.body.replaceChildren(head, this.game, voice);
    this.board = new Board(boardPlace, moves => this.played(moves));
    document.addEventListener('keydown', event => this.key(event));
    document.addEventListener('visibilitychange', () => table.rest(document.hidden || this.drill !== null));
    addEventListener('pagehide', () => save(table.state));
    table.synchronise();
    // A browser may open the page where nobody sees it.
    table.rest(document.hidden);
    this.showDue();
  }

  /** The player has dropped a man; several moves are promotions. */
  private played(moves: Move[]): void {
    if (moves.length > 1) {
      const { table } = this;
      const { record } = table;
      dialogs.promotion(moves, table.state.player, move => {
        // Meanwhile the time may be up.
        if (move && table.record === record && !table.ending) table.move(move);
        else this.board.redraw();
      });
    } else if (moves.length === 1) {
      this.table.move(moves[0]);
    } else {
      this.board.redraw();
    }
  }

  /** A field in which moves are typed. */
  private typed(): HTMLElement {
    const field = element('input', { type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Nf3, e2e4 …' });
    const form = element('form', { class: 'typed' }, element('label', { class: 'field' }, element('span', {}, 'Type a move'), field), this.problem);
    field.addEventListener('input', () => write(this.problem, ''));
    form.addEventListener('submit', event => {
      event.preventDefault();
      const text = field.value.trim();
      if (!text) return;
      const problem = this.play(text);
      if (problem) this.refuseTyped(problem);
      else field.value = '';
    });
    return form;
  }

  /** Says why a typed move is not played, also if these words stand there already. */
  private refuseTyped(problem: string): void {
    const { record, ending } = this.table;
    this.refusedIn = { record, ending };
    write(this.problem, '');
    tell(this.problem, problem);
  }

  /** Plays a move that was typed. Returns why that is not possible; nothing if it was played. */
  private play(text: string): string {
    const { table } = this;
    if (!table.isPlayersTurn) return table.ending ? 'The game is over.' : 'It is not your turn.';
    try {
      const move = table.written(text);
      table.go(Infinity);
      table.move(move);
      return '';
    } catch (error) {
      return refusal(error);
    }
  }

  private toggle(changed: (on: boolean) => void): HTMLInputElement {
    const box = element('input', { type: 'checkbox' });
    box.addEventListener('change', () => changed(box.checked));
    return box;
  }

  private openPuzzles(): void {
    if (this.drill instanceof Puzzles) return;
    this.openDrill(new Puzzles(this.table.rules, this.table.state.variant, () => this.closeDrill()));
  }

  private openReview(): Review | null {
    if (this.drill instanceof Review) return null;
    const { table } = this;
    const { variant, fen, moves, players } = table.state;
    const judge = new Judge(this.module, this.source);
    const game = { variant, fen, moves, players, record: table.record };
    const review = new Review(table.rules, judge, game, table.owner, step => table.note(step), () => this.closeDrill());
    this.openDrill(review);
    return review;
  }

  /** Reviews the player's moves at once. In a game from a file it is not known whose they are. */
  private reviewGame(): void {
    const review = this.openReview();
    if (!this.table.state.players) void review?.search();
  }

  /** The game rests while the player does something else. */
  private openDrill(drill: Drill): void {
    this.leaveDrill();
    this.table.rest(true);
    this.drill = drill;
    this.showTitle();
    const ear = new Ear(this.sounds);
    drill.listen(record => ear.hear(record, record.outcome));
    this.game.replaceWith(drill.place);
    drill.arrived();
    (drill instanceof Review ? this.reviewButton : this.puzzlesButton).setAttribute('aria-current', 'page');
  }

  /** Back to the game. */
  private closeDrill(): void {
    const hadFocus = this.leaveDrill();
    if (hadFocus === null) return;
    this.table.rest(document.hidden);
    if (hadFocus) this.board.focus();
    this.sayStatus(() => this.show());
  }

  /** Puts the game in the place of the drill, without a word. Returns whether the drill had the focus; `null` if there is none. */
  private leaveDrill(): boolean | null {
    const { drill } = this;
    if (!drill) return null;
    const hadFocus = drill.place.contains(document.activeElement);
    drill.close();
    drill.place.replaceWith(this.game);
    this.drill = null;
    for (const button of [this.reviewButton, this.puzzlesButton]) button.removeAttribute('aria-current');
    this.showDue();
    return hadFocus;
  }

  /** How many exercises are due. */
  private showDue(): void {
    const due = new Boxes().due().length;
    write(this.reviewButton, due ? `Review (${due > 99 ? '99+' : due})` : 'Review');
    this.reviewButton.title = due ? `Exercises that are due: ${due}` : '';
  }

  private newGame(): void {
    this.closeDrill();
    dialogs.newGame(this.table.rules, this.table.state, wanted => {
      const wasAnalysing = this.table.isAnalysing;
      this.table.isAnalysing = false;
      try {
        this.begin(wanted);
      } catch (error) {
        // The game on the board goes on as it was.
        this.table.isAnalysing = wasAnalysing;
        throw error;
      }
      this.switches.analyse.checked = false;
    }, () => this.board.focus());
  }

  private asText(): void {
    this.closeDrill();
    const { table } = this;
    const { state, record } = table;
    const engine = `Trebuchet (${state.level})`;
    const here = state.player === 'white' ? { white: YOU, black: engine } : { white: engine, black: YOU };
    const names = state.players ? { white: state.players.white || '?', black: state.players.black || '?' } : here;
    const { variant, fen, glyphs, comments, marks, lines } = state;
    const moves = record.plies.map(ply => ply.san);
    const date = (moves.length ? state.date : dayIn(0)).replaceAll('-', '.') || '????.??.??';
    const playedHere: [string, string][] = [['Event', "A game on Trebuchet's page"], ['Date', date], ['Round', '-']];
    const tags = state.players ? state.tags : playedHere;
    const result = table.ending?.result ?? '*';
    const pgn = table.rules.writePgn({ variant, fen, moves, glyphs, comments, marks, lines, tags, ...names, result });
    dialogs.asText(table.rules, pgn, table.placeAt(table.at).fen, (text, number) => this.read(text, number), () => this.board.focus());
  }

  private begin(wanted: Partial<State>): void {
    this.sayStatus(() => this.table.begin(wanted));
  }

  /** Changes something after which the status is said, even if it is the same as before. */
  private sayStatus(change: () => void): void {
    const before = this.status.textContent;
    change();
    if (this.status.textContent === before) say(before!);
  }

  /** Goes on with a position or with one of the games of a text, by its number from 0, at the player's turn. */
  private read(text: string, number: number): void {
    const { table } = this;
    const isFen = /^\s*[\w[\]~]+(\/[\w[\]~]+){7}/.test(text);
    if (!isFen) {
      const { white, black, result, ...game } = table.rules.readPgn(text, number);
      const { variant, fen, moves } = game;
      const record = table.rules.record(variant, fen, moves);
      const ending = result === '*' || record.outcome ? null : { result, words: 'The game in the file ended here' };
      // A finished game is seen from White's side, and one that was played here from the player's.
      const nearer = black === YOU ? 'black' : 'white';
      const player = record.outcome || ending ? nearer : turnOf(record);
      const isFlipped = player === 'black';
      const texts = record.plies.map(ply => ply.text);
      return this.begin({ ...game, moves: texts, ending, clock: null, player, isFlipped, players: { white, black } });
    }
    const player = turnOf(this.positionOf(text));
    this.begin({ fen: text.trim(), clock: null, player, isFlipped: player === 'black' });
  }

  /** The position of a FEN, which does not say of which game it is. Throws a `Refusal` that names the one on the board. */
  private positionOf(fen: string): GameRecord {
    const { rules, state: { variant } } = this.table;
    try {
      return rules.record(variant, fen, []);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const reading = `read as a position of ${rules.title(variant)} (another game is chosen first under New game)`;
      throw new Refusal(`${reading}: ${error.message}`);
    }
  }

  private flip(): void {
    this.table.set({ isFlipped: !this.table.state.isFlipped });
  }

  private switchSound(): void {
    this.table.set({ sound: !this.table.state.sound });
    this.sounds.play('move');
  }

  private showSound(): void {
    const { sound } = this.table.state;
    this.sounds.isOn = sound;
    this.soundButton.setAttribute('aria-pressed', String(sound));
    this.soundButton.title = sound ? 'Sound is on' : 'Sound is off';
    this.soundButton.querySelector('path')!.setAttribute('d', `${SPEAKER}${sound ? WAVES : CROSS}`);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (!isCommand(event) || document.querySelector('dialog[open]')) return;
    if (target.closest('input:not([type=checkbox]), textarea, select') || (event.key.startsWith('Arrow') && target.closest('.board'))) return;
    if (this.drill) {
      if (this.drill.key(event.key)) event.preventDefault();
      return;
    }
    const { table } = this;
    const meanings: Record<string, () => void> = {
      ArrowLeft: () => table.go(table.at - 1),
      ArrowRight: () => table.go(table.at + 1),
      Home: () => table.go(0),
      End: () => table.go(Infinity),
      f: () => this.flip(),
      h: () => this.actions.hint.disabled || this.actions.hint.hidden || table.hint(),
      n: () => this.newGame(),
    };
    const meaning = meanings[event.key];
    if (meaning) {
      event.preventDefault();
      meaning();
    }
  }

  private show(): void {
    const { table } = this;
    const { state, record } = table;
    const isLast = table.at === state.moves.length;
    const place = table.placeAt(table.at);
    const canMove = isLast && table.isPlayersTurn;
    speakOf(state.variant);
    const hot = this.hotHere();
    this.board.show({
      variant: state.variant,
      place,
      lastMove: table.at ? record.plies[table.at - 1] : null,
      legal: canMove ? record.legal : [],
      mover: canMove ? state.player : null,
      isFlipped: state.isFlipped,
      heat: hot?.heat ?? [],
      arrow: isLast ? table.arrow : null,
    });
    this.showTitle();
    this.players.show(table);
    this.showHotSquares(hot);
    tell(this.status, this.statusText());
    const { refusedIn } = this;
    if (record !== refusedIn?.record || table.ending !== refusedIn.ending) write(this.problem, '');
    // The same words for another move are said again.
    if (!isLast && table.at !== this.toldAt) this.coach.replaceChildren();
    this.toldAt = table.at;
    const kind = table.isFromText(table.at - 1) ? () => 'remark' : kindOf;
    tellAll(this.coach, [...table.remarks, table.trouble].filter(text => text), kind);
    this.showAnalysis();
    this.moves.show(table);
    this.showSound();
    if (!this.drill) this.ear.hear(record, table.ending);
    this.switches.coach.checked = state.coach;
    this.switches.heat.checked = state.heat;
    this.switches.analyse.checked = table.isAnalysing;
    this.board.keepFocus(() => this.showActions(canMove));
    save(state);
  }

  private showActions(canMove: boolean): void {
    const { table } = this;
    const { state } = table;
    const { back, hint, hurry, draw, resign, review } = this.actions;
    back.disabled = table.lastDecision < 0;
    hint.disabled = !canMove || table.isAnalysing;
    hurry.hidden = !table.canHurry;
    resign.disabled = state.moves.length === 0;
    draw.disabled = resign.disabled || table.isAnalysing;
    hint.hidden = draw.hidden = resign.hidden = table.ending !== null;
    review.hidden = !table.ending || state.moves.length === 0;
    draw.textContent = table.drawOffer === 'engine' ? 'Accept draw' : 'Draw';
  }

  /** The game, or what stands in its place. */
  private showTitle(): void {
    const { rules, state } = this.table;
    const title = this.drill ? (this.drill instanceof Review ? 'Review' : 'Puzzles') : rules.title(state.variant);
    write(this.title, title);
    document.title = `${title} · Trebuchet`;
  }

  private statusText(): string {
    const { table } = this;
    const { ending, state } = table;
    if (table.isAnalysing) return 'Analysis';
    if (table.at < state.moves.length) return this.lastMove() || 'Before the first move';
    if (ending) return `${verdictOn(ending.result, state)}${ending.result} · ${ending.words}`;
    const check = table.placeAt(table.at).check ? 'You are in check.' : '';
    const thinks = table.trouble ? '' : 'Trebuchet thinks …';
    const texts = table.isThinking ? [thinks] : ['Your move.', check];
    return [this.lastMove(), this.offer(), ...texts].filter(text => text).join(' ');
  }

  /** What is to be said of a draw. */
  private offer(): string {
    const { drawOffer, isThinking } = this.table;
    if (drawOffer === 'player') return 'You offer a draw.';
    if (drawOffer === 'declined') return 'It declines the draw.';
    // The engine offers one with its move.
    return drawOffer && !isThinking ? 'Trebuchet offers a draw.' : '';
  }

  /** Who played what before the position on the board; empty at the start of the game. */
  private lastMove(): string {
    const { state, record, at } = this.table;
    if (!at) return '';
    const side = this.table.placeAt(at - 1).turn;
    const name = state.players || side === state.player ? nameOf(state, side) : 'Trebuchet';
    return `${name} played ${record.plies[at - 1].san}.`;
  }

  /** The position that is shown, with its heat, if that is wanted. */
  private hotHere(): GameRecord | null {
    const { rules, state, record, at } = this.table;
    if (!state.heat) return null;
    return at < state.moves.length ? rules.record(state.variant, this.table.placeAt(at).fen, []) : record;
  }

  /** The hottest dangers in words, beneath the switch of the heat map. */
  private showHotSquares(record: GameRecord | null): void {
    const heat = (square: string) => record?.heat[square.charCodeAt(0) - 97 + 8 * (Number(square[1]) - 1)] ?? 0;
    const hot = record?.dangers.filter(([square]) => heat(square) >= HOT).sort(([a], [b]) => heat(b) - heat(a)) ?? [];
    this.hot.hidden = hot.length === 0;
    write(this.hot, `Hot: ${hot.slice(0, 3).map(([square, danger]) => `${square} (${danger})`).join(', ')}`);
  }

  private showAnalysis(): void {
    const { table } = this;
    const { analysis } = table;
    this.analysis.hidden = !table.isAnalysing;
    if (!analysis || !table.isAnalysing) {
      const isOver = table.record.outcome && table.at === table.state.moves.length;
      write(this.analysis, isOver ? 'The game is over here: go back to look at it.' : 'The engine looks …');
      return;
    }
    const { fen, turn } = table.placeAt(table.at);
    let line = analysis.moves;
    try {
      line = table.rules.record(table.state.variant, fen, analysis.moves.slice(0, 8)).plies.map(ply => ply.san);
    } catch (error) {
      // A line of another position that comes late.
      if (!(error instanceof Refusal)) throw error;
    }
    const score = turn === 'white' ? analysis.score : -analysis.score;
    write(this.analysis, `${scoreText(score)} (depth ${analysis.depth}): ${line.join(' ')}`);
  }
}

/** How a remark looks: a verdict that criticises stands out. */
function kindOf(remark: string): string {
  if (/^\S+\?/.test(remark)) return 'remark bad';
  return /^(Your chance|Better)/.test(remark) ? 'remark chance' : 'remark';
}

/** What a result is for the player; nothing in a game of others. */
function verdictOn(result: string, { player, players }: State): string {
  if (players) return '';
  if (result === '1/2-1/2') return 'A draw. ';
  return (result === '1-0') === (player === 'white') ? 'You win. ' : 'You lose. ';
}

function turnOf(record: { start: { turn: Side }; plies: { turn: Side }[] }): Side {
  return (record.plies.at(-1) ?? record.start).turn;
}

/** A score as people write it; xboard's numbers of mate begin at 100,000. */
function scoreText(score: number): string {
  if (Math.abs(score) >= 100_000) return `${nameOfSide(score < 0 ? 'black' : 'white')} wins in ${Math.abs(score) - 100_000}`;
  return `${score < 0 ? '−' : '+'}${(Math.abs(score) / 100).toFixed(2)}`;
}

async function begin(): Promise<void> {
  const module = await compile();
  const silent = { reply: () => {}, progress: () => {} };
  new Page(new Rules(await EngineModule.of(module, silent)), module);
}

begin().catch((error: unknown) => {
  document.body.textContent = `This browser cannot run the page: ${String(error)}`;
});
