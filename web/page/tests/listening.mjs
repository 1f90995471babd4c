// The page by keyboard alone, and what a screen reader says meanwhile.

import assert from 'node:assert/strict';
import { open } from './open.mjs';

/** A page, the keyboard, and what was said since the last time. */
async function openForKeys() {
  const table = await open(1440, 900, false);
  const { page } = table;
  await page.evaluate(() => {
    window.said = [];
    new MutationObserver(changes => {
      for (const { target, addedNodes } of changes) {
        if (target.closest('[aria-live]')) window.said.push(...[...addedNodes].map(node => node.textContent));
      }
    }).observe(document.body, { subtree: true, childList: true });
  });
  const focused = () => page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement.getAttribute('aria-label') ?? (activeElement.labels?.[0]?.querySelector('span') ?? activeElement).textContent).trim();
  });
  return {
    ...table,
    focused,
    keys: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key);
    },
    /** Goes on with Tab until the element with this name has the focus, which can be seen there. */
    reach: async name => {
      for (let tabs = 0; (await focused()) !== name; tabs++) {
        assert.ok(tabs < 40, `no way to ${name}`);
        await page.keyboard.press('Tab');
        const outline = await page.evaluate(() => document.activeElement === document.body || getComputedStyle(document.activeElement).outlineStyle);
        assert.ok(outline === true || outline !== 'none', `no focus is seen at ${await focused()}`);
      }
    },
    /** What was said since the last time, without the cursor's squares. */
    said: () => page.evaluate(() => window.said.splice(0).filter(text => text && !/^[a-h][1-8], | taken; /.test(text))),
  };
}

const BOARD = 'Board. Arrow keys move the cursor, Enter takes and puts down a man, or puts it back where it stood.';

