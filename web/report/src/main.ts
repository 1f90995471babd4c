// Starts the page: a report on games, or the exercises of a player.

import { startReport } from './report';
import { themeSwitch } from './theme';
import { startTraining } from './training';

const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

document.documentElement.classList.add('with-script');
themeSwitch();
if (textOf('training')) startTraining(textOf('training'));
else startReport(textOf('data'), textOf('exercises'));
