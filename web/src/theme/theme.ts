import { createKeptStore } from '../store';

export type Theme = 'system' | 'light' | 'dark';

const isTheme = (value: unknown): value is Theme =>
  value === 'system' || value === 'light' || value === 'dark';
const theme = createKeptStore<Theme>('pillarbox.theme', 'system', isTheme);
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

export const useTheme = theme.use;

export const isDark = (): boolean => {
  const chosen = theme.get();
  return chosen === 'dark' || (chosen === 'system' && systemIsDark.matches);
};

export function setTheme(next: Theme): void {
  theme.set(next);
  paint();
}

function paint(): void {
  document.documentElement.dataset['theme'] = isDark() ? 'dark' : 'light';
}

/** Follows the system until a person chooses. Before anything is drawn. */
export function startTheme(): void {
  paint();
  systemIsDark.addEventListener('change', paint);
}
