// Puzzles, reviews and exercises.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { browser, open } from './open.mjs';

/** The script or the style sheet of the report. */
const ofReport = name => readFileSync(new URL(`../../../workbench/src/report/html/page/${name}`, import.meta.url), 'utf8');

/** An exercise that is known so well. White's knight has gone from b1 to a square of the third rank. */
function exercise(knight, played, box) {
  const texts = { variant: 'normal', lead: '', glyph: '?!', verdict: 'Inaccuracy', punishment: '', reply: '', clue: '', due: '' };
  const lists = { reasons: [], line: [], others: [], number: 1 };
  const fen = `rnbqkbnr/pppppppp/8/8/8/${knight}/PPPPPPPP/R1BQKBNR w KQkq - 0 1`;
  return { ...texts, ...lists, fen, played, best: 'd4', box };
}

/** Begins a review of two exercises, f3 and g4. */
async function repeatTwo(table, box) {
  const all = [exercise('N7', 'f3', box), exercise('2N5', 'g4', box)];
  await table.page.evaluate(all => localStorage.setItem('trebuchet.exercises.1', JSON.stringify(all)), all);
  await table.page.reload();
  await table.press('Review (2)');
  await table.press('Repeat 2 exercises');
  await table.says(/^You played f3/);
}

export const tests = {
  async 'puzzles are solved, failed and kept'() {
    /** Opens the puzzles of chess, where the first one is always the same. */
    const openPuzzles = async (...screen) => {
      const table = await open(...screen);
      await table.press('Puzzles');
      await table.says(/^Find the move that wins for /);
      return table;
    };
    const tally = async (table, solved, failed) => table.page.getByText(new RegExp(`Solved ${solved} of \\d+, failed ${failed}\\.`)).waitFor();
    /** Moves, and waits for the answer. */
    const tryMove = async (table, from, to) => {
      const before = await table.page.locator('.status').innerText();
      await table.move(from, to);
      await table.page.waitForFunction(old => document.querySelector('.status').textContent !== old, before);
    };
    const phone = await openPuzzles(390, 844, true);
    await tally(phone, 0, 0);
    // With hints alone the puzzle is solved, but counts as failed.
    const moves = [];
    for (;;) {
      await phone.page.waitForFunction(() => /^(Solved|Find|.* Go on)/.test(document.querySelector('.status').textContent));
      const status = phone.page.locator('.status');
      if ((await status.innerText()).startsWith('Solved')) break;
      await phone.press('Hint');
      const from = / on (..)\./.exec(await status.innerText())[1];
      await phone.press('Hint');
      const to = /([a-h][1-8])(=.)?[+#]?\.$/.exec(await status.innerText())[1];
      moves.push([from, to]);
      await tryMove(phone, from, to);
    }
    await tally(phone, 0, 1);
    await phone.press('Next puzzle');
    // What another page has kept meanwhile stays.
    await phone.page.evaluate(() => {
      const progress = JSON.parse(localStorage.getItem('trebuchet.puzzles.1'));
      localStorage.setItem('trebuchet.puzzles.1', JSON.stringify({ ...progress, atomic: { level: 700, solved: ['8/8'], failed: 3 } }));
    });
    await phone.press('Show the solution');
    await phone.says(/^The solution: /);
    assert.equal(await phone.page.evaluate(() => JSON.parse(localStorage.getItem('trebuchet.puzzles.1')).atomic.level), 700);
    await phone.page.reload();
    await phone.press('Puzzles');
    await tally(phone, 0, 2);
    // Whoever goes on after a hint has failed, too.
    await phone.press('Hint');
    await phone.press('Next puzzle');
    await tally(phone, 0, 3);
    await phone.press('Next puzzle');
    await tally(phone, 0, 3);
    await phone.press('Back to the game');
    await phone.says(/Your move/);
    await phone.close();
    // The same puzzle without help.
    const screen = await openPuzzles(1440, 900, false);
    const solve = async () => {
      for (const [number, [from, to]] of moves.entries()) {
        await screen.says(number ? /Go on\.$/ : /^Find/);
        await tryMove(screen, from, to);
      }
      await screen.says(/^Solved/);
    };
    await solve();
    await tally(screen, 1, 0);
    // Another page solves it meanwhile, and one that is not there any more was solved long ago: neither counts again.
    const kept = await screen.page.evaluate(() => {
      const progress = JSON.parse(localStorage.getItem('trebuchet.puzzles.1'));
      localStorage.removeItem('trebuchet.puzzles.1');
      return { ...progress, normal: { ...progress.normal, solved: [...progress.normal.solved, '8/8'] } };
    });
    await screen.page.reload();
    await screen.press('Puzzles');
    await tally(screen, 0, 0);
    await screen.page.evaluate(progress => localStorage.setItem('trebuchet.puzzles.1', JSON.stringify(progress)), kept);
    await solve();
    await tally(screen, 1, 0);
    await screen.close();
  },

  async 'a key that is held gives one hint'() {
    const table = await open();
    await table.press('Puzzles');
    await table.says(/^Find the move that wins for /);
    for (const _ of [1, 2]) await table.page.keyboard.down('h');
    await table.page.keyboard.up('h');
    await table.says(/^Look at your /);
    await table.page.keyboard.press('h');
    await table.says(/^The move is /);
  },

  async 'the next puzzle is one that was not there before'() {
    const table = await open(390, 844, true);
    await table.press('Puzzles');
    await table.says(/^Find the move that wins for /);
    const seen = new Set();
    for (let count = 0; count < 6; count++) {
      // The men have arrived.
      await table.page.waitForTimeout(400);
      seen.add(await table.page.evaluate(() => [...document.querySelectorAll('cg-board piece')].map(man => man.className + man.style.transform).sort().join()));
      await table.press('Next puzzle');
    }
    assert.equal(seen.size, 6);
    await table.close();
  },

  async 'a review makes exercises, and a failed one comes again'() {
    const table = await open(390, 844, true);
    const review = async () => {
      await table.press('Review this game');
      // Whose moves they are is not known: the nearer side of the board is offered.
      assert.equal(await table.field('Moves of').inputValue(), 'black');
      await table.press('Review this game');
      await table.says(/^You played a6\?\? Find something better for Black\.$/);
    };
    // The coach looks at Black's moves: one allows mate at once.
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await table.press('Turn the board');
    await review();
    await table.page.getByText('Exercise 1 of 1. Chess, move 3.').waitFor();
    assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    // What was played in the game, and another bad move.
    await table.move('a7', 'a6');
    await table.says(/^Not that one/);
    await table.page.getByText(/^a6\?\? Blunder.* It allows mate in 1: Qxf7#\.$/).waitFor();
    await table.page.waitForFunction(() => !document.querySelector('.drill .actions button').disabled);
    await table.move('h7', 'h6');
    await table.page.getByText(/^h6\?\? Blunder.* It allows mate in 1: Qxf7#\.$/).waitFor();
    await table.says(/^Not that one/);
    // A failed exercise is kept, even if the page is left here.
    await table.page.reload();
    await table.press('Review (1)');
    await table.press('Repeat 1 exercise');
    await table.says(/^You played a6/);
    await table.press('Hint');
    await table.says(/^(Think of|Look at|Look for|Your opponent threatens) .*\.$/);
    await table.press('Hint');
    await table.says(/^The move is /);
    const status = await table.page.locator('.status').innerText();
    // The move of the game and the hint have arrows. The board draws them with the next frame.
    await table.page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length === 2);
    await table.press('Show the answer');
    await table.says(/^The answer is /);
    assert.equal((await table.page.locator('.status').innerText()).split(' ')[3], status.split(' ')[3]);
    await table.press('Summary');
    await table.says(/^0 of 1 found\.$/);
    await table.press('Repeat 1 exercise');
    await table.move('g7', 'g6');
    await table.says(/^Right!$/);
    await table.press('Summary');
    await table.says(/^1 of 1 found\.$/);
    // Tomorrow it comes again.
    await table.press('Back to the review');
    assert.equal(await table.page.getByRole('button', { name: /^Repeat/ }).count(), 0);
    await table.page.getByText(/ 1 exercise will be due on a later day\.$/).waitFor();
    await table.page.clock.setFixedTime(Date.now() + 25 * 3_600_000);
    await table.page.reload();
    await table.press('Review (1)');
    await table.press('Forget all exercises');
    await table.press('Forget them');
    await table.says(/^All exercises are forgotten/);
    assert.equal(await table.page.evaluate(() => localStorage.getItem('trebuchet.exercises.1')), '[]');
    await table.press('Back to the game');
    // The verdicts stand in the list of moves.
    assert.equal((await table.moves())[5], 'a6??');
    await table.close();
  },

  async 'the exercise that is chosen in the summary is the one that is said'() {
    const table = await open(1440, 900, false);
    await repeatTwo(table, 0);
    await table.press('Next');
    await table.press('Summary');
    await table.page.evaluate(() => {
      window.said = [];
      new MutationObserver(changes => window.said.push(...changes.flatMap(change => [...change.addedNodes].map(node => node.textContent))))
        .observe(document.querySelector('body > .spoken'), { childList: true });
    });
    await table.page.getByRole('button', { name: /1\. g4/ }).click();
    await table.says(/^You played g4/);
    assert.deepEqual(await table.page.evaluate(() => window.said), ['You played g4. Find something better for White.']);
    // What another page has kept meanwhile stays.
    const other = exercise('6N1', 'h4', 0);
    await table.page.evaluate(value => {
      const all = JSON.parse(localStorage.getItem('trebuchet.exercises.1'));
      localStorage.setItem('trebuchet.exercises.1', JSON.stringify([...all, value]));
    }, other);
    await table.press('Show the answer');
    await table.says(/^The answer is d4/);
    const kept = await table.page.evaluate(() => JSON.parse(localStorage.getItem('trebuchet.exercises.1')));
    assert.deepEqual(kept.map(({ played }) => played).sort(), ['f3', 'g4', 'h4']);
    await table.close();
  },

  async 'an exercise with a hint is not found at once, though another one comes between'() {
    const table = await open(390, 844, true);
    await repeatTwo(table, 3);
    await table.press('Hint');
    await table.press('Hint');
    await table.says(/^The move is d4\.$/);
    await table.press('Next');
    await table.says(/^You played g4/);
    await table.press('Previous');
    await table.says(/^You played f3/);
    await table.move('d2', 'd4');
    await table.says(/^Right!$/);
    await table.press('Next');
    await table.move('d2', 'd4');
    await table.says(/^Right!$/);
    await table.press('Summary');
    await table.says(/^2 of 2 found\.$/);
    await table.page.getByText('1 of them after a mistake or with a hint.').first().waitFor();
    const kept = await table.page.evaluate(() => JSON.parse(localStorage.getItem('trebuchet.exercises.1')));
    assert.deepEqual(kept.map(({ played, box }) => [played, box]).sort(), [['f3', 0], ['g4', 4]]);
    await table.close();
  },

  async 'an exercise that was failed and left comes again, and the summary counts it'() {
    const table = await open(390, 844, true);
    await repeatTwo(table, 0);
    await table.move('f2', 'f3');
    await table.says(/^Not that one/);
    await table.press('Next');
    await table.says(/^You played g4/);
    await table.move('d2', 'd4');
    await table.says(/^Right!$/);
    await table.press('Summary');
    await table.says(/^1 of 2 found\.$/);
    await table.page.getByText('What you did not find at once comes again: 1 exercise.').first().waitFor();
    await table.close();
  },

  async 'a move that is not made leaves the question where it is'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    const fen = '8/P6k/8/8/8/8/7P/K7[P] w - - 0 1';
    const all = [{ ...exercise('', 'h3', 0), variant: 'crazyhouse', fen, best: 'a8=Q' }];
    await page.evaluate(all => localStorage.setItem('trebuchet.exercises.1', JSON.stringify(all)), all);
    await page.reload();
    await table.press('Review (1)');
    await table.press('Repeat 1 exercise');
    await table.says(/^You played h3/);
    const asked = await page.locator('.status').innerText();
    const isAsked = async () => assert.equal(await page.locator('.status').innerText(), asked);
    // A promotion that is cancelled.
    await table.move('a7', 'a8');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAsked();
    // A pawn that is dragged from the hand to the last rank.
    const board = await page.locator('cg-board').boundingBox();
    await page.getByRole('button', { name: '1 white pawn in hand' }).hover();
    await page.mouse.down();
    await page.mouse.move(board.x + (9 * board.width) / 16, board.y + board.height / 16, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => document.querySelectorAll('cg-board piece').length === 4);
    await isAsked();
    // The arrow of a hint leaves a man that was taken from the hand where it is.
    const pawn = page.getByRole('button', { name: '1 white pawn in hand' });
    await pawn.click();
    await table.press('Hint');
    await table.press('Hint');
    await table.says(/^The move is a8=Q\.$/);
    assert.equal(await pawn.getAttribute('aria-pressed'), 'true');
    await table.close();
  },

  async 'a chosen man is let go when another position comes'() {
    const table = await open(1440, 900, false);
    await repeatTwo(table, 0);
    const chosen = table.page.locator('square.selected');
    await table.touch('d2');
    await chosen.waitFor();
    // The same position with an arrow leaves it chosen.
    await table.press('Hint');
    await table.press('Hint');
    await table.says(/^The move is d4\.$/);
    await table.page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length === 2);
    assert.ok(await chosen.isVisible());
    await table.press('Next');
    await table.says(/^You played g4/);
    await table.touch('d4');
    assert.match(await table.page.locator('.status').innerText(), /^You played g4/);
    await chosen.waitFor({ state: 'hidden' });
    await table.close();
  },

  async 'a new exercise takes the place of the oldest one'() {
    const table = await open(390, 844, true);
    await table.page.evaluate(() => {
      const texts = { variant: 'normal', fen: '', lead: '', glyph: '?', verdict: 'Mistake', punishment: '', reply: '', best: 'd4', clue: '', due: '' };
      const lists = { reasons: [], line: [], others: [], number: 1 };
      const all = Array.from({ length: 300 }, (_, number) => ({ ...texts, ...lists, fen: String(number), played: `${number}`, box: 0 }));
      localStorage.setItem('trebuchet.exercises.1', JSON.stringify(all));
    });
    await table.page.reload();
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await table.press('Review this game');
    await table.field('Moves of').selectOption('black');
    await table.press('Review this game');
    await table.says(/^You played a6/);
    await table.press('Show the answer');
    await table.says(/^The answer is /);
    const kept = await table.page.evaluate(() => JSON.parse(localStorage.getItem('trebuchet.exercises.1')).map(({ played }) => played));
    assert.deepEqual([kept.length, kept[0], kept.at(-1)], [300, '1', 'a6']);
    await table.close();
  },

  async 'the exercises of a file keep the keyboard in its place'() {
    const made = (variant, topic, fen, best, squares) => ({
      variant, topic, fen, best, title: variant, source: 'A game', turn: 'white', number: 1, played: 'Ka2', verdict: 'Mistake',
      tries: [{ san: best, text: squares, squares, verdict: best }, { san: 'Ka2', text: 'a1a2', squares: 'a1a2', verdict: 'Ka2', rank: 2 }],
    });
    const hill = made('kingofthehill', 'hill', '8/8/8/8/8/4K3/8/k7 w - - 0 1', 'Ke4#', 'e3e4');
    hill.played = 'Kf3';
    hill.tries[1] = { san: 'Kf3', text: 'e3f3', squares: 'e3f3', verdict: 'Kf3', rank: 2 };
    // Beside a promoted man nothing explodes.
    const house = made('crazyhouse', 'house', 'k7/8/8/8/8/8/7R/KQ~6[] w - - 0 1', 'Rh1', 'h2h1');
    house.tries[0].board = 'k7/8/8/8/8/8/8/KQ~5R[]';
    const few = made('suicide', 'few', '8/8/8/8/8/8/1R6/K6k w - - 0 1', 'Rg2#', 'b2g2');
    const exercises = [made('normal', 'mate', '6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1', 'Rd8#', 'd1d8'), hill, house, few];
    const topics = [{ id: 'mate', name: 'Mate' }, { id: 'hill', name: 'Hill' }, { id: 'house', name: 'House' }, { id: 'few', name: 'Few' }];
    const data = { topics, exercises };
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const complaints = [];
    page.on('pageerror', error => complaints.push(error.message));
    await page.setContent(`<!doctype html><style>${ofReport('page.css')}</style><header class="page-head"></header><section class="training"></section>
      <script type="application/json" id="training">${JSON.stringify(data)}</script><script>${ofReport('page.js')}</script>`);
    const focused = () => page.evaluate(() => document.activeElement.textContent);
    const press = name => page.getByRole('button', { name, exact: true }).click();
    assert.equal(await page.locator('body > .spoken').count(), 1);
    const topic = page.getByLabel('What went wrong');
    await topic.focus();
    await topic.selectOption('hill');
    assert.ok(await topic.evaluate(select => select === document.activeElement));
    await press('Start: 1 exercise');
    await press('Show the answer');
    await page.getByText(/^The answer is Ke4#/).waitFor();
    // A king that wins on the hill gives no check.
    await page.waitForFunction(() => document.querySelector('square.last-move'));
    assert.equal(await page.locator('square.check').count(), 0);
    await press('Back to the choice');
    assert.equal(await focused(), 'Start: 1 exercise');
    await press('Begin anew with all');
    await press('Begin anew');
    assert.equal(await focused(), 'Start: 1 exercise');
    await topic.selectOption('mate');
    await press('Start: 1 exercise');
    await press('Show the answer');
    await page.locator('square.check').waitFor();
    await press('Back to the choice');
    await topic.selectOption('house');
    await press('Start: 1 exercise');
    await press('Show the answer');
    await page.waitForFunction(() => document.querySelector('square.last-move'));
    assert.equal(await page.locator('square.exploded').count(), 0);
    await press('Back to the choice');
    await topic.selectOption('few');
    await press('Start: 1 exercise');
    await press('Show the answer');
    // Nor does a stalemate that ends a game without checks.
    await page.waitForFunction(() => document.querySelector('square.last-move'));
    assert.equal(await page.locator('square.check').count(), 0);
    assert.deepEqual(complaints, []);
    await context.close();
  },

  async 'a review names the players and counts inaccuracies'() {
    const table = await open(1440, 900, false);
    await table.read('[White "?"]\n[Black "Anna <b>B."]\n\n1. e4 h5 *');
    await table.press('Review');
    assert.deepEqual(await table.field('Moves of').locator('option').allInnerTexts(), ['White', 'Anna <b>B. (Black)']);
    await table.field('Moves of').selectOption('black');
    await table.press('Review this game');
    await table.says(/^Anna <b>B\. \(Black\) made no mistake in 1 move\. The list of moves marks 1 move as inaccurate\.$/);
    await table.field('Moves of').selectOption('white');
    await table.press('Review this game');
    await table.says(/^White made no mistake in 1 move\.$/);
    await table.press('Back to the game');
    assert.deepEqual(await table.moves(), ['e4', 'h5?!']);
    // The signs and the words of a text stay.
    await table.read('1. e4 $5 {Mine.} h5 $1 2. Nf3 *');
    await table.press('Review');
    await table.field('Moves of').selectOption('black');
    await table.press('Review this game');
    await table.says(/ made no mistake in 1 move\./);
    await table.press('Back to the game');
    assert.deepEqual(await table.moves(), ['e4!?', 'h5!', 'Nf3']);
    await table.close();
  },

  async 'what a text says of its moves stays when the player goes on'() {
    const table = await open(1440, 900, false);
    await table.read('1. e4! e5 2. Nf3 Nc6 *');
    await table.press('Take back');
    await table.has(2);
    // The engine has looked at the moves when it answers.
    await table.press('Hint');
    await table.page.locator('.remark').getByText(/Ask again for the move/).waitFor();
    assert.deepEqual(await table.moves(), ['e4!', 'e5']);
    await table.read('1. e4! {Best by test.} e5 2. Qh5 {Anna wanted to try this. Bold!} Nc6 3. Bc4 Nf6 *');
    await table.move('h5', 'f7');
    await table.says(/^You win/);
    // What a file says is one paragraph; of the coach's words each sentence is one.
    await table.page.locator('.moves button').nth(2).click();
    await table.page.locator('.remark', { hasText: 'Anna wanted to try this. Bold!' }).waitFor();
    await table.page.reload();
    await table.press('Review this game');
    await table.says(/made no mistake in 4 moves|^You played/);
    await table.press('Back to the game');
    assert.match((await table.pgn()).replaceAll('\n', ' '), /1\. e4 \$1 \{Best by test\.\} 1\.\.\. e5 2\. Qh5( \$\d)? \{Anna wanted to try this\. Bold!\}/);
    // The moves of the player are the coach's to judge, also in the place of those of a text.
    await table.press('Take back');
    await table.press('Take back');
    await table.has(4);
    await table.move('h5', 'e5');
    await table.page.locator('.remarks').getByText(/^Qxe5\+\?\? Blunder/).waitFor();
    await table.close();
  },

  async 'a review of the other side leaves the verdict on the own move'() {
    const table = await open(1440, 900, false);
    await table.keep({ moves: ['e2e4', 'e7e5', 'd1h5', 'e8e7'], comments: { 1: 'Mine.', 3: 'Mine, too.' }, glyphs: {}, player: 'white' });
    const remarks = () => table.page.locator('.remarks p').allInnerTexts();
    assert.deepEqual(await remarks(), ['Mine, too.']);
    await table.press('Review');
    await table.field('Moves of').selectOption('black');
    await table.press('Review this game');
    await table.says(/^You played Ke7/);
    await table.press('Back to the game');
    await table.says(/Your move\.$/);
    assert.equal((await table.moves())[3], 'Ke7??');
    assert.deepEqual(await remarks(), ['Mine, too.']);
    await table.press('First position');
    for (const pattern of [/^Mine\.$/, /^e5 /, /^Mine, too\.$/]) {
      await table.press('Forward');
      assert.match((await remarks())[0], pattern);
    }
    await table.close();
  },

  async 'an exercise with keys alone, in a game with drops'() {
    const table = await open(1440, 900, false);
    await table.read('[Variant "Crazyhouse"]\n[SetUp "1"]\n[FEN "6rk/6pp/8/8/8/8/8/K5R1[N] w - - 0 1"]\n\n1. Rg3 h6 *');
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^You played Rg3.* Find something better for White\.$/);
    const man = table.page.getByRole('button', { name: '1 white knight in hand' });
    await man.focus();
    await table.page.keyboard.press('Enter');
    // From e2 to f7.
    for (const key of [...Array(5).fill('ArrowUp'), 'ArrowRight', 'Enter']) await table.page.keyboard.press(key);
    await table.says(/^Right!$/);
    await table.page.locator('.status').evaluate(() => document.activeElement.blur());
    await table.page.keyboard.press('n');
    await table.says(/^1 of 1 found\.$/);
    await table.close();
  },

  async 'a review is stopped, and rests while the page is hidden'() {
    const table = await open(834, 1112, true);
    await table.read('1. e3 e6 2. d3 d6 3. a3 a6 4. h3 h6 5. Nf3 Nf6 6. Be2 Be7 7. O-O O-O 8. Nc3 Nc6 *');
    const setHidden = hidden => table.page.evaluate(value => {
      Object.defineProperty(document, 'hidden', { value, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    const done = () => table.page.locator('progress').evaluate(bar => bar.value);
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^Looking for mistakes/);
    await table.page.waitForFunction(() => document.querySelector('progress').value >= 1);
    await setHidden(true);
    // The answer that was under way comes.
    await table.page.waitForTimeout(1000);
    const before = await done();
    assert.ok(before < 16, `${before} moves`);
    await table.page.waitForTimeout(3000);
    assert.equal(await done(), before);
    await setHidden(false);
    await table.page.waitForFunction(value => document.querySelector('progress').value > value, before);
    await table.press('Stop');
    await table.says(/^Stopped after \d move/);
    await table.page.getByRole('button', { name: 'Review this game' }).waitFor();
    await table.press('Back to the game');
    await table.says(/Your move/);
    await table.close();
  },
};
