import { useSyncExternalStore } from 'react';

/**
 * The time of the service, which is not always that of this machine: clocks differ, and a demonstration may run
 * faster. `anchor` is an instant of theirs, seen at an instant of ours.
 */
let anchor = { theirs: Date.now(), ours: Date.now(), speed: 1 };

export function setClock(now: string, speed: number): void {
  anchor = { theirs: Date.parse(now), ours: Date.now(), speed };
}

export const serviceNow = (): number => anchor.theirs + (Date.now() - anchor.ours) * anchor.speed;

const listeners = new Set<() => void>();
let ticked = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** One ticker for the whole page. */
function subscribe(hear: () => void): () => void {
  listeners.add(hear);
  timer ??= setInterval(() => {
    ticked = Date.now();
    for (const each of listeners) each();
  }, 1_000);
  return () => {
    listeners.delete(hear);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The service's now, anew each second. */
export function useNow(): number {
  useOwnNow();
  return serviceNow();
}

/** What the service's now means, in words or whatever: drawn anew only when that changes. */
export const useFromNow = <Meaning extends string | number | boolean>(
  mean: (now: number) => Meaning,
): Meaning => useSyncExternalStore(subscribe, () => mean(serviceNow()));

/** This machine's now, anew each second. */
export const useOwnNow = (): number => useSyncExternalStore(subscribe, () => ticked);
