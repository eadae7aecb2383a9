import type { SubscriberChoice } from '../../links/subscribers.js';

/** Of a page's form; `again`, `badWindow` and `badLimit` are for the page to answer, undefined: none of ours, nothing happens. */
export type Chosen = SubscriberChoice | 'again' | 'badWindow' | 'badLimit' | undefined;

const PLAIN = ['stop', 'everything', 'undo', 'pause', 'resume', 'wake'] as const;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** `stored`: the limit that his page began with, which may be one that nobody sets there. */
export function choiceIn(fields: ReadonlyMap<string, string>, stored: number | null = null): Chosen {
  const pressed = fields.get('do');
  const plain = PLAIN.find((name) => name === pressed);
  if (plain) return { do: plain };
  if (pressed === 'snooze-1' || pressed === 'snooze-7')
    return { do: 'snooze', days: pressed === 'snooze-1' ? 1 : 7 };
  if (pressed === 'window') return windowIn(fields.get('from') ?? '', fields.get('to') ?? '');
  if (pressed === 'what') return whatIn(fields, stored);
  return pressed === 'again' ? 'again' : undefined;
}

/** Ticks have names of their own: of one name only the last would be read. */
const TICK = /^on\.\d{1,2}$/;
const LIMIT = /^[1-9]\d{0,8}$/;

function whatIn(fields: ReadonlyMap<string, string>, stored: number | null): Chosen {
  const most = fields.get('most') ?? '';
  if (most !== '' && most !== String(stored) && !LIMIT.test(most)) return 'badLimit';
  return {
    do: 'what',
    notifyOn: [...fields].flatMap(([name, value]) => (TICK.test(name) ? [value] : [])),
    maxNotifications: most === '' ? null : Number(most),
  };
}

function windowIn(from: string, to: string): Chosen {
  if (from === '' && to === '') return { do: 'window', window: null };
  const [startMinutes, endMinutes] = [minutesOf(from), minutesOf(to)];
  if (startMinutes === undefined || endMinutes === undefined || startMinutes === endMinutes)
    return 'badWindow';
  return { do: 'window', window: { startMinutes, endMinutes } };
}

function minutesOf(text: string): number | undefined {
  const [, hours, minutes] = TIME.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}
