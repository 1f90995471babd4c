// Puts the parts of the page into one file.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

const read = name => readFileSync(`out/${name}`, 'utf8').trim();
const hash = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const engine = readFileSync('out/engine.wasm');
const parts = { style: read('page.css'), script: read('page.js'), worker: read('worker.js') };
for (const [name, text] of Object.entries(parts)) {
  // A part that ends its element would break the page.
  if (/<\/script|<\/style|<!--/i.test(text)) throw new Error(`the ${name} ends its element`);
}
const values = {
  version: /^version = "(.*)"/m.exec(readFileSync('../../Cargo.toml', 'utf8'))[1],
  ...parts,
  'style-hash': hash(parts.style),
  // The style attribute that chessground gives its pictures.
  'board-style-hash': hash('color-scheme:light only'),
  'script-hash': hash(parts.script),
  module: deflateSync(engine, { level: 9 }).toString('base64'),
};
const template = readFileSync('src/template.html', 'utf8');
const page = template.replace(/{{([\w-]+)}}/g, (_, name) => values[name]);
writeFileSync(process.argv[2], page);
console.log(`${process.argv[2]}: ${page.length} bytes, of them ${values.module.length} for the engine (${engine.length} bytes)`);
