/** An instant as an invitation names it: a clock on a wall somewhere, or a whole day. */
export interface CalendarTime {
  /** The wall clock read as if it were UTC, so that it can be formatted without any zone's rules. */
  readonly wall: number;
  readonly allDay: boolean;
  /** As it was named; null: wherever the reader is. */
  readonly zone: string | null;
}

export interface CalendarEvent {
  readonly summary: string | null;
  readonly location: string | null;
  readonly start: CalendarTime | null;
  readonly end: CalendarTime | null;
  readonly sequence: string | null;
  readonly repeats: boolean;
  readonly cancelled: boolean;
}

export interface Calendar {
  readonly method: string | null;
  readonly events: readonly CalendarEvent[];
}

interface Property {
  readonly name: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly value: string;
}

/** More is no invitation. */
const MOST_EVENTS = 20;

/** Never throws: what can't be read is not there. */
export function readCalendar(text: string): Calendar {
  const within: string[] = [];
  const events: Property[][] = [];
  let method: string | null = null;
  for (const property of propertiesOf(text)) {
    const { name, value } = property;
    if (name === 'BEGIN') {
      within.push(value.toUpperCase());
      if (value.toUpperCase() === 'VEVENT') events.push([]);
    } else if (name === 'END') within.pop();
    else if (within.at(-1) === 'VEVENT') events.at(-1)?.push(property);
    else if (within.length === 1 && name === 'METHOD') method = value.toUpperCase();
  }
  return { method, events: events.slice(0, MOST_EVENTS).map(toEvent) };
}

function toEvent(properties: readonly Property[]): CalendarEvent {
  const find = (name: string) => properties.find((property) => property.name === name);
  const text = (name: string) => (find(name) === undefined ? null : unescaped(find(name)?.value ?? ''));
  const start = timeOf(find('DTSTART'));
  return {
    summary: text('SUMMARY'),
    location: text('LOCATION'),
    start,
    end: timeOf(find('DTEND')) ?? after(start, find('DURATION')?.value),
    sequence: text('SEQUENCE'),
    repeats: find('RRULE') !== undefined,
    cancelled: find('STATUS')?.value.toUpperCase() === 'CANCELLED',
  };
}

/** Long lines are folded with a blank at the start of the next. */
const propertiesOf = (text: string): readonly Property[] =>
  text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => propertyOf(line) ?? []);

const LINE = /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^;:"]*))*):(.*)$/;
const PARAMETER = /;([\w-]+)=(?:"([^"]*)"|([^;:"]*))/g;

function propertyOf(line: string): Property | undefined {
  const [, name, parameters, value] = LINE.exec(line) ?? [];
  if (name === undefined || value === undefined) return undefined;
  const named = [...(parameters ?? '').matchAll(PARAMETER)].map(
    ([, key, quoted, bare]) => [(key ?? '').toUpperCase(), quoted ?? bare ?? ''] as const,
  );
  return { name: name.toUpperCase(), parameters: new Map(named), value: value.trim() };
}

const unescaped = (text: string): string =>
  text.replaceAll(/\\([nN,;\\])/g, (_, character: string) => (/n/i.test(character) ? ' ' : character));

const TIME = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;

function timeOf(property: Property | undefined): CalendarTime | null {
  const match = TIME.exec(property?.value ?? '');
  if (!property || !match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  const allDay = match[4] === undefined;
  const zone = allDay ? null : match[7] === 'Z' ? 'UTC' : (property.parameters.get('TZID') ?? null);
  return { wall, allDay, zone };
}

const DURATION = /^\+?P(?:(\d{1,5})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,5})S)?)?$/;

function after(start: CalendarTime | null, duration: string | undefined): CalendarTime | null {
  const match = DURATION.exec(duration ?? '');
  if (!start || !match) return null;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((digits: string | undefined) => Number(digits ?? 0));
  const ms = ((((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
  return { ...start, wall: start.wall + ms };
}
