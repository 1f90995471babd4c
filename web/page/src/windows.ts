// What all windows over the page have.

import { element } from '../../report/src/elements';
import { Refusal } from './rules';

/** A window with a title and a button that closes it. */
export function openWindow(title: string, ...children: (Node | string)[]): HTMLDialogElement {
  const close = element('button', { type: 'button', class: 'close', 'aria-label': 'Close' }, '×');
  const head = element('header', {}, element('h2', {}, title), close);
  const dialog = element('dialog', { 'aria-label': title }, head, ...children);
  close.addEventListener('click', () => dialog.close());
  closeFromBeside(dialog);
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A click on the darkened page closes the window. What is dragged out of it, a man or a selection, does not. */
function closeFromBeside(dialog: HTMLDialogElement): void {
  const isBeside = ({ target, clientX: x, clientY: y }: MouseEvent) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (x < left || x > right || y < top || y > bottom);
  };
  let beganBeside = false;
  dialog.addEventListener('mousedown', event => (beganBeside = isBeside(event)));
  dialog.addEventListener('click', event => {
    if (beganBeside && isBeside(event)) dialog.close();
    beganBeside = false;
  });
}

export function choice(options: [string, string][], chosen: string): HTMLSelectElement {
  const select = element('select');
  for (const [value, text] of options) {
    const option = element('option', { value }, text);
    option.selected = value === chosen;
    select.append(option);
  }
  return select;
}

export const labelled = (text: string, control: HTMLElement) => element('label', { class: 'field' }, element('span', {}, text), control);

/** What is refused may be long, and its message, too. */
const LONGEST_MESSAGE = 200;

export function refuse(place: HTMLElement, error: unknown): void {
  place.textContent = refusal(error);
}

/** A refusal in a sentence. Throws anything else. */
export function refusal(error: unknown): string {
  if (!(error instanceof Refusal)) throw error;
  const { message } = error;
  return `This does not work: ${message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)} …` : message}.`;
}
