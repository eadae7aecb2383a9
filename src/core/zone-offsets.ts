/** What is added to UTC in a zone at an instant, in ms. */
export type OffsetQuestion = (t: number) => number;

/** When the offset of a zone changes within a range: from `at[i]` on it is `offsets[i]`. */
export interface Offsets {
  readonly at: Float64Array;
  readonly offsets: Float64Array;
}

const SECOND_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Intl knows every zone but has no word for an offset, so it is read off the wall clock. Dear: a hundred times what it
 * takes to look an offset up. A zone that nobody knows counts as UTC.
 */
export function offsetQuestion(timeZone: string): OffsetQuestion {
  const format = formatOf(timeZone);
  return (t) => {
    // Offsets are whole seconds, and clocks show no less.
    const whole = Math.floor(t / SECOND_MS) * SECOND_MS;
    const [month, day, year, hour, minute, second] = format.format(whole).match(/\d+/g)?.map(Number) as [
      ...[month: number, day: number, year: number],
      ...[hour: number, minute: number, second: number],
    ];
    return Date.UTC(year, month - 1, day, hour, minute, second) - whole;
  };
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const shape = {
    ...({ year: 'numeric', month: 'numeric', day: 'numeric' } as const),
    ...({ hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const),
  };
  try {
    return new Intl.DateTimeFormat('en-US', { ...shape, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...shape, timeZone: 'UTC' });
  }
}

/** Asks once a day; where the answer has changed, the second is found by halving. */
export function offsetsBetween(ask: OffsetQuestion, from: number, to: number): Offsets {
  let held = from;
  let offset = ask(held);
  const at = [from];
  const offsets = [offset];
  while (held < to - SECOND_MS) {
    const later = Math.min(held + DAY_MS, to - SECOND_MS);
    const last = ask(later);
    // What changes more than once within a day is found change by change.
    while (offset !== last) {
      held = firstChange(ask, offset, held, later);
      offset = ask(held);
      at.push(held);
      offsets.push(offset);
    }
    held = later;
  }
  return { at: Float64Array.from(at), offsets: Float64Array.from(offsets) };
}

/** The second in which an offset is another for the first time, after one in which it holds and up to one in which not. */
function firstChange(ask: OffsetQuestion, offset: number, holds: number, ended: number): number {
  while (ended - holds > SECOND_MS) {
    const middle = Math.floor((holds + ended) / 2 / SECOND_MS) * SECOND_MS;
    if (ask(middle) === offset) holds = middle;
    else ended = middle;
  }
  return ended;
}
