import type { SendingSettings } from '../../../api/types';
import { counted } from '../../../parts/number-words';
import { daysChanged, hoursOf, isSameWeek, weekMinutes, weekOf, type Week } from '../../../parts/week/week';

/** When mail may leave, as a form holds it. A number that is not typed yet is null. */
export interface SendingDraft {
  readonly week: Week;
  readonly timezone: string;
  readonly dailyQuota: number | null;
  readonly rampUpEnabled: boolean;
  readonly rampUp: { readonly start: number | null; readonly step: number | null };
  readonly spacing: { readonly minSeconds: number | null; readonly maxSeconds: number | null };
  readonly holidays: readonly string[];
}

export const sendingDraft = (settings: SendingSettings): SendingDraft => ({
  week: weekOf(settings),
  timezone: settings.timezone,
  dailyQuota: settings.dailyQuota,
  rampUpEnabled: settings.rampUpEnabled,
  rampUp: settings.rampUp,
  spacing: settings.spacing,
  holidays: settings.holidays,
});

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
const PLAIN = ['timezone', 'dailyQuota', 'rampUpEnabled', 'rampUp', 'spacing', 'holidays'] as const;

/** What the API is told: only what differs, so that two who change different things both get theirs. */
export function changeOf(before: SendingDraft, draft: SendingDraft): Record<string, unknown> {
  const plain = PLAIN.filter((name) => !isSame(before[name], draft[name])).map((name) => [name, draft[name]]);
  return {
    ...(isSameWeek(before.week, draft.week) ? {} : hoursOf(draft.week)),
    ...(Object.fromEntries(plain) as object),
  };
}

/** Whether every number is one. */
export const isWhole = ({ dailyQuota, rampUp, spacing }: SendingDraft): boolean =>
  [dailyQuota, rampUp.start, rampUp.step, spacing.minSeconds, spacing.maxSeconds].every(
    (value) => value !== null,
  );

export const isNever = ({ week }: SendingDraft): boolean => weekMinutes(week) === 0;

/** "hours of five days, 1 holiday": what the save bar names. */
export function changedWords(before: SendingDraft, draft: SendingDraft): readonly string[] {
  const days = daysChanged(before.week, draft.week);
  const holidays =
    draft.holidays.filter((date) => !before.holidays.includes(date)).length +
    before.holidays.filter((date) => !draft.holidays.includes(date)).length;
  const differs = (name: (typeof PLAIN)[number]) => !isSame(before[name], draft[name]);
  return [
    ...(days > 0 ? [`hours of ${counted(days, 'day')}`] : []),
    ...(differs('timezone') ? ['time zone'] : []),
    ...(differs('dailyQuota') ? ['mails a day'] : []),
    ...(differs('spacing') ? ['spacing'] : []),
    ...(differs('rampUpEnabled') || differs('rampUp') ? ['ramp-up'] : []),
    ...(holidays > 0 ? [counted(holidays, 'holiday')] : []),
  ];
}
