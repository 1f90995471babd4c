// Starts the page: a report on games, or the exercises of a player.

import { voice } from '../../page/src/voice';
import { startReport } from './report';
import { themeSwitch } from './theme';
import { startTraining } from './training';

const textOf = (id: string) => document.getElementById(id)?.textContent ?? '';

document.documentElement.classList.add('with-script');
themeSwitch();
// It must be there before its first text.
document.body.append(voice);
if (textOf('training')) startTraining(textOf('training'));
else startReport(textOf('data'), textOf('exercises'));
