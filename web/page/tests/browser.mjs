// Plays on the built page in Debian's Chromium: by touch on a phone, by keys and the mouse on a screen. With
// BROWSER=firefox in Debian's Firefox, which is driven by WebDriver BiDi: there the mouse stands for fingers. An
// argument chooses the tests whose names have it.

import { tests as learning } from './learning.mjs';
import { tests as listening } from './listening.mjs';
import { browser } from './open.mjs';
import { tests as playing } from './playing.mjs';
import { tests as texts } from './texts.mjs';

try {
  for (const [name, test] of Object.entries({ ...playing, ...listening, ...learning, ...texts })) {
    if (process.argv[2] && !name.includes(process.argv[2])) continue;
    await test();
    console.log(`ok: ${name}`);
  }
} finally {
  await browser.close();
}
