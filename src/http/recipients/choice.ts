import type { SubscriberChoice } from '../../links/subscribers.js';

/** Of a page's form; `again` and `badWindow` are for the page to answer, undefined: none of ours, nothing happens. */
export type Chosen = SubscriberChoice | 'again' | 'badWindow' | undefined;

const PLAIN = ['stop', 'everything', 'undo', 'pause', 'resume', 'wake'] as const;
const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/;

export function choiceIn(fields: ReadonlyMap<string, string>): Chosen {
  const pressed = fields.get('do');
  const plain = PLAIN.find((name) => name === pressed);
  if (plain) return { do: plain };
  if (pressed === 'snooze-1' || pressed === 'snooze-7')
    return { do: 'snooze', days: pressed === 'snooze-1' ? 1 : 7 };
  if (pressed === 'window') return windowIn(fields.get('from') ?? '', fields.get('to') ?? '');
  return pressed === 'again' ? 'again' : undefined;
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
