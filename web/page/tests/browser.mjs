// Plays on the built page in Debian's Chromium: by touch on a phone, by keys and the mouse on a screen. With
// BROWSER=firefox in Debian's Firefox, which is driven by WebDriver BiDi: there the mouse stands for fingers. An
// argument chooses the tests whose names have it.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, firefox } from 'playwright-core';

const file = new URL('../out/trebuchet.html', import.meta.url);
assert.ok(existsSync(fileURLToPath(file)), 'build the page first: web/page/build.sh');
const { EngineModule } = await import('../out/module.mjs');
/** Milliseconds for what must happen: the engine may run on a busy machine. */
const PATIENCE = 60_000;

const isFirefox = process.env.BROWSER === 'firefox';
const browser = isFirefox
  ? await firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr', timeout: 3 * PATIENCE })
  : await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Opens the page anew. Whatever it complains of or asks from elsewhere fails the test. */
async function open(width, height, isPhone) {
  const hasTouch = isPhone && !isFirefox;
  const context = await browser.newContext({ viewport: { width, height }, ...(hasTouch && { hasTouch, isMobile: true }) });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints = [];
  page.on('console', message => complaints.push(message.text()));
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => /^(file|blob|data):/.test(request.url()) || complaints.push(request.url()));
  await page.goto(file.href);
  await page.waitForSelector('cg-board');
  const touch = async square => {
    const box = await page.locator('cg-board').boundingBox();
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    const isFlipped = (await page.locator('.orientation-black').count()) > 0;
    const x = box.x + (((isFlipped ? 7 - file : file) + 0.5) * box.width) / 8;
    const y = box.y + (((isFlipped ? rank : 7 - rank) + 0.5) * box.height) / 8;
    await (hasTouch ? page.touchscreen.tap(x, y) : page.mouse.click(x, y));
  };
  const field = name => page.locator('label.field', { has: page.locator(`span:text-is("${name}")`) }).locator('input, select, textarea');
  const says = pattern => page.waitForFunction(source => new RegExp(source).test(document.querySelector('.status')?.textContent ?? ''), pattern.source);
  return {
    page,
    field,
    says,
    touch,
    press: name => page.getByRole('button', { name, exact: true }).click(),
    move: async (from, to) => {
      await touch(from);
      await touch(to);
    },
    /** Waits until so many moves are played. */
    has: count => page.waitForFunction(wanted => document.querySelectorAll('.moves button').length === wanted, count),
    moves: () => page.locator('.moves button').allInnerTexts(),
    start: async (game, fen) => {
      await page.getByRole('button', { name: 'New game', exact: true }).click();
      await field('Game').selectOption(game);
      await field('You play').selectOption('white');
      await page.getByText('Start from a position').click();
      await field('Position').fill(fen);
      await page.getByRole('button', { name: 'Play', exact: true }).click();
    },
    read: async text => {
      await page.getByRole('button', { name: 'PGN', exact: true }).click();
      await field('Or as text').fill(text);
      await page.getByRole('button', { name: 'Open it', exact: true }).click();
    },
    close: async () => {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}

const tests = {
  async 'a whole game by touch, with a reload in the middle'() {
    const table = await open(390, 844, true);
    await table.start('normal', '6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1');
    await table.move('a2', 'a7');
    await table.has(2);
    const before = await table.moves();
    await table.page.reload();
    await table.says(/Your move/);
    assert.deepEqual(await table.moves(), before);
    await table.move('b1', 'b8');
    await table.says(/^You win\. 1-0 · White mates/);
    await table.press('Take back');
    await table.has(2);
    assert.deepEqual(await table.moves(), before);
    await table.close();
  },

  async 'the coach judges, and a thinking engine can be stopped'() {
    const table = await open(1440, 900, false);
    await table.start('normal', 'r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3');
    await table.move('h5', 'e5');
    await table.page.getByText(/Qxe5\+\?\? Blunder/).first().waitFor();
    await table.has(2);
    const analysis = table.page.getByLabel(/Analysis/);
    await analysis.check();
    await table.page.getByText(/depth \d/).waitFor();
    // While it analyses, the page still answers; a new game ends the analysis.
    await table.start('kingofthehill', '4k3/8/8/8/8/4K3/8/8 w - - 0 1');
    assert.equal(await analysis.isChecked(), false);
    await table.move('e3', 'e4');
    await table.says(/1-0 · White /);
    await table.press('Review this game');
    await table.says(/^White made no mistake in 1 move\.$/);
    await table.close();
  },

  async 'an analysis is stopped, and follows the game'() {
    const table = await open(390, 844, true);
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await table.says(/^1-0 · White mates/);
    const analysis = table.page.getByLabel(/Analysis/);
    const line = table.page.locator('.analysis');
    await analysis.check();
    await table.page.getByText(/^The game is over here/).waitFor();
    await table.press('Back');
    await table.page.getByText(/^White wins in 1 \(depth \d+\): Qxf7#$/).waitFor();
    // From here the engine would look for long.
    await table.press('First position');
    await table.page.getByText(/^[+−]0\.\d\d \(depth \d+\): [a-hN]/).waitFor();
    await analysis.uncheck();
    await line.waitFor({ state: 'hidden' });
    await table.says(/^1-0 · White mates/);
    // The engine is free for something else at once.
    await table.start('normal', '6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1');
    await table.move('a2', 'a7');
    await table.has(2);
    await table.close();
  },

  async 'every game is played'() {
    const table = await open(834, 1112, true);
    await table.press('New game');
    const names = await table.field('Game').locator('option').evaluateAll(all => all.map(option => option.value));
    await table.press('Close');
    for (const name of names) {
      await table.start(name, '');
      await table.says(/Your move/);
      await table.press('Hint');
      await table.page.locator('.remark').first().waitFor();
      await table.press('Hint');
      const hint = await table.page.getByText(/^Hint: \S+/).innerText();
      await table.field('Type a move').fill(hint.split(' ')[1]);
      await table.page.keyboard.press('Enter');
      await table.has(2);
    }
    await table.close();
  },

  async 'keys alone'() {
    const table = await open(1440, 900, false);
    await table.page.locator('.board').focus();
    for (const key of ['ArrowUp', 'ArrowDown', 'Enter', 'ArrowUp', 'ArrowUp', 'Enter']) await table.page.keyboard.press(key);
    await table.has(2);
    assert.equal((await table.moves())[0].slice(0, 2), 'e4');
    await table.close();
  },

  async 'sounds are off at first, and each says something else'() {
    const table = await open(390, 844, true);
    /** Notes the tones that begin from now on. */
    const listen = () => table.page.evaluate(() => {
      window.tones = [];
      const { start } = AudioScheduledSourceNode.prototype;
      AudioScheduledSourceNode.prototype.start = function (when) {
        window.tones.push(this.frequency.value);
        start.call(this, when);
      };
    });
    const tones = () => table.page.evaluate(() => window.tones.splice(0).join(' '));
    const sound = table.page.getByRole('button', { name: 'Sound', exact: true });
    await listen();
    // Black can only move the king here.
    await table.start('normal', '8/7k/5K2/8/8/8/p7/R7 w - - 0 1');
    await table.move('a1', 'h1');
    await table.has(2);
    assert.equal(await tones(), '');
    await table.press('Take back');
    assert.equal(await sound.getAttribute('aria-pressed'), 'false');
    await sound.click();
    const quiet = await tones();
    assert.notEqual(quiet, '');
    await table.page.reload();
    await table.says(/Your move/);
    await listen();
    assert.equal(await sound.getAttribute('aria-pressed'), 'true');
    await table.move('a1', 'h1');
    await table.has(2);
    const check = await tones();
    await table.move('h1', 'a1');
    await table.has(4);
    assert.equal(await tones(), `${quiet} ${quiet}`);
    await table.move('a1', 'a2');
    await table.has(6);
    const capture = await tones();
    for (const heard of [check, capture]) assert.ok(heard.endsWith(` ${quiet}`) && heard !== `${quiet} ${quiet}`, heard);
    // To step through the game is silent, and so is another game.
    await table.press('Back');
    await table.press('Last position');
    assert.equal(await tones(), '');
    await table.press('Resign');
    await table.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await table.says(/resigns$/);
    const end = await tones();
    assert.equal(new Set([`${quiet} ${quiet}`, check, capture, end, '']).size, 5);
    await table.start('normal', '');
    assert.equal(await tones(), '');
    await table.press('Puzzles');
    await table.press('Show the solution');
    await table.says(/^The solution/);
    await table.press('Next puzzle');
    assert.equal(await tones(), '');
    await table.close();
  },

  async 'the player chooses the promotion'() {
    const table = await open(390, 844, true);
    await table.start('normal', '8/P6k/8/8/8/8/8/K7 w - - 0 1');
    await table.move('a7', 'a8');
    await table.press('knight');
    await table.page.waitForFunction(() => document.querySelector('.moves button')?.textContent.startsWith('a8=N'));
    await table.close();
  },

  async 'a man from the hand is dropped, by touch and by keys'() {
    const fen = '4k3/8/8/8/8/8/4P3/4K3[NNn] w - - 0 1';
    const phone = await open(390, 844, true);
    await phone.start('crazyhouse', fen);
    // Taken and put back: the bishop's and knight's home squares are no origins of a drop.
    await phone.press('2 white knights in hand');
    await phone.press('2 white knights in hand');
    await phone.touch('f6');
    assert.deepEqual(await phone.moves(), []);
    await phone.press('2 white knights in hand');
    await phone.touch('f6');
    await phone.has(2);
    assert.equal((await phone.moves())[0].replace(/[?!]+$/, ''), 'N@f6+');
    await phone.page.getByRole('button', { name: '1 white knight in hand', exact: true }).waitFor();
    await phone.close();
    const screen = await open(1440, 900, false);
    await screen.start('crazyhouse', fen);
    await screen.page.getByRole('button', { name: '2 white knights in hand' }).focus();
    await screen.page.keyboard.press('Enter');
    await screen.page.locator('.board').focus();
    for (const key of ['ArrowUp', 'Enter']) await screen.page.keyboard.press(key);
    await screen.has(2);
    assert.equal((await screen.moves())[0].slice(0, 4), 'N@e3');
    await screen.close();
    // Dragged with the mouse: to a square that is taken, beside the board, and to a free square.
    const mouse = await open(1440, 900, false);
    await mouse.start('crazyhouse', fen);
    const man = mouse.page.getByRole('button', { name: '2 white knights in hand' });
    const drag = async (x, y) => {
      await man.hover();
      await mouse.page.mouse.down();
      await mouse.page.mouse.move(x, y, { steps: 4 });
      await mouse.page.mouse.up();
    };
    const board = await mouse.page.locator('cg-board').boundingBox();
    const middle = (file, rank) => [board.x + ((file + 0.5) * board.width) / 8, board.y + ((7.5 - rank) * board.height) / 8];
    await drag(...middle(4, 1));
    await drag(board.x + board.width + 30, board.y + 30);
    assert.deepEqual(await mouse.moves(), []);
    await mouse.page.waitForFunction(() => document.querySelectorAll('cg-board piece').length === 3);
    await drag(...middle(5, 5));
    await mouse.has(2);
    assert.equal((await mouse.moves())[0].replace(/[?!]+$/, ''), 'N@f6+');
    await mouse.close();
  },

  async 'a position is set up on a board'() {
    for (const [width, height, isPhone] of [[390, 844, true], [1440, 900, false]]) {
      const table = await open(width, height, isPhone);
      await table.press('New game');
      await table.page.getByText('Start from a position').click();
      await table.press('Set it up on a board');
      const editor = table.page.locator('.editor');
      await editor.locator('cg-board piece').nth(31).waitFor();
      const touch = async square => {
        const box = await editor.locator('cg-board').boundingBox();
        const x = box.x + ((square.charCodeAt(0) - 96.5) * box.width) / 8;
        const y = box.y + ((8.5 - Number(square[1])) * box.height) / 8;
        await (isPhone && !isFirefox ? table.page.touchscreen.tap(x, y) : table.page.mouse.click(x, y));
      };
      await table.press('Empty board');
      // A board without kings is no position.
      await table.press('Take this position');
      await editor.getByText(/^This does not work: /).waitFor();
      for (const [man, ...squares] of [['white king', 'e1', 'a3'], ['white rook', 'h1', 'c4'], ['black king', 'e8']]) {
        await table.press(`Put a ${man}`);
        for (const square of squares) await touch(square);
      }
      await touch('g8');
      await touch('g8');
      await table.press('Take men away');
      await touch('a3');
      await table.press('Move men');
      await touch('c4');
      await touch('c5');
      await table.press('Take this position');
      assert.equal(await table.field('Position').inputValue(), '4k3/8/8/2R5/8/8/8/4K2R w K - 0 1');
      assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= width);
      await table.press('Play');
      await table.move('e1', 'g1');
      await table.has(2);
      assert.equal((await table.moves())[0].replace(/[?!]+$/, ''), 'O-O');
      await table.close();
    }
  },

  async 'a position is set up with keys alone'() {
    const table = await open(1440, 900, false);
    const { keyboard } = table.page;
    /** Goes on with Tab, or back, until the element with this name has the focus. */
    const reach = async (name, tab = 'Tab') => {
      const isThere = () => table.page.evaluate(wanted => {
        const { activeElement } = document;
        return (activeElement.getAttribute('aria-label') ?? (activeElement.labels?.[0]?.querySelector('span') ?? activeElement).textContent) === wanted;
      }, name);
      for (let tabs = 0; !(await isThere()); tabs++) {
        assert.ok(tabs < 40, `no way to ${name}`);
        await keyboard.press(tab);
      }
    };
    const type = async (...keys) => {
      for (const key of keys) await keyboard.press(key);
    };
    const editor = table.page.locator('.editor');
    const hears = text => editor.locator('[aria-live]', { hasText: new RegExp(`^${text}$`) }).waitFor({ state: 'attached' });
    await type('n');
    await reach('Start from a position');
    await type('Enter');
    await reach('Set it up on a board');
    await type('Enter');
    // The editor begins on the board.
    await reach('Board');
    await editor.locator('cg-board piece').nth(31).waitFor();
    await reach('Empty board');
    await type('Enter');
    await reach('Take this position');
    await type('Enter');
    await editor.getByRole('alert').getByText(/^This does not work: /).waitFor();
    await reach('Board', 'Shift+Tab');
    await type('ArrowDown');
    await hears('e1, empty');
    await type('K');
    await hears('e1, white king');
    await type('ArrowRight', 'n', 'ArrowRight', 'q');
    await hears('g1, black queen');
    await type('Delete');
    await hears('g1, empty');
    await type('ArrowRight', 'R', 'Enter');
    await hears('white rook taken');
    // Escape puts the man back and leaves the window open.
    await type('Escape', 'ArrowUp', 'Enter');
    await hears('h2, empty');
    await type('ArrowDown', 'Enter', 'ArrowUp', 'Enter');
    await hears('h2, white rook');
    await reach('Put a black king');
    await type('Enter');
    await reach('Board', 'Shift+Tab');
    await type('ArrowUp', 'ArrowUp', 'ArrowUp', ' ');
    await hears('h5, black king');
    await reach('To move');
    await type('b');
    await reach('Take this position');
    await type('Enter');
    assert.equal(await table.field('Position').inputValue(), '8/8/8/7k/8/8/7R/4Kn2 b - - 0 1');
    await table.close();
  },

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

  async 'a review makes exercises, and a failed one comes again'() {
    const table = await open(390, 844, true);
    const review = async () => {
      await table.press('Review this game');
      // Whose moves they are is not known.
      assert.equal(await table.field('Moves of').inputValue(), 'black');
      await table.press('Review this game');
      await table.says(/^You played a6\?\? Find something better for Black\.$/);
    };
    // The coach looks at Black's moves: one allows mate at once.
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
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

  async 'an exercise with keys alone, in a game with drops'() {
    const table = await open(1440, 900, false);
    await table.read('[Variant "Crazyhouse"]\n[SetUp "1"]\n[FEN "6rk/6pp/8/8/8/8/8/K5R1[N] w - - 0 1"]\n\n1. Rg3 h6 *');
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^You played Rg3.* Find something better for White\.$/);
    await table.press('1 white knight in hand');
    await table.page.locator('.board').focus();
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

  async 'every game goes out as PGN and FEN, and comes in again'() {
    const table = await open(1440, 900, false);
    const wasm = await WebAssembly.compile(readFileSync(new URL('../out/engine.wasm', import.meta.url)));
    const engine = await EngineModule.of(wasm, {});
    for (const { name, title, starts } of engine.ask('games')) {
      // A game of eight moves, here and there in the list of the legal ones.
      const record = (fen, moves) => engine.ask('position', JSON.stringify({ variant: name, fen, moves, start: starts - 1 }));
      const fen = starts > 1 ? record('', []).start.fen : '';
      const moves = [];
      for (let ply = 0; ply < 8; ply++) {
        const { legal } = record(fen, moves);
        moves.push(legal[(5 * ply + 3) % legal.length].san);
      }
      const last = record(fen, moves).plies.at(-1).fen;
      await table.read(engine.ask('write_pgn', JSON.stringify({ variant: name, fen, moves, white: 'A', black: 'B', date: '?', result: '*' })));
      await table.has(8);
      assert.deepEqual(await table.moves(), moves);
      assert.equal(await table.page.locator('h1').innerText(), title);
      await table.press('PGN');
      const pgn = await table.field('Game (PGN)').inputValue();
      for (const [text, count] of [[last, 0], [pgn, 8]]) {
        assert.equal(await table.field('Position (FEN)').inputValue(), last);
        await table.field('Or as text').fill(text);
        await table.press('Open it');
        await table.has(count);
        await table.press('PGN');
      }
      assert.equal(await table.field('Game (PGN)').inputValue(), pgn);
      await table.press('Close');
      assert.deepEqual(await table.moves(), moves);
    }
    await table.close();
  },

  async 'hostile texts do nothing'() {
    const table = await open(390, 844, true);
    const { read, page } = table;
    const script = '<script>window.harm = 1</script><img src=x onerror="window.harm = 1"><svg onload="window.harm = 1">';
    await read(`[Event "${script}"]\n[White "</textarea>${script}"]\n\n1. e4 {${script}} ; ${script}\ne5 (1... d5 {--><b>}) $1 *`);
    await table.has(2);
    const moves = ['e4', 'e5'];
    assert.deepEqual(await table.moves(), moves);
    const placement = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
    const games = ['', ' \n\0', script, '1. e5 *', `1. ${script} *`, `[Variant "${script}"]\n\n1. e4 *`, `[FEN "${script}"]\n\n1. e4 *`,
      '{'.repeat(1e6), `1. ${'e'.repeat(2e6)} *`, '1. Nf3 Nf6 2. Ng1 Ng8 '.repeat(5e3)];
    const positions = ['8/8/8/8/8/8/8/8 w - - 0 1', `${placement} w KQkq`, `${placement} x KQkq - 0 1`, `${placement} w KQkq e9 0 1`,
      `${placement}/8 w KQkq - 0 1`, `${placement} w KQkq - 99999999999999999999 1`, `${placement.replace('8', script)} w KQkq - 0 1`,
      '7k/6Q1/8/8/8/8/8/K7 w - - 0 1', '8/8/8/8/8/8/8/K6p b - - 0 1', `${'8/'.repeat(2e4)}8 w - - 0 1`];
    const refused = page.getByRole('alert').getByText(/^This does not work: [^]+\.$/);
    await table.press('PGN');
    // To type so much would take long.
    const write = (name, text) => table.field(name).evaluate((field, value) => (field.value = value), text);
    for (const text of [...games, ...positions]) {
      await write('Or as text', text);
      await page.getByRole('alert').evaluate(place => (place.textContent = ''));
      await table.press('Open it');
      assert.ok((await refused.innerText()).length < 250, text.slice(0, 100));
    }
    await table.press('Close');
    // The same positions for a new game.
    await table.press('New game');
    await page.getByText('Start from a position').click();
    for (const text of positions) {
      await write('Position', text);
      await page.getByRole('alert').evaluate(place => (place.textContent = ''));
      await table.press('Play');
      await refused.waitFor();
    }
    await table.press('Close');
    assert.deepEqual(await table.moves(), moves);
    assert.equal(await page.evaluate(() => window.harm), undefined);
    assert.equal(await page.locator('img, b, svg[onload], body script').count(), 0);
    // What the browser has kept may be anything.
    await table.page.evaluate(() => {
      const texts = { variant: 'normal', lead: '', glyph: '', verdict: '<b>', punishment: '', reply: '', best: 'e4', clue: '', due: '' };
      const exercise = { ...texts, fen: '<img src=x onerror=alert(1)>', played: 'e4', reasons: [], line: [], others: [], number: 1, box: 0 };
      localStorage.setItem('trebuchet.exercises.1', JSON.stringify([exercise, { ...exercise, fen: 1 }, null, '']));
    });
    await table.page.reload();
    await table.press('Review (1)');
    await table.press('Repeat 1 exercise');
    await table.says(/^Find the moves that you could have played better/);
    assert.equal(await table.page.evaluate(() => localStorage.getItem('trebuchet.exercises.1')), '[]');
    assert.equal(await table.page.locator('img, b').count(), 0);
    await table.press('Back to the game');
    assert.deepEqual(await table.moves(), ['e4', 'e5']);
    await table.close();
  },

  async 'fingers find everything on a phone'() {
    const table = await open(360, 740, true);
    const small = () => table.page.evaluate(() => {
      const window = document.querySelector('dialog:last-of-type') ?? document.body;
      const targets = [...window.querySelectorAll('button, select, summary, textarea, label:has(input[type="checkbox"]), input:not([type="checkbox"])')];
      return targets.filter(target => target.offsetParent !== null)
        .map(target => [target.getAttribute('aria-label') || target.textContent || target.tagName, target.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 44 || height < 44)
        .map(([name, { width, height }]) => `${name}: ${width} x ${height}`);
    });
    assert.deepEqual(await small(), []);
    await table.press('PGN');
    assert.deepEqual(await small(), []);
    await table.press('Close');
    await table.press('New game');
    await table.field('Game').selectOption('crazyhouse');
    await table.page.getByText('Start from a position').click();
    assert.deepEqual(await small(), []);
    await table.press('Set it up on a board');
    assert.deepEqual(await small(), []);
    assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await table.close();
  },

  async 'nothing is wider than the screen'() {
    for (const [width, height] of [[360, 740], [390, 844], [834, 1112], [1440, 900]]) {
      const table = await open(width, height, width < 500);
      assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
      await table.close();
    }
  },
};

try {
  for (const [name, test] of Object.entries(tests)) {
    if (process.argv[2] && !name.includes(process.argv[2])) continue;
    await test();
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
}
