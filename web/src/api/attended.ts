/** After so long without a touch it is the page that asks, not a person. */
const STILL_MS = 60_000;
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'];

let touchedAt = Date.now();

/** From now on somebody who sits before this page is noticed. */
export function startAttending(): void {
  const touched = () => {
    touchedAt = Date.now();
  };
  for (const sign of SIGNS) addEventListener(sign, touched, { capture: true, passive: true });
}

/** A page that is left open follows what happens; that must not keep its session alive for ever. */
export const isUnattended = (): boolean => Date.now() - touchedAt > STILL_MS;
