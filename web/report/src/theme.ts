// The colours of the page: those of the system, until the reader chooses. The browser keeps the choice.

import { loadTheme, saveTheme } from '../../page/src/store';
import { element } from './elements';

const root = document.documentElement;
const darkness = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  return root.dataset.theme ? root.dataset.theme === 'dark' : darkness.matches;
}

export function themeSwitch(): void {
  const press = element('button', { type: 'button', class: 'theme' });
  const name = () => {
    press.textContent = isDark() ? 'Light' : 'Dark';
    press.setAttribute('aria-label', isDark() ? 'Light colours' : 'Dark colours');
  };
  press.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    saveTheme(root.dataset.theme);
    name();
  });
  darkness.addEventListener('change', name);
  const chosen = loadTheme();
  if (chosen) root.dataset.theme = chosen;
  name();
  document.querySelector('.page-head')!.append(press);
}
