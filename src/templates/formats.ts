/** Dates and numbers as people write them where the mail is read. */
const STYLES = ['short', 'medium', 'long', 'full'] as const;
type Style = (typeof STYLES)[number];

/** Making one of these costs a thousand times what using it does. */
const MOST_KEPT = 500;
const dates = new Map<string, Intl.DateTimeFormat>();
const numbers = new Map<string, Intl.NumberFormat>();

export interface Place {
  readonly locale: string;
  readonly timezone: string;
}

export type TimeKind = 'date' | 'time' | 'datetime';

/** What is wrong with a value; its message is a sentence for whoever wrote the template. */
export class FormatError extends Error {}

/** Throws a FormatError rather than showing something else than was meant. */
export function timeText(
  value: unknown,
  kind: TimeKind,
  { locale, timezone }: Place,
  style?: unknown,
  zone?: unknown,
): string {
  const at = instantOf(value);
  const known = styleOf(style);
  const options: Intl.DateTimeFormatOptions = {
    ...(kind !== 'time' && { dateStyle: known }),
    ...(kind !== 'date' && { timeStyle: kind === 'time' && style !== undefined ? known : 'short' }),
    // A day without an hour is the same day everywhere.
    timeZone: at.isDay ? 'UTC' : (zoneOf(zone) ?? timezone),
  };
  if (at.isDay && kind !== 'date') throw new FormatError(`“${shown(value)}” is a day and has no time`);
  return dateFormat(locale, options).format(at.ms);
}

export function numberText(value: unknown, { locale }: Place, digits?: unknown): string {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw new FormatError(`“${shown(value)}” is not a number`);
  return numberFormat(locale, digits === undefined ? undefined : digitsOf(digits)).format(number);
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** With an offset: without one it would mean another instant on every machine. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/;

function instantOf(value: unknown): { ms: number; isDay: boolean } {
  const isDay = typeof value === 'string' && DAY.test(value);
  const isInstant = typeof value === 'string' && INSTANT.test(value);
  const ms = isDay || isInstant ? Date.parse(value) : typeof value === 'number' ? value : NaN;
  if (Number.isNaN(new Date(ms).getTime())) {
    throw new FormatError(
      `“${shown(value)}” is not an instant such as 2026-11-16T14:00:00Z, nor a day such as 2026-11-16`,
    );
  }
  return { ms, isDay };
}

function styleOf(style: unknown): Style {
  if (style === undefined) return 'medium';
  const known = STYLES.find((name) => name === style);
  if (known === undefined) throw new FormatError(`“${shown(style)}” is not short, medium, long or full`);
  return known;
}

function zoneOf(zone: unknown): string | undefined {
  if (zone === undefined) return undefined;
  if (typeof zone !== 'string') throw new FormatError(`“${shown(zone)}” is not a time zone`);
  return zone;
}

function digitsOf(digits: unknown): number {
  if (typeof digits !== 'number' || !Number.isInteger(digits) || digits < 0 || digits > 20)
    throw new FormatError(`“${shown(digits)}” is not a number of decimals`);
  return digits;
}

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${options.dateStyle ?? ''} ${options.timeStyle ?? ''} ${options.timeZone ?? ''}`;
  return kept(dates, key, () => {
    try {
      return new Intl.DateTimeFormat(locale, options);
    } catch {
      throw new FormatError(`“${shown(options.timeZone)}” is not a time zone`);
    }
  });
}

const numberFormat = (locale: string, digits: number | undefined): Intl.NumberFormat =>
  kept(
    numbers,
    `${locale} ${digits ?? ''}`,
    () =>
      new Intl.NumberFormat(
        locale,
        digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits },
      ),
  );

function kept<T>(formats: Map<string, T>, key: string, make: () => T): T {
  let format = formats.get(key);
  if (format === undefined) {
    format = make();
    if (formats.size >= MOST_KEPT) formats.clear();
    formats.set(key, format);
  }
  return format;
}

const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : ((JSON.stringify(value) as string | undefined) ?? 'nothing')).slice(
    0,
    40,
  );
