import type { DailyWindow } from '../../core/preferences.js';
import type { SubscriberChoice } from '../../links/subscribers.js';

/** Of a page's form; `again`, `badWindow` and `badLimit` are for the page to answer, undefined: none of ours, nothing happens. */
export type Chosen = SubscriberChoice | 'again' | 'badWindow' | 'badLimit' | undefined;

/** How long a break may be. */
export const BREAK_DAYS: readonly number[] = [1, 7, 30];

const PLAIN = ['stop', 'everything', 'undo'] as const;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** `stored`: the limit that his page began with, which may be one that nobody sets there. */
export function choiceIn(fields: ReadonlyMap<string, string>, stored: number | null = null): Chosen {
  const pressed = fields.get('do');
  const plain = PLAIN.find((name) => name === pressed);
  if (plain) return { do: plain };
  if (pressed === 'save') return saveIn(fields, stored);
  return pressed === 'again' ? 'again' : undefined;
}

/** Ticks have names of their own: of one name only the last would be read. */
const TICK = /^on\.\d{1,2}$/;
const WAS = /^was\.(\d{1,15})$/;
const LIMIT = /^[1-9]\d{0,8}$/;

function saveIn(fields: ReadonlyMap<string, string>, stored: number | null): Chosen {
  const window = windowIn(fields);
  if (window === 'bad') return 'badWindow';
  const most = fields.get('most') ?? '';
  if (most !== '' && most !== String(stored) && !LIMIT.test(most)) return 'badLimit';
  const pause = fields.get('break') ?? 'keep';
  return {
    do: 'save',
    topics: [...fields].flatMap(([name, was]) => {
      const [, id] = WAS.exec(name) ?? [];
      if (id === undefined) return [];
      const on = fields.has(`tell.${id}`);
      return on === (was === 'on') ? [] : [{ id: Number(id), on }];
    }),
    ...(window !== 'same' && { window }),
    ...(pause === 'none' && { breakDays: null }),
    ...(BREAK_DAYS.includes(Number(pause)) && { breakDays: Number(pause) }),
    notifyOn: [...fields].flatMap(([name, value]) => (TICK.test(name) ? [value] : [])),
    maxNotifications: most === '' ? null : Number(most),
  };
}

/** What the page began with is not a choice. */
function windowIn(fields: ReadonlyMap<string, string>): DailyWindow | null | 'same' | 'bad' {
  const [from, to] = [fields.get('from') ?? '', fields.get('to') ?? ''];
  if (`${from}/${to}` === fields.get('hours')) return 'same';
  if (from === '' && to === '') return null;
  const [startMinutes, endMinutes] = [minutesOf(from), minutesOf(to)];
  if (startMinutes === undefined || endMinutes === undefined || startMinutes === endMinutes) return 'bad';
  return { startMinutes, endMinutes };
}

function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
