// What screen readers say: each text once, with its moves in words.

import { element } from '../../report/src/elements';

const NAMES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight', P: 'pawn' };

/** Milliseconds after which what was said leaves the page: nobody finds it there a second time. */
const KEPT = 5000;

/** A move in SAN, with the sign of a verdict if its words follow. */
const MOVE = /\b(?:(O-O-O|O-O)|([KQRBNP])@([a-h][1-8])|([KQRBN])?([a-h]?[1-8]?)(x)?([a-h][1-8])(?:=([KQRBN]))?)([+#])?([!?]+(?= ))?/g;

/** In other games `#` marks every move after which a side has won: there need be no mate, and it may be the other side. */
const GAMES_OF_MATE = ['normal', 'fischerandom', 'crazyhouse'];

/** What `#` says in the game that is spoken of. */
let end = 'mate';

/** From now on moves of this game are said. */
export function speakOf(variant: string): void {
  end = GAMES_OF_MATE.includes(variant) ? 'mate' : 'ends the game';
}

/** The region of the page that is read aloud. It must be in the page before its first text. */
export const voice = element('div', { class: 'spoken', 'aria-live': 'polite' });

/** Says a text once. */
export function say(text: string): void {
  if (!text) return;
  const said = element('p', {}, inWords(text));
  voice.append(said);
  setTimeout(() => said.remove(), KEPT);
}

/** Writes a text, unless it stands there already. Returns true if it is new. */
export function write(place: HTMLElement, text: string): boolean {
  if (place.textContent === text) return false;
  place.textContent = text;
  return true;
}

/** Writes a text, and says it if it is new there. */
export function tell(place: HTMLElement, text: string): void {
  if (write(place, text)) say(text);
}

/** Writes texts, a paragraph each, and says those that are new there. `kind` is the class of a paragraph. */
export function tellAll(place: HTMLElement, texts: string[], kind: (text: string) => string): void {
  const old = [...place.children].map(child => child.textContent);
  if (texts.join('\n') === old.join('\n')) return;
  place.replaceChildren(...texts.map(text => element('p', { class: kind(text) }, text)));
  for (const text of texts) if (!old.includes(text)) say(text);
}

/** A text with its moves in words: `Nxe5+` is `knight takes e5 check`. */
export function inWords(text: string): string {
  const words = text.replace(MOVE, (_, castling, dropped, square, man, origin, takes, to, promotion, check, sign) => {
    const parts = castling
      ? [castling === 'O-O' ? 'castles short' : 'castles long']
      : dropped
        ? [`${NAMES[dropped]} from the hand to ${square}`]
        : [NAMES[man], origin, takes && 'takes', to, promotion && `becomes a ${NAMES[promotion]}`];
    const said = [...parts, check && (check === '#' ? end : 'check')].filter(part => part).join(' ');
    return sign ? `${said}.` : said;
  });
  return words.replace(' · ', ', ');
}
