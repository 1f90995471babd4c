// The report: shows one game at a time.

import { type Game, completed } from './data';
import { element, isCommand } from './elements';
import { type Stored, completed as completedExercises } from './stored';
import { Viewer } from './viewer';
import { Turn } from './your_turn';

/** Starts the report with its data and its exercises, both as JSON. */
export function startReport(text: string, exercisesText: string): void {
  const games: Game[] = completed(JSON.parse(text));
  const exercises = (JSON.parse(exercisesText || '[]') as Partial<Stored>[][]).map(list => completedExercises(list));
  const articles = [...document.querySelectorAll<HTMLElement>('article.game')];
  const viewers: (Viewer | undefined)[] = games.map(() => undefined);
  const turns: (Turn | undefined)[] = games.map(() => undefined);
  let shown = 0;
  let hashTimer = 0;

  // The browser has no element to scroll to when the address names a move: the board shows the move.
  for (const link of document.querySelectorAll('.move[id]')) link.removeAttribute('id');

  function show(index: number, ply?: number): void {
    shown = index;
    articles.forEach((article, at) => (article.hidden = at !== index));
    const viewer = viewers[index];
    if (viewer) {
      viewer.redraw();
      if (ply !== undefined) viewer.go(ply);
    } else if (games[index]) {
      const made = new Viewer(games[index], articles[index], at => remember(index, at));
      viewers[index] = made;
      const found = exercises[index] ?? [];
      if (found.length) turns[index] = new Turn(articles[index], found, games[index].players, () => made.redraw());
      made.go(ply ?? 0);
    }
    if (choice) choice.value = String(index);
  }

  /** Keeps the place in the address, so that it can be copied. Browsers refuse this if it comes often. */
  function remember(index: number, ply: number): void {
    clearTimeout(hashTimer);
    hashTimer = window.setTimeout(() => {
      try {
        history.replaceState(null, '', `#g${index + 1}p${ply}`);
      } catch {
        // Not every browser allows it for a file. The address then stays as it was.
      }
    }, 400);
  }

  /** The place that the end of an address names, if it names one. */
  function addressed(hash: string): [number, number | undefined] | null {
    const parts = /^#g(\d+)(?:p(\d+))?$/.exec(hash);
    if (!parts) return null;
    const index = Number(parts[1]) - 1;
    return games[index] ? [index, parts[2] === undefined ? undefined : Number(parts[2])] : null;
  }

  function gameChoice(): HTMLSelectElement | null {
    const place = document.querySelector('nav.games');
    if (!place) return null;
    const select = element('select', { 'aria-label': 'Game' });
    games.forEach((game, index) => select.append(element('option', { value: String(index) }, `${index + 1}. ${game.title}`)));
    select.addEventListener('change', () => show(Number(select.value)));
    place.replaceChildren(select);
    return select;
  }

  const choice = gameChoice();
  if (games.length > 0) {
    const [index, ply] = addressed(location.hash) ?? [0, undefined];
    show(index, ply);
    if (ply !== undefined) scrollTo(0, 0);
  }
  addEventListener('hashchange', event => {
    // The place of another game may have been kept since then.
    const place = addressed(new URL(event.newURL).hash);
    if (!place) return;
    show(...place);
    scrollTo(0, 0);
  });
  document.addEventListener('keydown', event => {
    const target = event.target as HTMLElement;
    if (!isCommand(event) || event.defaultPrevented) return;
    if (/^(SELECT|TEXTAREA)$/.test(target.tagName)) return;
    // The arrows choose among radio buttons.
    if (target.tagName === 'INPUT' && event.key.startsWith('Arrow')) return;
    if (document.querySelector('dialog[open]') || (event.key.startsWith('Arrow') && target.closest('.drill .board'))) return;
    const turn = turns[shown];
    if (turn?.isOpen ? turn.key(event.key) : viewers[shown]?.key(event.key)) event.preventDefault();
  });
}
