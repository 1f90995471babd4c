// The curves: shows the place in the game on them, and goes to the place where they are pressed.

export class Curves {
  private readonly curves: HTMLElement[];

  constructor(article: HTMLElement, go: (ply: number) => void) {
    this.curves = [...article.querySelectorAll<HTMLElement>('.curve')];
    for (const curve of this.curves) {
      const cursor = document.createElement('div');
      cursor.className = 'cursor';
      curve.append(cursor);
      const goThere = (event: PointerEvent) => {
        const box = curve.getBoundingClientRect();
        const share = (event.clientX - box.left) / Math.max(box.width, 1);
        const plies = Number(curve.dataset.plies);
        go(Math.max(0, Math.min(plies, Math.round(share * plies))));
      };
      curve.addEventListener('pointerdown', event => {
        if (event.button !== 0) return;
        curve.setPointerCapture(event.pointerId);
        goThere(event);
      });
      curve.addEventListener('pointermove', event => {
        if (curve.hasPointerCapture(event.pointerId)) goThere(event);
      });
    }
  }

  show(ply: number): void {
    for (const curve of this.curves) {
      const share = ply / Math.max(Number(curve.dataset.plies), 1);
      curve.querySelector<HTMLElement>('.cursor')!.style.left = `${100 * share}%`;
    }
  }
}
