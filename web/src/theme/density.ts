import { createKeptStore } from '../store';

export type Density = 'compact' | 'comfortable';

const isDensity = (value: unknown): value is Density => value === 'compact' || value === 'comfortable';
const density = createKeptStore<Density>('pillarbox.density', 'compact', isDensity);

export const useDensity = density.use;

export function setDensity(next: Density): void {
  density.set(next);
  startDensity();
}

/** The style sheet knows what it means: rows of tables are taller. */
export function startDensity(): void {
  document.documentElement.dataset['density'] = density.get();
}
