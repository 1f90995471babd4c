// Games are played, and positions set up.

import assert from 'node:assert/strict';
import { isFirefox, open } from './open.mjs';

export const tests = {
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

  async 'a move out of an analysis is judged, and verdicts stay'() {
    const table = await open(1440, 900, false);
    await table.start('normal', 'r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3');
    const analysis = table.page.getByLabel(/Analysis/);
    await analysis.check();
    await table.page.getByText(/depth \d/).waitFor();
    assert.equal(await table.page.getByRole('button', { name: 'Draw', exact: true }).isEnabled(), false);
    await table.move('h5', 'e5');
    const verdict = table.page.locator('.remarks').getByText(/^Qxe5\+\?\? Blunder/);
    await verdict.waitFor();
    await table.has(2);
    const [first, answer] = await table.moves();
    assert.equal(first, 'Qxe5+??');
    await table.page.reload();
    await table.says(/Your move/);
    await verdict.waitFor();
    assert.equal(await verdict.count(), 1);
    // Stepping back shows what was said of the move on the board.
    await table.press('First position');
    assert.equal(await verdict.count(), 0);
    await table.press('Forward');
    await verdict.waitFor();
    await table.press('PGN');
    assert.match((await table.field('Game (PGN)').inputValue()).replaceAll('\n', ' '), new RegExp(`Qxe5\\+ \\$4 \\{Qxe5\\+\\?\\? Blunder.*\\} 3\\.\\.\\. ${answer}`));
    await table.press('Close');
    await table.close();
  },

  async 'a move before which the engine is stopped is judged, too'() {
    const table = await open(1440, 900, false);
    // As after "Move now": the engine has answered, and the coach has said nothing of the move before.
    await table.keep({ moves: ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'h5e5', 'c6e5'], level: 'Master' });
    await table.page.locator('.remarks').getByText(/^Qxe5\+\?\? Blunder/).waitFor();
    assert.deepEqual(await table.moves(), ['e4', 'e5', 'Qh5', 'Nc6', 'Qxe5+??', 'Nxe5']);
    // The buttons that step stay where they are, whatever is said.
    const place = () => table.page.getByRole('button', { name: 'Back', exact: true }).boundingBox();
    const before = await place();
    for (let step = 0; step < 3; step++) {
      await table.press('Back');
      assert.deepEqual(await place(), before);
    }
    await table.close();
  },

  async 'what was kept and cannot be played leaves nothing behind'() {
    const table = await open(390, 844, true);
    const sound = { variant: 'normal', moves: ['e2e4'], glyphs: {}, comments: {}, tags: [['Event', 'Old']], players: { white: 'A', black: 'B' }, level: 'Hard' };
    for (const [state, moves, level] of [
      [{ ...sound, moves: ['e2e5'], comments: { 0: 'Old.' } }, [], 'Hard'],
      [{ ...sound, comments: [] }, [], 'Beginner'],
      [{ ...sound, comments: { x: 'Old.' } }, [], 'Beginner'],
      [{ variant: 'normal', moves: ['e2e4'], glyphs: { 0: '!' }, level: 'Hard', coach: false }, ['e4!'], 'Hard'],
    ]) {
      await table.keep(state);
      assert.deepEqual((await table.moves()).slice(0, 1), moves, JSON.stringify(state));
      assert.equal(await table.page.getByText('Old.').count(), 0);
      assert.ok((await table.page.locator('.side .name').allInnerTexts()).includes(`Trebuchet, ${level}`));
      await table.press('PGN');
      assert.doesNotMatch(await table.field('Game (PGN)').inputValue(), /Old/);
      await table.press('Close');
    }
    await table.close();
  },

  async 'each tab keeps its own game'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    await table.keep({ moves: ['e2e4', 'e7e5'] });
    const other = await page.context().newPage();
    const visit = async () => {
      await other.goto(page.url());
      await other.waitForSelector('cg-board');
      return other.locator('.moves button').allInnerTexts();
    };
    // A new tab begins with the last game, also without a move there.
    assert.deepEqual(await visit(), ['e4', 'e5']);
    await table.read('1. d4 *');
    await table.has(1);
    assert.deepEqual(await visit(), ['e4', 'e5']);
    await page.reload();
    await table.has(1);
    assert.deepEqual(await table.moves(), ['d4']);
    // A tab that may keep nothing begins with the last game.
    await other.addInitScript(() => Object.defineProperty(window, 'sessionStorage', { get: () => { throw new Error('refused'); } }));
    assert.deepEqual(await visit(), ['d4']);
    await other.addInitScript(() => Object.defineProperty(window, 'localStorage', { get: () => { throw new Error('refused'); } }));
    assert.deepEqual(await visit(), []);
    await table.close();
  },

  async 'a game that is opened where nobody sees it waits for the player'() {
    const table = await open(1440, 900, false);
    await table.page.addInitScript(() => Object.defineProperty(document, 'hidden', { value: true, configurable: true }));
    const clock = { base: 180_000, increment: 0, white: 1500, black: 60_000 };
    await table.keep({ moves: ['e2e4', 'e7e5'], clock });
    await table.page.waitForTimeout(3000);
    assert.deepEqual(await table.page.locator('.clock').allInnerTexts(), ['1:00', '0:02']);
    // The clock runs as soon as the page is seen.
    await table.page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { value: false, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    });
    await table.says(/^You lose\. 0-1 · White has no time left/);
    await table.close();
  },

  async 'an arrow that comes while the board is hidden is there afterwards'() {
    const table = await open(1440, 900, false);
    const hide = isHidden => table.page.evaluate(value => (document.querySelector('main').hidden = value), isHidden);
    await table.press('Hint');
    await table.page.getByText(/Ask again for the move/).first().waitFor();
    await hide(true);
    await table.page.keyboard.press('h');
    await table.page.waitForFunction(() => document.querySelector('.cg-shapes line'));
    await hide(false);
    // It begins at a man of White's on rank 1 or 2, and ends above it.
    await table.page.waitForFunction(() => {
      const [y1, y2] = ['y1', 'y2'].map(end => Number(document.querySelector('.cg-shapes line')?.getAttribute(end)));
      return y1 > 2 && y2 < y1 - 0.5;
    });
    await table.close();
  },

  async 'an analysis is stopped, and follows the game'() {
    const table = await open(390, 844, true);
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await table.says(/^1-0 · White mates/);
    assert.deepEqual(await table.page.locator('.side .name').allInnerTexts(), ['Black', 'White']);
    const analysis = table.page.getByLabel(/Analysis/);
    const line = table.page.locator('.analysis');
    await analysis.check();
    await table.page.getByText(/^The game is over here/).waitFor();
    await table.press('Back');
    await table.page.getByText(/^White wins in 1 \(depth \d+\): Qxf7#$/).waitFor();
    // From here the engine would look for long.
    await table.press('First position');
    await table.page.getByText(/^[+−]0\.\d\d \(depth \d+\): [a-hN]/).waitFor();
    // What it found stays behind when another game begins.
    await table.read('1. f3 e5 2. g4 Qh4# 0-1');
    await table.page.getByText(/^The game is over here/).waitFor();
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await analysis.uncheck();
    await line.waitFor({ state: 'hidden' });
    await table.says(/^1-0 · White mates/);
    // Who goes on with the game, plays it.
    await table.press('Take back');
    await table.says(/Your move/);
    assert.deepEqual(await table.page.locator('.side .name').allInnerTexts(), ['Trebuchet, Beginner', 'You']);
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
      const hint = await table.page.locator('.remark').getByText(/^Hint: \S+/).innerText();
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

  async 'an engine that breaks down can be started again'() {
    const table = await open(1440, 900, false);
    /** The workers that start from now on cannot run the engine, or can. */
    const breakEngines = areBroken => table.page.evaluate(isBroken => {
      window.Whole ??= Blob;
      window.Blob = class extends window.Whole {
        constructor(parts, options) {
          super(isBroken ? ["WebAssembly.instantiate = () => Promise.reject(new Error('no memory'));", ...parts] : parts, options);
        }
      };
    }, areBroken);
    const analysis = table.page.getByLabel(/Analysis/);
    /** The worker is started anew. */
    const restart = async () => {
      await analysis.check();
      await table.page.getByText(/depth \d/).waitFor();
      await analysis.uncheck();
    };
    const trouble = way => table.page.locator('.remark').getByText(`The engine has broken down. “${way}” starts it again.`, { exact: true });
    await table.start('normal', '');
    await breakEngines(true);
    await restart();
    // There is nothing to take back.
    await trouble('New game').waitFor();
    await table.move('e2', 'e4');
    await trouble('Take back').waitFor();
    await table.says(/^You played e4\.$/);
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^The review ended after 0 moves: The engine has broken down\./);
    await breakEngines(false);
    await table.press('Back to the game');
    await table.has(2);
    assert.equal(await table.page.locator('.remark').getByText(/broken down/).count(), 0);
    await table.close();
  },

  async 'an analysis of a game that ended with an explosion says that it is over'() {
    const table = await open(1440, 900, false);
    await table.read('[Variant "Atomic"]\n\n1. Nf3 f6 2. Nd4 Nh6 3. Ne6 Na6 4. Nxd8# 1-0');
    await table.says(/^1-0 · /);
    await table.page.getByLabel(/Analysis/).check();
    const line = table.page.locator('.analysis');
    await line.getByText(/^The game is over here/).waitFor();
    await table.press('Back');
    await line.getByText(/^White wins in 1 \(depth \d+\): Nx/).waitFor();
    await table.press('Forward');
    await line.getByText(/^The game is over here/).waitFor();
    // Nor does the engine complain.
    await table.page.waitForTimeout(1000);
    assert.equal(await table.page.locator('.remark').count(), 0);
    await table.close();
  },

  async 'in Chess960 a line castles'() {
    const table = await open(1440, 900, false);
    // To castle is the only mate.
    await table.start('fischerandom', '5k2/7P/7P/8/8/8/4R3/5KR1 w G - 0 1');
    await table.page.getByLabel(/Analysis/).check();
    await table.page.getByText(/^White wins in 1 \(depth \d+\): O-O#$/).waitFor();
    await table.close();
  },

  async 'a clock that runs leaves the names alone'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    const clock = { base: 180_000, increment: 0, white: 120_000, black: 60_000 };
    await table.keep({ moves: ['e2e4', 'e7e5'], clock });
    await table.says(/Your move/);
    await page.evaluate(() => (window.parts = [...document.querySelectorAll('.side > *')]));
    const isSame = () => page.evaluate(() => [...document.querySelectorAll('.side > *')].every((part, index) => part === window.parts[index]));
    const before = await page.locator('.clock.running').innerText();
    await page.waitForFunction(old => document.querySelector('.clock.running').textContent < old, before);
    assert.ok(await isSame());
    assert.equal(await page.locator('.clock:not(.running)').innerText(), '1:00');
    await table.move('g1', 'f3');
    await table.has(4);
    assert.ok(await isSame());
    assert.match(await page.locator('.clock.running').innerText(), /^1:5/);
    await table.press('Turn the board');
    assert.deepEqual(await page.locator('.side .name').allInnerTexts(), ['You', 'Trebuchet, Beginner']);
    await table.close();
  },

  async 'who runs out of time loses only to a side that can win'() {
    const table = await open(390, 844, true);
    const clock = { base: 180_000, increment: 0, white: 1500, black: 60_000 };
    await table.keep({ fen: '4k3/8/8/8/8/8/8/3QK3 w - - 0 1', moves: ['d1d2', 'e8e7'], clock });
    await table.says(/^A draw\. 1\/2-1\/2 · White has no time left, and Black cannot win$/);
    await table.keep({ fen: '4k3/7p/8/8/8/8/8/3QK3 w - - 0 1', moves: ['d1d2', 'e8e7'], clock });
    await table.says(/^You lose\. 0-1 · White has no time left$/);
    await table.close();
  },

  async 'a move after the end of the time does not count'() {
    const table = await open(390, 844, true);
    const clock = { base: 180_000, increment: 2000, white: 60_000, black: 60_000 };
    await table.keep({ moves: ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'f1c4', 'a7a6'], clock });
    await table.says(/Your move/);
    // The time passes at once, and with it comes a mate.
    await table.page.evaluate(() => {
      const field = document.querySelector('.typed input');
      const now = performance.now.bind(performance);
      performance.now = () => now() + 100_000;
      field.value = 'Qxf7#';
      field.form.requestSubmit();
    });
    await table.says(/^You lose\. 0-1 · White has no time left$/);
    assert.equal((await table.moves()).length, 6);
    assert.deepEqual(await table.page.locator('.clock').allInnerTexts(), ['1:00', '0:00']);
    await table.close();
  },

  async 'without the coach a hint is the move'() {
    const table = await open(390, 844, true);
    await table.keep({ fen: '6k1/5ppp/8/8/8/8/8/K6R w - - 0 1', coach: false });
    await table.press('Hint');
    await table.page.locator('.remark').getByText(/^Hint: \S+$/).waitFor();
    await table.page.waitForFunction(() => document.querySelector('.cg-shapes line'));
    await table.close();
  },

  async 'a hint ends with the game'() {
    const table = await open(390, 844, true);
    await table.keep({ moves: ['e2e4', 'e7e5', 'd1h5', 'b8c6'], comments: { 3: 'Inaccuracy.' } });
    const remarks = table.page.locator('.remark');
    for (const pattern of [/Ask again for the move/, /^Hint: /]) {
      await table.press('Hint');
      await remarks.getByText(pattern).waitFor();
    }
    await table.page.waitForFunction(() => document.querySelector('.cg-shapes line'));
    await table.press('Resign');
    await table.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await table.says(/resigns$/);
    await remarks.getByText('Inaccuracy.', { exact: true }).waitFor();
    assert.equal(await remarks.getByText(/^Hint: /).count(), 0);
    await table.page.waitForFunction(() => !document.querySelector('.cg-shapes line'));
    await table.close();
  },

  async 'what is found for a hint after the move is nothing to play now'() {
    const table = await open(1440, 900, false);
    // Notes with each line of thinking whether the engine has answered the hint before it, its move, and whether "Move now"
    // is there before the next message.
    await table.page.addInitScript(() => {
      window.lines = [];
      let pongs = 0;
      const isShown = () => [...document.querySelectorAll('button')].some(button => button.textContent === 'Move now' && !button.hidden);
      let heard = null;
      const note = () => {
        if (heard) window.lines.push([...heard, isShown()]);
        heard = null;
      };
      const hear = ({ data }) => {
        note();
        if (data.reply?.startsWith('pong ')) pongs += 1;
        const move = /\t(\S+)/.exec(data.progress ?? '');
        if (!move) return;
        heard = [pongs > 1, move[1]];
        setTimeout(note);
      };
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          this.addEventListener('message', hear);
        }
      };
    });
    // A drop is written the same for both sides.
    for (const game of [{ fen: '4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1' }, { variant: 'crazyhouse', fen: '4k3/8/8/8/8/8/4P3/4K3[Nn] w - - 0 1' }]) {
      await table.keep({ ...game, coach: false, level: 'Master' });
      await table.says(/Your move/);
      await table.moveAfterHint('e4');
      await table.has(2);
      const lines = await table.page.evaluate(() => window.lines);
      const [hints, own] = [false, true].map(wanted => lines.filter(([isAnswered]) => isAnswered === wanted));
      assert.ok(hints.length > 0 && own.length > 0, JSON.stringify(lines));
      assert.deepEqual(hints.filter(([, , isShown]) => isShown), []);
      assert.ok(own.some(([, , isShown]) => isShown));
    }
    await table.close();
  },

  async 'the moves of the book are no words of the coach'() {
    const table = await open(390, 844, true);
    await table.keep({ level: 'Master' });
    await table.move('e2', 'e4');
    await table.has(2);
    await table.page.locator('.remark').nth(1).waitFor();
    const remarks = await table.page.locator('.remark').allInnerTexts();
    assert.deepEqual(remarks.filter(text => text.startsWith('(')), []);
    await table.close();
  },

  async 'what the coach says too late is not about the next move'() {
    const table = await open(1440, 900, false);
    // The player moves as soon as the engine's move is shown, and what the engine says after its move comes only then.
    // Notes the remarks and what is shown of them.
    await table.page.addInitScript(() => {
      window.late = [];
      const count = () => document.querySelectorAll('.moves button').length;
      window.Worker = class extends Worker {
        set onmessage(hear) {
          let moves = 0;
          const held = [];
          const tell = event => {
            const { reply = '' } = event.data;
            const remark = moves === 1 && /^\d+ 0 0 0[ \t]([^(].*)$/.exec(reply);
            if (reply.startsWith('move ')) moves++;
            hear(event);
            if (remark) window.late.push([remark[1], document.querySelector('.remarks').textContent]);
          };
          super.onmessage = event => {
            if (moves === 1 && (count() < 3 || held.length)) held.push(event);
            else tell(event);
          };
          setInterval(() => {
            if (count() === 3) held.splice(0).forEach(tell);
          }, 5);
        }
      };
      setInterval(() => {
        if (count() !== 2) return;
        const field = document.querySelector('.typed input');
        field.value = 'd4';
        field.form.requestSubmit();
      }, 5);
    });
    await table.keep({});
    await table.move('e2', 'e4');
    await table.has(4);
    const late = await table.page.evaluate(() => window.late);
    assert.ok(late.length > 0);
    for (const [remark, shown] of late) assert.ok(!shown.includes(remark), `${remark}\n${shown}`);
    await table.close();
  },

  async 'moves are typed as people write them'() {
    const table = await open(390, 844, true);
    const { page } = table;
    const type = async text => {
      await table.field('Type a move').fill(text);
      await page.keyboard.press('Enter');
    };
    const problem = page.locator('.typed .problem');
    await table.keep({ fen: '7k/P6p/8/8/8/1r6/1PP4P/KB4N1 w - - 0 1' });
    const first = async () => (await table.moves())[0].replace(/[?!]+$/, '');
    for (const [text, move] of [['h2-h4', 'h4'], ['Ng1f3', 'Nf3'], ['nf3', 'Nf3'], ['a8', 'a8=Q+'], ['cb3', 'cxb3'], ['A8=N', ''], ['a8=n', 'a8=N']]) {
      await type(text);
      if (!move) {
        await problem.getByText(/^This does not work: A8=N: not understood\.$/).waitFor();
        continue;
      }
      await table.has(2);
      assert.equal(await first(), move, text);
      await table.press('Take back');
      await table.has(0);
    }
    await table.keep({ fen: '7k/7p/8/8/8/8/1P5P/KB4N1 w - - 0 1' });
    await type('bc2');
    await table.has(2);
    assert.equal(await first(), 'Bc2');
    await table.press('Take back');
    await type('Kb4');
    await problem.getByText(/^This does not work: Kb4: the piece does not move like that\.$/).waitFor();
    await table.close();
  },

  async 'why a typed move is refused stands until something changes'() {
    const table = await open(390, 844, true);
    const problem = table.page.locator('.typed .problem');
    /** A king that goes too far. */
    const refuse = async () => {
      await table.field('Type a move').fill('Ke5');
      await table.page.keyboard.press('Enter');
      assert.match(await problem.innerText(), /^This does not work: Ke5: the piece does not move like that\.$/);
    };
    await table.keep({ fen: '4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1' });
    const analysis = table.page.getByLabel(/Analysis/);
    await analysis.check();
    await table.page.getByText(/depth \d/).waitFor();
    await refuse();
    // The lines of the engine leave it there.
    const line = await table.page.locator('.analysis').innerText();
    await table.page.waitForFunction(old => document.querySelector('.analysis').textContent !== old, line);
    assert.match(await problem.innerText(), /Ke5/);
    await table.field('Type a move').fill('Ke');
    assert.equal(await problem.innerText(), '');
    await refuse();
    await table.move('e2', 'e4');
    await table.has(2);
    assert.equal(await problem.innerText(), '');
    await refuse();
    await table.press('Resign');
    await table.page.getByRole('dialog').getByRole('button', { name: 'Resign' }).click();
    await table.says(/resigns$/);
    assert.equal(await problem.innerText(), '');
    await table.press('Take back');
    await refuse();
    await table.start('normal', '');
    assert.equal(await problem.innerText(), '');
    await table.close();
  },

  async 'keys go on after a box was switched'() {
    const table = await open(1440, 900, false);
    await table.page.getByLabel(/Heat map/).check();
    await table.page.keyboard.press('f');
    await table.page.locator('.orientation-black').waitFor();
    await table.close();
  },

  async 'the heat map shows the position on the board'() {
    const table = await open(1440, 900, false);
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await table.page.getByLabel(/Heat map/).check();
    const hot = table.page.locator('.hot');
    assert.equal(await hot.isVisible(), false);
    await table.press('Back');
    await hot.getByText(/^Hot: .*f7/).waitFor();
    assert.ok((await table.page.locator('.heat g').count()) > 0);
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
    // The end is not heard again after a review.
    await table.press('Review');
    await table.press('Back to the game');
    await table.says(/resigns$/);
    assert.equal(await tones(), '');
    await table.start('normal', '');
    assert.equal(await tones(), '');
    await table.press('Puzzles');
    await table.press('Show the solution');
    await table.says(/^The solution/);
    // A solution that ends the game is heard; another puzzle is not.
    assert.ok(['', end].includes(await tones()));
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
    await phone.tap('2 white knights in hand');
    await phone.page.locator('.hand [aria-pressed=true]').waitFor();
    await phone.tap('2 white knights in hand');
    await phone.touch('f6');
    assert.deepEqual(await phone.moves(), []);
    await phone.tap('2 white knights in hand');
    await phone.touch('f6');
    await phone.has(2);
    assert.equal((await phone.moves())[0].replace(/[?!]+$/, ''), 'N@f6+');
    const left = phone.page.getByRole('button', { name: '1 white knight in hand', exact: true });
    await left.waitFor();
    if (!isFirefox) {
      // Dragged with a finger.
      const finger = await phone.page.context().newCDPSession(phone.page);
      const send = (type, ...touchPoints) => finger.send('Input.dispatchTouchEvent', { type, touchPoints });
      const [man, board] = [await left.boundingBox(), await phone.page.locator('cg-board').boundingBox()];
      const from = { x: man.x + man.width / 2, y: man.y + man.height / 2 };
      const to = { x: board.x + board.width / 16, y: board.y + (9 * board.height) / 16 };
      await send('touchStart', from);
      for (const part of [0.3, 0.6, 1]) await send('touchMove', { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) });
      await send('touchEnd');
      await phone.has(4);
      assert.match((await phone.moves())[2], /^N@a4/);
    }
    await phone.close();
    const screen = await open(1440, 900, false);
    await screen.start('crazyhouse', fen);
    // Who takes a man with a key is on the board then.
    const knights = screen.page.getByRole('button', { name: '2 white knights in hand' });
    // Who puts it back, or asks for a hint, stays at the man.
    await knights.focus();
    await screen.page.keyboard.press('Enter');
    await knights.focus();
    await screen.page.keyboard.press('Enter');
    const hasFocus = () => knights.evaluate(man => man === document.activeElement && man.getAttribute('aria-pressed') === 'false');
    assert.ok(await hasFocus());
    for (const pattern of [/Ask again for the move/, /^Hint: /]) {
      await screen.page.keyboard.press('h');
      await screen.page.locator('.remark').getByText(pattern).waitFor();
    }
    assert.ok(await hasFocus());
    for (const key of ['Enter', 'ArrowUp', 'Enter']) await screen.page.keyboard.press(key);
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

  async 'a click beside a window closes it, and what is dragged out of it does not'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    const windows = page.locator('dialog');
    const drag = async (from, to) => {
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.mouse.up();
    };
    const beside = [30, 450];
    await table.press('New game');
    await page.getByText('Start from a position').click();
    await table.press('Set it up on a board');
    await page.locator('.editor cg-board piece').nth(31).waitFor();
    // Two men leave the board: one beside the window, one at its edge.
    const board = await page.locator('.editor cg-board').boundingBox();
    const square = file => [board.x + ((file + 0.5) * board.width) / 8, board.y + (15 * board.height) / 16];
    await drag(square(0), beside);
    const { x, y, width } = await page.locator('.editor').boundingBox();
    await drag(square(7), [x + width - 4, square(7)[1]]);
    await page.mouse.click(x + width - 4, y + 100);
    assert.equal(await windows.count(), 2);
    await table.press('Take this position');
    assert.equal(await table.field('Position').inputValue(), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBN1 w kq - 0 1');
    await page.mouse.click(...beside);
    await windows.waitFor({ state: 'detached' });
    // A selection that goes too far.
    await table.press('PGN');
    const text = await table.field('Game (PGN)').boundingBox();
    await drag([text.x + 20, text.y + 20], beside);
    await drag(beside, [text.x + 20, text.y + 20]);
    assert.equal(await windows.count(), 1);
    await page.mouse.click(...beside);
    await windows.waitFor({ state: 'detached' });
    await table.close();
  },

  async 'the board of the editor casts kings about, and forgets what was before'() {
    const table = await open(1440, 900, false);
    const editor = table.page.locator('.editor');
    const touch = async square => {
      const box = await editor.locator('cg-board').boundingBox();
      await table.page.mouse.click(box.x + ((square.charCodeAt(0) - 96.5) * box.width) / 8, box.y + ((8.5 - Number(square[1])) * box.height) / 8);
    };
    const begin = async (game, fen = '') => {
      await table.page.keyboard.press('n');
      await table.field('Game').selectOption(game);
      if (!(await table.field('Position').isVisible())) await table.page.getByText('Start from a position').click();
      await table.field('Position').fill(fen);
      await table.press('Set it up on a board');
    };
    const taken = async () => {
      await table.press('Take this position');
      const fen = await table.field('Position').inputValue();
      await table.press('Close');
      // A busy browser may open the next window before it takes this one away.
      await table.page.locator('dialog').waitFor({ state: 'detached' });
      return fen;
    };
    const men = async (...all) => {
      await table.press('Empty board');
      for (const [man, square] of all) {
        await table.press(`Put a ${man}`);
        await touch(square);
      }
    };
    // A king that goes two squares does not castle.
    await begin('normal');
    await men(['white king', 'e1'], ['white rook', 'h1'], ['black king', 'e8']);
    await table.press('Move men');
    await touch('e1');
    await touch('g1');
    assert.equal(await taken(), '4k3/8/8/8/8/8/8/6KR w - - 0 1');
    // In Chess960 king and rooks castle from other squares, too.
    await begin('fischerandom');
    await men(['white king', 'f1'], ['white rook', 'b1'], ['white rook', 'g1'], ['black king', 'd8'], ['black rook', 'a8']);
    assert.equal(await taken(), 'r2k4/8/8/8/8/8/8/1R3KR1 w KQq - 0 1');
    // What is not changed stays, and nobody gets a right back.
    for (const [game, fen] of [
      ['normal', 'r3k2r/8/8/8/8/8/8/R3K2R w - - 7 30'],
      ['normal', 'rnbqkbnr/ppp1pppp/8/8/3pP3/7P/PPPP1PP1/RNBQKBNR b Qkq e3 0 3'],
      ['fischerandom', '4k3/8/8/8/8/8/8/4KRR1 w F - 5 9'],
      ['crazyhouse', '4k3/8/8/8/8/8/8/Q~3K2R[Pn] w - - 3 9'],
    ]) {
      await begin(game, fen);
      assert.equal(await taken(), fen);
    }
    await begin('normal', 'r3k2r/8/8/8/8/8/8/4K2R w kq - 7 30');
    await table.press('Put a white rook');
    await touch('a1');
    assert.equal(await taken(), 'r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1');
    await begin('fischerandom', '4k3/8/8/8/8/8/8/4KRR1 w F - 5 9');
    await table.press('Put a white rook');
    await touch('a1');
    assert.equal(await taken(), '4k3/8/8/8/8/8/8/R3KRR1 w FQ - 0 1');
    // The side to move and the checks given go with the men.
    await begin('3check', '4k3/8/8/8/8/8/8/4K2R b K - 1+2 0 1');
    assert.equal(await table.field('To move').inputValue(), 'b');
    await table.press('Start position');
    assert.equal(await taken(), 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1');
    await begin('3check', '4k3/8/8/8/8/8/8/4K2R b K - 1+2 0 1');
    await men(['white king', 'e1'], ['black king', 'e8']);
    assert.equal(await taken(), '4k3/8/8/8/8/8/8/4K3 w - - 3+3 0 1');
    await table.close();
  },

  async 'a board that is gone listens no more'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    // Counts what begins and does not end to listen to the whole page.
    await page.evaluate(() => {
      window.listeners = 0;
      const methods = EventTarget.prototype;
      for (const [name, step] of [['addEventListener', 1], ['removeEventListener', -1]]) {
        const own = methods[name];
        methods[name] = function (...given) {
          if (this === document || this === window) window.listeners += step;
          return own.apply(this, given);
        };
      }
    });
    const listeners = () => page.evaluate(() => window.listeners);
    for (const name of ['Puzzles', 'Review']) {
      await table.press(name);
      assert.notEqual(await listeners(), 0);
      await table.press('Back to the game');
      assert.equal(await listeners(), 0, name);
    }
    await table.press('New game');
    await page.getByText('Start from a position').click();
    await table.press('Set it up on a board');
    assert.notEqual(await listeners(), 0);
    await table.press('Take this position');
    await page.locator('.editor').waitFor({ state: 'detached' });
    assert.equal(await listeners(), 0);
    await table.close();
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
    // A second Enter puts the man back.
    await type('Enter');
    await hears('h1, white rook');
    await type('Enter');
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
    await table.page.waitForFunction(() => document.activeElement.selectedOptions[0].textContent === 'Black');
    await reach('Take this position');
    await type('Enter');
    assert.equal(await table.field('Position').inputValue(), '8/8/8/7k/8/8/7R/4Kn2 b - - 0 1');
    await table.close();
  },
};
