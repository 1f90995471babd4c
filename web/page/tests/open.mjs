// Opens the page in a browser, with what all tests do there.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, firefox } from 'playwright-core';

const file = new URL('../out/trebuchet.html', import.meta.url);
assert.ok(existsSync(fileURLToPath(file)), 'build the page first: web/page/build.sh');
export const { EngineModule } = await import('../out/module.mjs');
/** Milliseconds for what must happen: the engine may run on a busy machine. */
const PATIENCE = 60_000;

export const isFirefox = process.env.BROWSER === 'firefox';
export const browser = isFirefox
  ? await firefox.launch({ channel: 'moz-firefox', executablePath: '/usr/bin/firefox-esr', timeout: 3 * PATIENCE })
  : await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });

/** Opens the page anew. Whatever it complains of or asks from elsewhere fails the test. */
export async function open(width, height, isPhone) {
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
    /** Presses a button with a finger, if there is one. */
    tap: name => page.getByRole('button', { name, exact: true })[hasTouch ? 'tap' : 'click'](),
    /** The page begins anew, as in a new tab, with a game that the browser has kept. */
    keep: async state => {
      await page.evaluate(value => {
        sessionStorage.clear();
        localStorage.setItem('trebuchet.game.1', JSON.stringify({ variant: 'normal', moves: [], ...value }));
      }, state);
      await page.reload();
      await page.waitForSelector('cg-board');
    },
    move: async (from, to) => {
      await touch(from);
      await touch(to);
    },
    /** Asks for a hint and plays a move, both before the engine can answer. */
    moveAfterHint: move => page.evaluate(typed => {
      const hint = [...document.querySelectorAll('button')].find(button => button.textContent === 'Hint');
      const field = document.querySelector('.typed input');
      hint.click();
      field.value = typed;
      field.form.requestSubmit();
    }, move),
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
    /** The game as the page writes it. */
    pgn: async () => {
      await page.getByRole('button', { name: 'PGN', exact: true }).click();
      const text = await field('Game (PGN)').inputValue();
      await page.getByRole('button', { name: 'Close', exact: true }).click();
      return text.trim();
    },
    close: async () => {
      assert.deepEqual(complaints, []);
      await context.close();
    },
  };
}
