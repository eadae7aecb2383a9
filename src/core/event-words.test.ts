import { expect, test } from 'vitest';
import { eventSentence, type EventFigures } from './event.js';
import {
  eventEvidence,
  eventSummary,
  eventTitle,
  fanOutEta,
  reasonWords,
  waitingReasons,
} from './event-words.js';

const figures = (over: Partial<EventFigures> = {}): EventFigures => ({
  ...{ matched: 412, seen: 412, accepted: 412, ended: [], skips: {}, sending: 0 },
  ...over,
});
const sent = (count: number) => ({ state: 'sent' as const, reason: '', count });
const said = (over: Partial<EventFigures>, isCancelled = false) =>
  eventSummary({ ...figures(over), isCancelled });

test('a row says who was told by what matters most', () => {
  expect(said({ ended: [sent(412)] })).toEqual({ state: 'sent', words: 'all told' });
  expect(said({ matched: 2_318, seen: 1_900 })).toEqual({
    ...{ state: 'sending', words: 'fan-out, 1,900 of 2,318' },
  });
  expect(said({ ended: [sent(399), { state: 'dead', reason: 'x', count: 13 }] }).words).toBe('13 dead');
  expect(said({ ended: [sent(196)] })).toEqual({ state: 'scheduled', words: '216 wait' });
  expect(said({ ended: [sent(196)], sending: 6 })).toEqual({
    ...{ state: 'sending', words: '216 on their way' },
  });
  expect(said({ ended: [sent(398), { state: 'expired', reason: 'x', count: 14 }] }).words).toBe(
    '14 too late to be useful',
  );
  expect(said({ matched: 0, seen: 0, accepted: 0 }).words).toBe('no subscription to this topic');
  expect(said({ matched: 3, seen: 3, accepted: 0, skips: { notify_on: 3 } }).words).toBe('nobody wanted it');
});

test('of a cancelled one nobody is forgotten: those that were never reached never leave either', () => {
  const over = {
    ...{ matched: 500, seen: 220, accepted: 220 },
    ended: [sent(61), { state: 'cancelled' as const, reason: 'event_cancelled', count: 159 }],
  };
  expect(said(over, true)).toEqual({ state: 'cancelled', words: 'cancelled; 439 never left' });
  expect(eventSentence({ ...figures(over), isCancelled: true, cancelledBy: 'mara@example.org' })).toEqual({
    level: 'fine',
    sentence: 'Cancelled by mara@example.org; 61 had left, 439 never will.',
  });
});

test('what came too late stands in the sentence', () => {
  const ended = [sent(398), { state: 'expired' as const, reason: 'expired', count: 14 }];
  expect(eventSentence({ ...figures({ ended }), isCancelled: false, cancelledBy: null }).sentence).toBe(
    'Told 398 of 412; 14 came too late.',
  );
});

test('an event is called by its payload, where that has a title, and else by its type', () => {
  expect(eventTitle('seat.opened', { courseTitle: ' Bread by the tide ' })).toBe('Bread by the tide');
  expect(eventTitle('seat.opened', { title: 7, name: '' })).toBe('seat.opened');
  expect(eventTitle('seat.opened', { title: 'x'.repeat(999) })).toHaveLength(200);
});

test('every reason has words, also one that nobody has thought of', () => {
  expect(reasonWords({ state: 'skipped', reason: 'notify_on', count: 2 }, 'Open')).toBe(
    'want others, not Open',
  );
  expect(reasonWords({ state: 'skipped', reason: 'notify_on', count: 1 }, null)).toBe('wants others');
  expect(reasonWords({ state: 'skipped', reason: 'pending', count: 1 }, null)).toBe('has not confirmed');
  expect(reasonWords({ state: 'skipped', reason: 'pending', count: 2 }, null)).toBe('have not confirmed');
  expect(reasonWords({ state: 'skipped', reason: 'some_new_one', count: 2 }, null)).toBe('some new one');
  expect(reasonWords({ state: 'dead', reason: 'smtp_550', count: 2 }, null)).toBe('died');
  expect(reasonWords({ state: 'expired', reason: 'expired', count: 2 }, null)).toBe('too late to be useful');
});

test('what waits says for what, and until when', () => {
  const clock = { now: Date.UTC(2026, 10, 16, 15), timezone: 'UTC' };
  const next = Date.UTC(2026, 10, 16, 17);
  expect(
    waitingReasons(
      [
        { state: 'scheduled', reason: '', later: true, count: 786, next },
        { state: 'retry_scheduled', reason: 'smtp_451', later: true, count: 3, next },
        { state: 'scheduled', reason: '', later: false, count: 1, next },
      ],
      clock,
    ).map(({ reason, sentence }) => [reason, sentence]),
  ).toEqual([
    ['hours', 'wait for their hours; the next open 17:00 UTC'],
    ['smtp_451', 'tried again, the first at 17:00 UTC'],
    ['due', 'due, and leaves next'],
  ]);
});

test('the evidence names the worst cause, and leads to the template where that is to blame', () => {
  const reasons = [
    { state: 'dead', reason: 'template_missing_variable', count: 23, sentence: 'the template wants more' },
  ] as const;
  expect(eventEvidence({ reasons, templateId: 'open/seat', etaSeconds: 4 })).toEqual({
    evidence: '23 mails died of template_missing_variable: the template wants more. Done in about 4 s.',
    action: { verb: 'Open the template', to: '/templates/open%2Fseat' },
  });
  expect(eventEvidence({ reasons: [], templateId: 'x' })).toEqual({});
  expect(eventEvidence({ reasons: [], templateId: 'x', isRepeated: true })).toEqual({
    evidence: 'Same key within 3 minutes: nobody was told twice.',
  });
});

test('how long a fan-out goes on is known once it has begun', () => {
  expect(fanOutEta({ matched: 2_000, seen: 1_000 }, 4_000)).toBe(4);
  expect(fanOutEta({ matched: 2_000, seen: 0 }, 4_000)).toBeUndefined();
  expect(fanOutEta({ matched: 2_000, seen: 2_000 }, 4_000)).toBeUndefined();
});
