// Tests the module in Node: the bench counts those of the program, whose lines `NAME NODES` come on standard
// input (`trebuchet bench --depth N`), and a session plays. The argument is that depth.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { EngineModule } from '../out/module.mjs';

const wasm = await WebAssembly.compile(readFileSync(new URL('../out/engine.wasm', import.meta.url)));
const said = [];
const shown = [];
const engine = await EngineModule.of(wasm, { reply: line => said.push(line), progress: line => shown.push(line) });

const depth = Number(process.argv[2]);
const program = readFileSync(0, 'utf8').trim().split('\n').map(line => line.split(' ')).filter(words => words.length === 2);
const games = engine.ask('games').map(game => game.name);
assert.deepEqual(program.map(([name]) => name), games);
const began = performance.now();
const counts = games.map((name, index) => [name, String(engine.bench(index, depth))]);
assert.deepEqual(counts, program);
const nodes = counts.reduce((sum, [, count]) => sum + Number(count), 0);
console.log(`bench: ${nodes} nodes, ${Math.round(nodes / (performance.now() - began))} thousand a second`);

const say = (...lines) => {
  said.length = 0;
  lines.forEach(line => engine.say(line));
  return [...said];
};
engine.start(1n);
assert.equal(say('xboard', 'protover 2').at(-1), 'feature done=1');
const sent = performance.now();
const thought = say('new', 'post', 'easy', 'option OwnBook=0', 'sd 6', 'usermove e2e4');
const passed = performance.now() - sent;
assert.match(thought.find(line => line.startsWith('move ')), /^move [a-h][5-8]/);
const times = thought.map(line => /^\d+ -?\d+ (\d+) \d+/.exec(line)).filter(Boolean).map(([, time]) => 10 * Number(time));
assert.ok(times.length > 0 && times.every(time => time <= passed + 10), `${times} of ${passed} ms`);
assert.deepEqual(say('ping 7'), ['pong 7']);
const lost = say('new', 'option Coach=1', 'force', ...['e2e4', 'e7e5', 'd1h5', 'b8c6'].map(move => `usermove ${move}`), 'playother', 'sd 4', 'usermove h5e5');
assert.ok(lost.some(line => /^tellothers Qxe5\+\?\? Blunder/.test(line)), lost.join('\n'));
assert.ok(lost.includes('move c6e5'), lost.join('\n'));
assert.match(say('new', 'force', 'usermove e2e5').at(-1), /^Illegal move .*: e2e5$/);
// While it searches and afterwards it castles in the same words. To castle is the only mate here.
shown.length = 0;
const castled = say('new', 'variant fischerandom', 'sd 4', 'setboard 5k2/7P/7P/8/8/8/4R3/5KR1 w G - 0 1', 'go');
assert.ok(castled.includes('move O-O'), castled.join('\n'));
assert.match(shown.at(-1), /\tO-O$/);

