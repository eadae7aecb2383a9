const DAY_MS = 86_400_000;

/** How long a key is good for, in days. */
export const KEY_LIVES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
] as const;
export type KeyLife = (typeof KEY_LIVES)[number]['value'];

export const expiryOf = (life: KeyLife, now: number): string | null =>
  life === 'never' ? null : new Date(now + Number(life) * DAY_MS).toISOString();
