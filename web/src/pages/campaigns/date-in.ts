/** `2026-11-16`: the date there. */
export const dateIn = (zone: string, instant: number): string =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(instant);
