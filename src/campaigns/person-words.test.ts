import { expect, test } from 'vitest';
import type { PersonMessage, PersonRow } from '../store/scripts/campaign-people.js';
import { personWhy, type Around } from './person-words.js';

const at = (text: string): number => Date.parse(text);
const AROUND: Around = {
  state: 'running',
  clock: { now: at('2026-11-16T12:00:00Z'), timezone: 'UTC' },
  pausedAccount: () => undefined,
};
const message = (
  step: number,
  state: PersonMessage['state'],
  over: Partial<PersonMessage> = {},
): PersonMessage => ({
  ...{ step, state, at: at(`2026-11-${10 + step}T09:00:00Z`), halted: false, reason: null },
  finished: !['scheduled', 'queued', 'sending', 'retry_scheduled'].includes(state),
  ...over,
});
const why = (
  messages: readonly PersonMessage[],
  person: Partial<PersonRow> = {},
  around: Partial<Around> = {},
): string =>
  personWhy(
    {
      ...{ contactId: 1, name: 'Ada', email: 'ada@example.org', state: 'active', reason: null, accountId: 1 },
      ...{ resumeAt: null, changedAt: at('2026-11-13T16:20:00Z'), messages, ...person },
    },
    { ...AROUND, ...around },
  );

test('what comes next, and what was before', () => {
  expect(why([message(1, 'scheduled'), message(2, 'scheduled', { halted: true })])).toBe(
    'Step 1 is planned.',
  );
  expect(why([message(1, 'sent'), message(2, 'scheduled')])).toBe('Step 2. Step 1 left Wed 11 Nov.');
  expect(why([message(1, 'sending')])).toBe('Step 1 is on its way.');
  expect(why([message(1, 'retry_scheduled')])).toBe('Step 1 is tried again.');
  expect(why([message(1, 'sent'), message(2, 'sent')])).toBe('Done. Step 2 left Thu 12 Nov.');
  expect(why([], {}, { state: 'draft' })).toBe('Planned at the launch.');
});

test('what needs a person comes before what waits', () => {
  expect(why([message(1, 'held'), message(2, 'scheduled')])).toBe(
    'Step 1 is held: nobody knows whether it left.',
  );
  expect(why([message(1, 'dead', { reason: 'permanent_error' })])).toBe(
    'Step 1 could not be sent (permanent_error).',
  );
});

test('who pauses: the person, the campaign, or the account', () => {
  const waits = [message(1, 'scheduled')];
  expect(why(waits, { state: 'paused', reason: 'paused' })).toBe('Paused.');
  expect(why(waits, { state: 'paused', reason: 'auto_reply', resumeAt: at('2026-11-17T09:00:00Z') })).toBe(
    'Away until Tue 17 Nov, 09:00 UTC: an automatic answer came.',
  );
  expect(why(waits, {}, { state: 'paused' })).toBe('The campaign is paused.');
  expect(why(waits, {}, { pausedAccount: () => 'hello@' })).toBe('hello@ is paused; step 1 waits.');
});

test('who has left it, when, and what never leaves because of it', () => {
  const rest = [message(1, 'sent'), message(2, 'cancelled', { reason: 'replied' }), message(3, 'cancelled')];
  expect(why(rest, { state: 'replied' })).toBe('Replied Fri 13 Nov, 16:20 UTC. 2 follow-ups never leave.');
  expect(why([], { state: 'stopped' })).toBe('Taken out Fri 13 Nov, 16:20 UTC.');
  expect(why([message(1, 'skipped', { reason: 'suppressed' })])).toBe(
    'Nothing leaves: must not be written to.',
  );
});
