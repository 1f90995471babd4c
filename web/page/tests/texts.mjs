// Texts go in and out, and everything fits the screen.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EngineModule, open } from './open.mjs';

export const tests = {
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
      await table.read(engine.ask('write_pgn', JSON.stringify({ variant: name, fen, moves, white: 'A', black: 'B', tags: [], result: '*' })));
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

  async 'a game from a file has the names of its players'() {
    const table = await open(360, 740, true);
    const names = () => table.page.locator('.side .name').allInnerTexts();
    const height = () => table.page.locator('cg-board').evaluate(board => board.getBoundingClientRect().top);
    const before = await height();
    const long = 'Maria '.repeat(20);
    await table.read(`[White "${long}"]\n[Black " Ben \u202e\u0007 "]\n\n1. e4 e5 2. Nf3 1-0`);
    assert.deepEqual(await names(), ['Ben', `${long.slice(0, 40)}…`]);
    assert.equal(await height(), before);
    const fits = async () => assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await fits();
    await table.press('Review');
    await table.field('Moves of').waitFor();
    await fits();
    await table.press('PGN');
    await table.field('Or as text').fill(`[White "${long}"]\n[Black "${long}"]\n\n1. e4 *\n\n`.repeat(2));
    assert.equal(await table.field('Which game').isVisible(), true);
    assert.equal(await table.page.locator('dialog').evaluate(dialog => dialog.scrollWidth - dialog.clientWidth), 0);
    await table.press('Close');
    // A game that is not over is played on by the side to move, which is nearer on the board.
    await table.read('[White "?"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 *');
    assert.deepEqual(await names(), ['White', 'Ben']);
    await table.says(/^White played Nf3\. Your move\.$/);
    await table.press('PGN');
    assert.match(await table.field('Game (PGN)').inputValue(), /\[White "\?"\]\n\[Black "Ben"\]/);
    await table.press('Close');
    await table.page.reload();
    await table.says(/^White played Nf3\. Your move\.$/);
    assert.deepEqual(await names(), ['White', 'Ben']);
    // Who takes back has the side that is nearer on the board, and the moves that this side can change.
    for (const [turns, moves, sides] of [[0, 1, ['Trebuchet, Beginner', 'You']], [1, 2, ['Trebuchet, Beginner', 'You']]]) {
      await table.read('[White "Anna"]\n[Black "Ben"]\n\n1. e4 e5 2. Nf3 *');
      assert.deepEqual(await names(), ['Anna', 'Ben']);
      for (let turn = 0; turn < turns; turn++) await table.press('Turn the board');
      await table.press('Take back');
      await table.says(/Your move\.$/);
      await table.has(moves);
      assert.deepEqual(await names(), sides);
    }
    // A finished game that was played here is seen from the player's side.
    await table.read('[White "Trebuchet (Hard)"]\n[Black "You"]\n\n1. e4 e5 0-1');
    assert.deepEqual(await names(), ['Trebuchet (Hard)', 'You']);
    await table.read('[White "You"]\n[Black "Trebuchet (Hard)"]\n\n1. e4 e5 0-1');
    assert.deepEqual(await names(), ['Trebuchet (Hard)', 'You']);
    // Black has made no move that could be taken back.
    await table.read('1. e4 1-0');
    assert.equal(await table.page.getByRole('button', { name: 'Take back' }).isEnabled(), true);
    await table.press('Turn the board');
    assert.equal(await table.page.getByRole('button', { name: 'Take back' }).isEnabled(), false);
    await table.close();
  },

  async 'a game from a file keeps its tags, signs and comments'() {
    const table = await open(390, 844, true);
    const file = '[Event "Club <b>"]\n[Site "Rome"]\n[Date "1999.01.02"]\n[Round "3"]\n[White "Anna"]\n[Black "Ben"]\n[Result "1-0"]\n[ECO "C20"]\n\n'
      + '{The start.} 1. e4 {Good. Best by test.} 1... f6 $6 2. d4 $1 1-0';
    await table.read(file);
    assert.deepEqual(await table.moves(), ['e4', 'f6?!', 'd4!']);
    const remarks = table.page.locator('.remarks p');
    assert.equal(await remarks.count(), 0);
    await table.press('First position');
    assert.deepEqual(await remarks.allInnerTexts(), ['The start.']);
    await table.press('Forward');
    assert.deepEqual(await remarks.allInnerTexts(), ['Good. Best by test.']);
    assert.equal(await table.pgn(), file);
    await table.page.reload();
    assert.equal(await table.pgn(), file);
    // Who goes on plays a game of today.
    await table.press('Take back');
    await table.says(/Your move\.$/);
    const own = await table.pgn();
    assert.match(own, /\[Event "A game on Trebuchet's page"\]\n\[Site "\?"\]\n\[Date "20/);
    assert.doesNotMatch(own, /ECO|\[Site "Rome"\]|d4/);
    await table.close();
  },

  async 'a game goes out with the day on which it was played'() {
    const table = await open(390, 844, true);
    const { clock } = table.page;
    const date = async () => /\[Date "(.*)"\]/.exec(await table.pgn())[1];
    await clock.setFixedTime(new Date(2024, 4, 31, 12));
    await table.move('e2', 'e4');
    await table.has(2);
    await clock.setFixedTime(new Date(2024, 5, 1, 12));
    assert.equal(await date(), '2024.05.31');
    await table.page.reload();
    assert.equal(await date(), '2024.05.31');
    // The player's first move is taken back, and made today.
    await table.press('Take back');
    await table.has(0);
    assert.equal(await date(), '2024.06.01');
    await table.move('e2', 'e4');
    await table.has(2);
    await clock.setFixedTime(new Date(2024, 5, 2, 12));
    assert.equal(await date(), '2024.06.01');
    // A game from a text becomes the player's.
    await table.read('[Date "1999.01.02"]\n\n1. e4 e5 2. d4 *');
    assert.equal(await date(), '1999.01.02');
    await table.press('Take back');
    await table.has(1);
    await clock.setFixedTime(new Date(2024, 5, 3, 12));
    assert.equal(await date(), '2024.06.02');
    // Of a game that was kept without its day, it is not known.
    await table.keep({ moves: ['e2e4', 'e7e5'] });
    assert.equal(await date(), '????.??.??');
    assert.deepEqual(await table.moves(), ['e4', 'e5']);
    await table.keep({ moves: ['e2e4', 'e7e5'], date: 20240531 });
    assert.deepEqual(await table.moves(), []);
    await table.close();
  },

  async 'a game from Lichess shows its side lines, and keeps them and its times'() {
    const table = await open(390, 844, true);
    const file = '[Event "Rated game"]\n[Site "https://lichess.org/abcdefgh"]\n[Date "2024.01.02"]\n[Round "-"]\n[White "Anna"]\n[Black "Ben"]\n[Result "*"]\n\n'
      + '1. e4 {[%eval 0.17] [%clk 0:05:00]} 1... f6 $6 $36 {[%clk 0:04:58] Inaccuracy.}\n(1... e5 {[%eval 0.2]} 2. Nf3 $1 (2. Bc4)) 2. d4 $10 {[%clk 0:04:57]} *';
    await table.read(file);
    const remarks = table.page.locator('.remarks p');
    assert.equal(await remarks.count(), 0);
    await table.press('Back');
    assert.deepEqual(await remarks.allInnerTexts(), ['Inaccuracy.', 'Instead: (1... e5 2. Nf3! (2. Bc4))']);
    await table.press('Back');
    assert.equal(await remarks.count(), 0);
    assert.equal(await table.pgn(), file);
    await table.page.reload();
    assert.equal(await table.pgn(), file);
    // The move that is taken back goes with its side lines.
    await table.press('Take back');
    await table.has(1);
    assert.match(await table.pgn(), /\n\n1\. e4 \{\[%eval 0\.17\] \[%clk 0:05:00\]\} \*$/);
    await table.close();
  },

  async 'a position whose other fields are missing is refused with the reason'() {
    const table = await open(390, 844, true);
    for (const [text, fields] of [['4k3/8/8/8/8/8/8/4K3', 1], [' 4k3/8/8/8/8/8/8/4K3 b', 2], ['4k3/8/8/8/8/8/8/4K3 w -', 3]]) {
      await table.read(text);
      const reason = `a FEN has six fields, such as 4k3/8/8/8/8/8/8/4K3 w - - 0 1; this one has ${fields}.`;
      await table.page.getByRole('alert').getByText(reason).waitFor();
      await table.press('Close');
    }
    await table.close();
  },

  async 'a position of another game is refused with the game as which it was read'() {
    const table = await open(390, 844, true);
    const fen = '4k3/8/8/8/8/8/4P3/4K3[NNn] w - - 0 1';
    await table.read(fen);
    const reading = 'read as a position of Chess (another game is chosen first under New game): bad piece placement: 4k3/8/8/8/8/8/4P3/4K3[NNn].';
    await table.page.getByRole('alert').getByText(`This does not work: ${reading}`).waitFor();
    await table.press('Close');
    await table.start('crazyhouse', '');
    await table.read(fen);
    await table.page.getByRole('button', { name: '2 white knights in hand' }).waitFor();
    await table.close();
  },

  async 'of a text with several games the reader chooses one'() {
    const table = await open(390, 844, true);
    await table.press('PGN');
    const choice = table.field('Which game');
    const text = table.field('Or as text');
    await text.fill('[White "Anna"]\n\n1. e4 *');
    assert.equal(await choice.isVisible(), false);
    await text.fill('[White "Anna"]\n\n1. e4 *\n\n[White "Ben"]\n[Black "Cleo"]\n\n1. d4 d5 1-0\n');
    assert.deepEqual(await choice.locator('option').allInnerTexts(), ['1. Anna – Black, *', '2. Ben – Cleo, 1-0']);
    await choice.selectOption({ index: 1 });
    await table.press('Open it');
    await table.has(2);
    assert.deepEqual(await table.moves(), ['d4', 'd5']);
    assert.deepEqual(await table.page.locator('.side .name').allInnerTexts(), ['Cleo', 'Ben']);
    assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    // A text that is too long is read, and the page says that its end is not.
    await table.press('PGN');
    const tooLong = `1. e4 {${'x'.repeat(999_980)}} e5 *\n\n1. d4 *`;
    await table.field('From a file').setInputFiles({ name: 'game.pgn', mimeType: 'text/plain', buffer: Buffer.from(tooLong) });
    await table.page.getByRole('alert').getByText(/^Only the first million letters/).waitFor();
    await text.fill('1. e4 *');
    assert.equal(await table.page.getByRole('alert').innerText(), '');
    await table.press('Close');
    await table.close();
  },

  async 'a file in an old character set is read, and Chess960 needs its start'() {
    const table = await open(390, 844, true);
    await table.press('PGN');
    const load = async (text, encoding) => {
      await table.field('From a file').setInputFiles({ name: 'game.pgn', mimeType: 'text/plain', buffer: Buffer.from(text, encoding) });
      await table.page.waitForFunction(() => /ller/.test([...document.querySelectorAll('dialog textarea')].at(-1).value));
      return table.field('Or as text').inputValue();
    };
    for (const [mark, encoding] of [['', 'latin1'], ['', 'utf8'], ['\ufeff', 'utf16le']]) {
      const text = `[White "Jürgen Müller"]\n\n1. e4 *\n`;
      assert.equal(await load(mark + text, encoding), text, encoding);
      await table.field('Or as text').fill('');
    }
    await table.field('Or as text').fill('[Variant "Chess960"]\n\n1. e4 *');
    await table.press('Open it');
    await table.page.getByRole('alert').getByText('This does not work: A game of Chess960 needs its start position (FEN).').waitFor();
    await table.close();
  },

  async 'hostile texts do nothing'() {
    const table = await open(390, 844, true);
    const { read, page } = table;
    const script = '<script>window.harm = 1</script><img src=x onerror="window.harm = 1"><svg onload="window.harm = 1">';
    await read(`[Event "${script}"]\n[White "</textarea>${script}"]\n[Black "${script}"]\n\n1. e4 {${script}} ; ${script}\ne5 (1... d5 {--><b>}) $1 *`);
    await table.has(2);
    const moves = ['e4', 'e5!'];
    assert.deepEqual(await table.moves(), moves);
    const placement = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR';
    const games = ['', ' \n\0', script, '1. e5 *', `1. ${script} *`, `[Variant "${script}"]\n\n1. e4 *`, `[FEN "${script}"]\n\n1. e4 *`,
      '1. e4 {never closed', '{'.repeat(1e6), `1. ${'e'.repeat(2e6)} *`, '1. Nf3 Nf6 2. Ng1 Ng8 '.repeat(5e3)];
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
    assert.deepEqual(await table.moves(), moves);
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

  async 'five men to promote to fit a phone'() {
    const table = await open(360, 740, true);
    await table.start('antichess', '8/P7/8/8/8/8/8/k7 w - - 0 1');
    await table.move('a7', 'a8');
    const pick = table.page.locator('.promotion button');
    await pick.first().waitFor();
    const boxes = await pick.evaluateAll(buttons => buttons.map(button => button.getBoundingClientRect().toJSON()));
    assert.equal(boxes.length, 5);
    for (const { left, right, width, height } of boxes) {
      assert.ok(left >= 0 && right <= 360 && width >= 44 && height >= 44, JSON.stringify(boxes));
      assert.ok(Math.abs(width - height) < 0.5, JSON.stringify(boxes));
    }
    assert.equal(await table.page.evaluate(() => document.querySelector('dialog').scrollWidth - document.querySelector('dialog').clientWidth), 0);
    await table.press('king');
    await table.page.getByText(/a8=K/).first().waitFor();
    await table.close();
  },

  async 'a phone shows all that the coach says of a blunder'() {
    const table = await open(390, 844, true);
    await table.start('normal', 'r1bqkbnr/pppp1ppp/2n5/4p2Q/4P3/8/PPPP1PPP/RNB1KBNR w KQkq - 2 3');
    await table.move('h5', 'e5');
    await table.has(2);
    await table.page.locator('.remarks').getByText(/^Black is winning/).waitFor();
    const end = await table.page.locator('.coach').evaluate(coach => coach.getBoundingClientRect().bottom);
    assert.ok(end <= 844, `it ends at ${end}`);
    await table.close();
  },

  async 'a phone that lies on its side has the board beside the buttons'() {
    for (const [width, height] of [[844, 390], [667, 375]]) {
      const table = await open(width, height, true);
      const [board, buttons] = await table.page.evaluate(() =>
        ['cg-board', '.controls'].map(name => document.querySelector(name).getBoundingClientRect().toJSON()));
      assert.ok(board.width > 0.7 * height && board.width < height, `${board.width} of ${height}`);
      assert.ok(buttons.left > board.right && buttons.bottom <= height, JSON.stringify(buttons));
      await table.close();
    }
  },

  async 'nothing is wider than the screen'() {
    for (const [width, height] of [[360, 740], [390, 844], [667, 375], [844, 390], [834, 1112], [1440, 900]]) {
      const table = await open(width, height, width < 500);
      assert.ok((await table.page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width}`);
      await table.close();
    }
  },
};
