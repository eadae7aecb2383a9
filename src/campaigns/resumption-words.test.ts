import { expect, test } from 'vitest';
import { resumptionWords, type Outlook } from './resumption-words.js';

const clock = { now: Date.parse('2026-11-16T15:41:00Z'), timezone: 'America/New_York' };
const known: Outlook = {
  endsAt: Date.parse('2026-12-17T14:41:00Z'),
  holdsUntil: Date.parse('2026-12-18T05:00:00Z'),
  ...{ isLast: false, late: 0, by: null },
};

test.each<[string, Partial<Outlook>]>([
  [
    'Resumed by Wed 18 Nov, the end date holds: nothing leaves after Thu 17 Dec. Counted 10:41 EST.',
    { by: Date.parse('2026-11-18T05:00:00Z') },
  ],
  [
    'Resumed today, the end date holds: nothing leaves after Thu 17 Dec. Counted 10:41 EST.',
    { by: Date.parse('2026-11-16T05:00:00Z') },
  ],
  ['Resumed now, the end date holds: nothing leaves after Thu 17 Dec. Counted 10:41 EST.', {}],
  [
    'Resumed now, the last mail would leave Mon 21 Dec, 09:41 EST; it was planned for Thu 17 Dec. Counted 10:41 EST.',
    { endsAt: Date.parse('2026-12-21T14:41:00Z'), late: 12 },
  ],
  [
    'Resumed now, 12 mails would have no time left before it ends: nothing leaves after Thu 17 Dec. Counted 10:41 EST.',
    { isLast: true, late: 12 },
  ],
])('%s', (sentence, over) => {
  expect(resumptionWords({ ...known, ...over }, clock)).toBe(sentence);
});
