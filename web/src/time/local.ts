const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', {
      ...{ timeZone: zone, hourCycle: 'h23' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    });
  formats.set(zone, known);
  return known;
}

/** `2026-11-16T09:00`: what clock and calendar say there, as a field for a time takes it. */
export const localOf = (instant: number, zone: string): string =>
  formatOf(zone).format(instant).replace(' ', 'T');

const MINUTE_MS = 60_000;

/**
 * When clock and calendar say this there. Of a time that is skipped, what it would have been; of one that comes twice, the
 * first. Undefined: that is no time.
 */
export function instantOf(local: string, zone: string): number | undefined {
  const asUtc = /^\d{4}-\d\d-\d\dT/.test(local) ? Date.parse(`${local}Z`) : NaN;
  if (Number.isNaN(asUtc)) return undefined;
  const offsetAt = (instant: number) =>
    Date.parse(`${localOf(instant, zone)}Z`) - Math.floor(instant / MINUTE_MS) * MINUTE_MS;
  // The clock changes at most once within a day on either side.
  const [before, after] = [asUtc - 86_400_000, asUtc + 86_400_000].map((near) => asUtc - offsetAt(near)) as [
    number,
    number,
  ];
  return localOf(before, zone) === local ? before : localOf(after, zone) === local ? after : before;
}