const ask = (question, request) => engine.ask(question, typeof request === 'string' ? request : JSON.stringify(request));
const record = ask('position', { variant: 'normal', moves: ['f2f3', 'e7e5', 'g2g4', 'Qh4#'] });
assert.deepEqual(record.outcome, { result: '0-1', words: 'Black mates' });
assert.deepEqual(record.plies.map(ply => ply.san), ['f3', 'e5', 'g4', 'Qh4#']);
assert.equal(ask('position', { variant: 'normal' }).legal.length, 20);
assert.deepEqual(ask('position', { variant: 'normal', fen: '4k3/8/8/8/8/8/P7/4K3 w - - 0 1' }).can_win, { white: true, black: false });
for (const bad of ['', '{}', '[', { variant: 'shogi' }, { variant: 'normal', fen: 'x' }, { variant: 'normal', moves: ['e2e5'] }]) {
  assert.ok(ask('position', bad).error, JSON.stringify(bad));
}
const pgn = ask('write_pgn', { variant: '3check', fen: '', moves: ['e4', 'e5'], white: '"<b>', black: 'B', tags: [['Date', '2024.05.31']], result: '*' });
const readPgn = (text, number) => ask('read_pgn', { text, number });
const { variant, moves, white, black } = readPgn(pgn);
assert.deepEqual({ variant, moves, white, black }, { variant: '3check', moves: ['e4', 'e5'], white: '"<b>', black: 'B' });
assert.match(pgn, /^\[Event "\?"\]\n\[Site "\?"\]\n\[Date "2024\.05\.31"\]\n\[Round "\?"\]\n\[White /);
// Tags, signs, comments with their commands, and side lines go in and out.
const annotated = readPgn('[Event "A"]\n[ECO "C40"]\n[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]\n[Event "B"]\n\n{First. [%csl Ge4]} 1. e4 $14 $2 {[%clk 0:01:00]} (1. d4 {x} (1. c4)) (1. Nf3) e5?! {A word.} {Another.} (1... c5 $10) *');
assert.deepEqual(annotated.tags, [['Event', 'A'], ['ECO', 'C40'], ['Event', 'B']]);
assert.deepEqual(annotated.glyphs, { 0: '?', 1: '?!' });
assert.deepEqual(annotated.comments, { 0: 'First.', 2: 'A word. Another.' });
assert.deepEqual(annotated.marks, { 0: '{[%csl Ge4]}', 1: '$14 {[%clk 0:01:00]}' });
assert.deepEqual(annotated.lines, { 0: '(1. d4 {x} (1. c4)) (1. Nf3)', 1: '(1... c5 $10)' });
const again = ask('write_pgn', { ...annotated, fen: '' });
assert.match(again, /\n\[ECO "C40"\]\n\n\{\[%csl Ge4\] First\.\} 1\. e4 \$2 \$14 \{\[%clk 0:01:00\]\} \(1\. d4 \{x\} \(1\. c4\)\)/);
assert.equal(ask('write_pgn', readPgn(again)), again);
assert.equal(again.match(/\[Event /g).length, 1);
for (const result of ['1-0', '0-1', '1/2-1/2', '*']) {
  const written = ask('write_pgn', { variant: 'normal', fen: '', moves: ['e4'], white: 'A', black: 'B', tags: [], result });
  assert.equal(readPgn(written).result, result);
}
for (const [tag, name] of [
  ['', ''],
  ['[White "?"]', ''],
  ['[White "  "]', ''],
  ['[White " Anna\tB. "]', 'Anna B.'],
  ['[White "\u202eA\u2066n\u200fna"]', 'Anna'],
  [`[White "${'é'.repeat(40)}"]`, 'é'.repeat(40)],
  [`[White "${'é'.repeat(41)}"]`, 'é'.repeat(41)],
]) {
  assert.equal(readPgn(`${tag}\n\n1. e4 *`).white, name, tag);
}
for (const [text, result] of [['[Result "0-1"]\n\n1. e4 *', '0-1'], ['[Result "0-1"]\n\n1. e4 1-0', '1-0'], ['[Result "x"]\n\n1. e4', '*']]) {
  assert.equal(readPgn(text).result, result, text);
}
assert.ok(readPgn('').error);
// Of a move that is not legal, its number is told.
assert.equal(readPgn('1. e4 e5 2. Nf3 Nc6 3. Bxc7 *').error, '3. Bxc7: the piece does not move like that');
assert.equal(readPgn('[FEN "4k3/8/8/8/8/8/8/R3K3 b - - 0 7"]\n\n7... Ke7 8. Kd2 Kc4 *').error, '8... Kc4: the piece does not move like that');
// A tag that names the game or its start and cannot be read would give another game; without others nothing is lost.
for (const tag of ['[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]', '[SetUp 1]', '[Event "A"]\n[Variant "Atomic]', '[White A] [FEN "x"]']) {
  assert.equal(readPgn(`${tag}\n\n1. e4 *`).error, `this tag cannot be read: ${tag.split('\n').at(-1)}`);
}
assert.deepEqual(readPgn('[White "Anna]\n[Black "Ben"]\n\n1. e4 *').moves, ['e4']);
const several = '[Event "Nothing"]\n\n[White "A"]\n[Date "2024.05.31"]\n\n1. e4 1-0\n\n[Black "B\u202e"]\n[Date "2024.??.??"]\n\n1. d4 *';
assert.deepEqual(ask('list_pgn', several), ['A – Black, 2024.05.31, 1-0', 'White – B, *']);
assert.deepEqual([readPgn(several).moves, readPgn(several, 1).moves], [['e4'], ['d4']]);
assert.ok(readPgn(several, 2).error);
assert.deepEqual(ask('list_pgn', ''), []);
assert.match(readPgn('[Variant "Chess960"]\n\n1. e4 *').error, /start position/);
assert.equal(engine.ask('decode', new Uint8Array([0x4d, 0xfc, 0x0a, 0xc3, 0xbc])), 'Mü\nü');

const blunder = ask('review', { variant: 'normal', moves: ['e4', 'e5', 'Qh5', 'Ke7'], hint: true });
assert.match(blunder.verdict, /^Ke7\?\? Blunder, loses \d+% of the winning chances$/);
assert.deepEqual([blunder.text, blunder.glyph, blunder.is_bad, blunder.is_mistake], ['e8e7', '??', true, true]);
assert.deepEqual([blunder.punishment, blunder.reply], ['It allows mate in 1: Qxe5#', 'Qxe5#']);
assert.equal(blunder.better.line[0], blunder.better.san);
assert.ok(blunder.better.clue);
assert.ok(blunder.advice.startsWith(`Better: ${blunder.better.san}`) && blunder.advice.endsWith(`; ${blunder.better.line.join(' ')}`), blunder.advice);
const { advice } = ask('review', { variant: 'normal', moves: 'e4 e5 Qh5 Nc6 Bc4 a6 Nf3'.split(' ') });
assert.ok(advice.startsWith('Better: Qxf7#') && !advice.includes(';'), advice);
assert.equal(ask('review', { variant: 'normal', moves: ['e4'] }).is_bad, false);
const missed = ask('review', { variant: '3check', moves: 'e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+ g6 Nf3'.split(' ') });
assert.match(missed.verdict, /^Nf3\S* Missed third check/);
assert.deepEqual([missed.is_mistake, missed.better.clue], [true, null]);
for (const bad of ['', {}, { variant: 'normal', moves: [] }, { variant: 'normal', moves: ['e2e5'] }]) {
  assert.ok(ask('review', bad).error, JSON.stringify(bad));
}