export const tests = {
  async 'a game by keyboard, each event said once and in words'() {
    const table = await openForKeys();
    const { keys, reach, focused, said } = table;
    await keys('n');
    assert.equal(await focused(), 'Game');
    await reach('Start from a position');
    await keys('Enter', 'Tab');
    assert.equal(await focused(), 'Position');
    await table.page.keyboard.type('6k1/5ppp/8/8/8/8/1r3PPP/1Q2R1K1 w - - 0 1');
    await reach('Play');
    await keys('Enter');
    // The game begins on the board.
    assert.equal(await focused(), BOARD);
    assert.deepEqual(await said(), ['Your move.']);
    await table.page.locator('square.cursor').waitFor();
    await keys('ArrowDown', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Enter', 'ArrowUp', 'Enter');
    await table.says(/^Trebuchet played .* Your move\.$/);
    assert.equal(await focused(), BOARD);
    const game = await said();
    assert.equal(game[0], 'You played queen takes b2. Trebuchet thinks …');
    assert.ok(game.some(text => /^Trebuchet played .*[a-h][1-8].* Your move\.$/.test(text)), game.join('\n'));
    assert.ok(game.some(text => /^queen takes b2\.? .+/.test(text)), game.join('\n'));
    assert.equal(new Set(game).size, game.length, game.join('\n'));
    // Tab goes through the list of moves in one step, and the arrows go through the game.
    await reach('Resign');
    await keys('Tab');
    assert.match(await focused(), /^1\. /);
    const last = await focused();
    await keys('ArrowLeft');
    assert.match(await focused(), /^1\. queen takes b2/);
    // The move, and what the coach has said of it. What it thinks of the position may come late, before these.
    const all = await said();
    const again = all.slice(all.indexOf('You played queen takes b2.'));
    assert.equal(again[0], 'You played queen takes b2.', all.join('\n'));
    assert.match(again[1], /^queen takes b2/);
    await keys('ArrowRight');
    assert.equal(await focused(), last);
    await keys('Tab');
    assert.match(await table.page.evaluate(() => document.activeElement.labels[0].textContent), /^Coach/);
    await table.close();
  },

  async 'a bad move and the end are said once'() {
    const table = await openForKeys();
    const { keys, reach, focused, said } = table;
    await table.start('normal', 'r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3');
    await said();
    await table.field('Type a move').focus();
    await table.page.keyboard.type('Ke5');
    await keys('Enter', 'Enter');
    const refusal = 'This does not work: king e5: the piece does not move like that.';
    assert.deepEqual(await said(), [refusal, refusal]);
    await table.field('Type a move').fill('Qxe5+');
    await keys('Enter');
    await table.has(2);
    await table.says(/^Trebuchet played Nxe5\. Your move\.$/);
    await table.page.locator('.remark').getByText(/^Black is /).waitFor();
    const heard = await said();
    const once = pattern => assert.equal(heard.filter(text => pattern.test(text)).length, 1, `${pattern}\n${heard.join('\n')}`);
    for (const pattern of [/^You played queen takes e5 check\. Trebuchet thinks …$/, /^queen takes e5 check\. Blunder/, /^It leaves the queen/,
      /^Better: /, /^Trebuchet played knight takes e5\. Your move\.$/, /^Black is /]) once(pattern);
    // What is shown is the same in signs.
    const shown = await table.page.locator('.remark').allInnerTexts();
    assert.match(shown[0], /^Qxe5\+\?\? Blunder/);
    assert.equal(new Set(shown).size, shown.length);
    await table.press('Draw');
    await table.says(/^Trebuchet played Nxe5\. You offer a draw\. Your move\.$/);
    assert.deepEqual(await said(), ['Trebuchet played knight takes e5. You offer a draw. Your move.']);
    // The engine is much better: its next move is its answer.
    await table.field('Type a move').fill('a3');
    await keys('Enter');
    await table.says(/^Trebuchet played \S+ It declines the draw\. Your move\./);
    const answers = await said();
    assert.equal(answers[0], 'You played a3. You offer a draw. Trebuchet thinks …');
    assert.equal(answers.filter(text => text.includes(' declines the draw')).length, 1);
    // The button that gives up is gone then.
    await table.page.getByRole('button', { name: 'Resign' }).focus();
    await keys('Enter');
    await reach('Resign');
    await keys('Enter');
    assert.equal(await focused(), BOARD);
    // On a busy machine the coach may have spoken of the last move only now.
    const end = (await said()).filter(text => !text.startsWith('Black is '));
    assert.deepEqual(end, ['You lose. 0-1, White resigns']);
    await reach('Review this game');
    await keys('Enter');
    await table.says(/^You played Qxe5/);
    assert.equal(await focused(), BOARD);
    assert.equal((await said()).at(-1), 'You played queen takes e5 check. Find something better for White.');
    await reach('Back to the game');
    await keys('Enter');
    assert.equal(await focused(), BOARD);
    await table.close();
  },

  async 'a second Enter puts the man back'() {
    const table = await open(1440, 900, false);
    const { page } = table;
    const hears = text => page.getByText(text, { exact: true }).waitFor({ state: 'attached' });
    await page.locator('.board').focus();
    for (const text of ['white pawn taken; it can go to e3, e4', 'white pawn put back', 'white pawn taken; it can go to e3, e4']) {
      await page.keyboard.press('Enter');
      await hears(text);
      await page.locator('square.selected').waitFor({ state: text.endsWith('back') ? 'hidden' : 'visible' });
    }
    for (const key of ['ArrowUp', 'ArrowUp', 'Enter']) await page.keyboard.press(key);
    await table.has(2);
    assert.equal((await table.moves())[0].slice(0, 2), 'e4');
    await table.close();
  },

  async 'in Chess960 a king castles onto a rook'() {
    const table = await open(1440, 900, false);
    await table.start('fischerandom', '4k3/8/8/8/8/8/8/4K2R w H - 0 1');
    await table.page.locator('.board').focus();
    // From e2 to e1.
    for (const key of ['ArrowDown', 'Enter']) await table.page.keyboard.press(key);
    const said = table.page.getByText(/^white king taken; it can go to .*h1 to castle/);
    await said.waitFor({ state: 'attached' });
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) await table.page.keyboard.press(key);
    await table.page.getByText(/O-O/).first().waitFor();
    await table.close();
  },

  async 'check is said, and a promotion is chosen with keys'() {
    const table = await openForKeys();
    const { keys, focused, said } = table;
    await table.start('normal', '7k/P7/8/8/8/8/1q6/K7 w - - 0 1');
    await said();
    await table.says(/^Your move\. You are in check\.$/);
    await table.start('normal', '8/P6k/8/8/8/8/8/K7 w - - 0 1');
    await table.page.locator('.board').focus();
    await keys(...Array(5).fill('ArrowUp'), ...Array(4).fill('ArrowLeft'), 'Enter', 'ArrowUp', 'Enter');
    const promotion = table.page.getByRole('dialog');
    await promotion.waitFor();
    assert.equal(await focused(), 'queen');
    // Who closes the window has not moved.
    await keys('Escape');
    await promotion.waitFor({ state: 'detached' });
    assert.equal(await focused(), BOARD);
    assert.deepEqual(await table.moves(), []);
    await keys('ArrowDown', 'Enter', 'ArrowUp', 'Enter');
    await promotion.waitFor();
    await keys('Tab', 'Enter');
    await table.has(2);
    assert.equal((await table.moves())[0].slice(0, 4), 'a8=R');
    assert.equal(await focused(), BOARD);
    assert.ok((await said()).includes('You played a8 becomes a rook. Trebuchet thinks …'));
    await table.close();
  },

  async 'an offer of a draw stands until the engine has moved'() {
    const table = await open(390, 844, true);
    await table.start('normal', '6k1/8/8/8/8/8/R7/1R4K1 w - - 0 1');
    await table.move('a2', 'a6');
    await table.has(2);
    // After a reload the engine has no score, and cannot agree at once.
    await table.page.reload();
    await table.says(/Your move/);
    await table.press('Draw');
    await table.says(/^Trebuchet played \S+ You offer a draw\. Your move\.$/);
    // An engine that begins anew hears it again.
    const analysis = table.page.getByLabel(/Analysis/);
    await analysis.check();
    await table.page.getByText(/depth \d/).waitFor();
    await analysis.uncheck();
    await table.says(/^Trebuchet played \S+ You offer a draw\. Your move\.$/);
    await table.move('g1', 'g2');
    await table.says(/^A draw\. 1\/2-1\/2 · Draw by agreement$/);
    assert.equal((await table.moves()).length, 3);
    await table.close();
  },

  async 'a win that is no mate is not called so'() {
    const table = await open(390, 844, true);
    await table.start('kingofthehill', '4k3/8/8/8/8/4K3/8/8 w - - 0 1');
    await table.move('e3', 'e4');
    await table.page.getByRole('button', { name: /^1\. king e4 ends the game/ }).waitFor();
    // In Antichess who cannot move has won.
    await table.start('antichess', '8/8/8/p7/8/P7/8/8 w - - 0 1');
    await table.move('a3', 'a4');
    await table.says(/^You lose\. 0-1/);
    await table.page.getByRole('button', { name: /^1\. a4 ends the game/ }).waitFor();
    await table.start('normal', '6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1');
    await table.move('d1', 'd8');
    await table.page.getByRole('button', { name: /^1\. rook d8 mate/ }).waitFor();
    await table.close();
  },

  async 'what is left behind says nothing more'() {
    const table = await openForKeys();
    const { keys, said } = table;
    /** Leaves at once, and returns what is said in the next two seconds. */
    const leave = async () => {
      await table.press('Back to the game');
      await said();
      await table.page.waitForTimeout(2000);
      return said();
    };
    await table.read('1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await keys('f');
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^Looking for mistakes/);
    assert.deepEqual(await leave(), []);
    await table.press('Review');
    await table.press('Review this game');
    await table.says(/^You played a6/);
    await table.move('a7', 'a6');
    await table.says(/^Not that one/);
    assert.deepEqual(await leave(), []);
    // The coach looks at a move that it does not know.
    await table.press('Review (1)');
    await table.press('Repeat 1 exercise');
    await table.move('h7', 'h6');
    await table.says(/: the coach looks …$/);
    assert.deepEqual(await leave(), []);
    // A reply in a puzzle.
    await table.press('Puzzles');
    await keys('h');
    const status = table.page.locator('.status');
    const [, from] = / on (..)\./.exec(await status.innerText());
    await keys('h');
    const [, to] = /([a-h][1-8])(?:=.)?[+#]?\.$/.exec(await status.innerText());
    await table.move(from, to);
    await table.says(/ is right\.$/);
    assert.deepEqual(await leave(), []);
    await table.close();
  },

  async 'between puzzles and a review the game says nothing, and its engine rests'() {
    const table = await openForKeys();
    const { page, said } = table;
    await page.getByLabel(/Analysis/).check();
    await page.getByText(/depth \d/).waitFor();
    await table.press('Puzzles');
    await table.says(/^Find the move/);
    await said();
    await page.evaluate(() => {
      window.engines = 0;
      window.Worker = class extends Worker {
        constructor(...given) {
          super(...given);
          window.engines += 1;
        }
      };
    });
    for (const [name, words] of [['Review', /^This game has no moves yet\.$/], ['Puzzles', /^Find the move/]]) {
      await table.press(name);
      const heard = await said();
      assert.equal(heard.length, 1, heard.join('\n'));
      assert.match(heard[0], words);
      assert.equal(await page.evaluate(() => window.engines), 0);
    }
    await table.press('Back to the game');
    assert.equal((await said()).at(-1), 'Your move.');
    assert.equal(await page.evaluate(() => window.engines), 1);
    await table.close();
  },

  async 'puzzles are not disturbed by the game'() {
    for (const [moves, reply] of [
      // The coach has said nothing of the last decision yet.
      [['e2e4', 'e7e5', 'd1h5', 'b8c6', 'h5e5', 'c6e5'], 'pong '],
      // The engine's move is not shown at once.
      [['e2e4', 'e7e5', 'd1h5', 'b8c6', 'h5e5'], 'move '],
    ]) {
      const table = await open(1440, 900, false);
      // The puzzles are opened as soon as the engine has said so.
      await table.page.addInitScript(start => {
        const openPuzzles = ({ data }) => {
          if (window.said || !data.reply?.startsWith(start)) return;
          window.said = [];
          setTimeout(() => {
            new MutationObserver(changes => window.said.push(...changes.flatMap(change => [...change.addedNodes].map(node => node.textContent))))
              .observe(document.querySelector('body > .spoken'), { childList: true });
            [...document.querySelectorAll('button')].find(button => button.textContent === 'Puzzles').click();
          });
        };
        window.Worker = class extends Worker {
          constructor(...given) {
            super(...given);
            this.addEventListener('message', openPuzzles);
          }
        };
      }, reply);
      await table.keep({ moves });
      await table.says(/^Find the move/);
      await table.page.waitForTimeout(2000);
      const said = await table.page.evaluate(() => window.said);
      assert.deepEqual(said.filter(text => !text.startsWith('Find the move')), []);
      await table.press('Back to the game');
      await table.has(6);
      await table.page.locator('.remarks').getByText(/^Qxe5\+\?\? Blunder/).waitFor();
      await table.close();
    }
  },

  async 'a hint that comes after the move is not said'() {
    const table = await openForKeys();
    await table.moveAfterHint('e4');
    await table.has(2);
    await table.says(/Your move\.$/);
    const heard = await table.said();
    assert.deepEqual(heard.filter(text => text.includes('Ask again for the move')), [], heard.join('\n'));
    await table.close();
  },

  async 'windows give the keyboard back'() {
    const table = await openForKeys();
    const { keys, reach, focused } = table;
    for (const name of ['New game', 'PGN', 'About']) {
      await reach(name);
      await keys('Enter');
      assert.equal(await table.page.getByRole('dialog').count(), 1);
      assert.notEqual(await focused(), name);
      await keys('Escape');
      assert.equal(await table.page.getByRole('dialog').count(), 0);
      assert.equal(await focused(), name);
    }
    await table.close();
  },

  async 'an exercise by keyboard'() {
    const table = await openForKeys();
    const { keys, reach, focused, said } = table;
    await table.read('[White "Anna"]\n[Black "Ben"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 a6 4. Qxf7# 1-0');
    await keys('f');
    await reach('Review this game');
    await keys('Enter');
    // Whose moves are reviewed is still to be chosen.
    assert.equal(await focused(), 'Review this game');
    await said();
    await keys('Enter');
    await table.says(/^You played a6/);
    assert.deepEqual(await said(), ['Looking for mistakes of Ben (Black) …', 'You played a6. Find something better for Black.']);
    assert.equal(await focused(), BOARD);
    // From e2 to a7, seen from Black.
    await keys(...Array(4).fill('ArrowRight'), ...Array(5).fill('ArrowDown'), 'Enter', 'ArrowUp', 'Enter');
    await table.says(/^Not that one/);
    const [verdict, reason, ...others] = await said();
    assert.equal(verdict, 'Not that one. Try again.');
    assert.match(reason, /^a6\. Blunder, .* It allows mate in 1: queen takes f7 mate\.$/);
    assert.deepEqual(others, []);
    // The reply to the mistake is on the board for a moment.
    await table.page.waitForFunction(() => !document.querySelector('.drill .actions button').disabled);
    await reach('Show the answer');
    await keys('Enter');
    await table.says(/^The answer is /);
    assert.match((await said())[0], /^The answer is /);
    assert.equal(await focused(), BOARD);
    await keys('n');
    await table.says(/^0 of 1 found\.$/);
    assert.equal(await focused(), 'Repeat 1 exercise');
    await table.close();
  },

  async 'puzzles by keyboard'() {
    const table = await openForKeys();
    const { keys, reach, focused, said } = table;
    await reach('Puzzles');
    await keys('Enter');
    assert.equal(await focused(), BOARD);
    const [task, ...others] = await said();
    assert.match(task, /^Find the move that wins for (White|Black)\.$/);
    assert.deepEqual(others, []);
    await reach('Show the solution');
    await keys('Enter');
    await table.says(/^The solution: /);
    // The button cannot be pressed any more.
    assert.equal(await focused(), BOARD);
    const [solution, ...more] = await said();
    assert.match(solution, /^The solution: /);
    assert.deepEqual(more, []);
    // The next task is said even if it is the same.
    await keys('n', 'n');
    const tasks = await said();
    assert.equal(tasks.length, 2);
    for (const text of tasks) assert.match(text, /^Find the move that wins for /);
    await keys('h');
    await table.says(/^Look at your /);
    await reach('Back to the game');
    await keys('Enter');
    assert.equal(await focused(), BOARD);
    assert.equal((await said()).at(-1), 'Your move.');
    await table.close();
  },
};
