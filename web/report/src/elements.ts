// Makes elements. Texts become text nodes and never HTML: they come from strangers' games.

type Child = Node | string | null | false;

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  for (const child of children) if (child !== null && child !== false) made.append(child);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(tag: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/** Is a key meant for the page? Not with Ctrl, Meta or Alt; and one that is held counts once, but an arrow steps on. */
export function isCommand({ ctrlKey, metaKey, altKey, repeat, key }: KeyboardEvent): boolean {
  return !(ctrlKey || metaKey || altKey) && (!repeat || key.startsWith('Arrow'));
}

/** The outlines of the buttons that step through a game and turn the board. */
export const FIRST = 'M6 5v14M19 5l-9 7 9 7z';
export const BACK = 'M16 5l-9 7 9 7z';
export const FORWARD = 'M8 5l9 7-9 7z';
export const LAST = 'M18 5v14M5 5l9 7-9 7z';
export const FLIP = 'M8 4v16m-4-4l4 4 4-4M16 20V4m-4 4l4-4 4 4';

/** A button with a picture of lines, and its name for those who do not see it. */
export function button(name: string, outline: string, press: () => void, keys?: string): HTMLButtonElement {
  const picture = svg('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' }, svg('path', { d: outline }));
  const title = keys ? `${name} (${keys})` : name;
  const made = element('button', { type: 'button', 'aria-label': name, title }, picture);
  made.addEventListener('click', press);
  return made;
}
