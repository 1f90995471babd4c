// Puzzles, reviews and exercises.

import assert from 'node:assert/strict';
import { open } from './open.mjs';

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
    await phone.press('Show the solution');
    await phone.says(/^The solution: /);
    await phone.page.reload();
    await phone.press('Puzzles');
    await tally(phone, 0, 2);
    await phone.press('Back to the game');
    await phone.says(/Your move/);
    await phone.close();
    // The same puzzle without help.
    const screen = await openPuzzles(1440, 900, false);
    for (const [number, [from, to]] of moves.entries()) {
      await screen.says(number ? /Go on\.$/ : /^Find/);
      await tryMove(screen, from, to);
    }
    await screen.says(/^Solved/);
    await tally(screen, 1, 0);
    await screen.close();
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
    await table.read('1. Nf3 Nf6 2. Ng1 Ng8 3. Nc3 Nc6 4. Nb1 Nb8 5. e3 e6 6. d3 d6 7. a3 a6 8. h3 h6 *');
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
    const before = await done();
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
