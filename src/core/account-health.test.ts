import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sendsThatMatter, unhealthy } from './account-health.js';
import { DELIVERY_DEFAULTS } from './delivery-settings.js';

const { health } = DELIVERY_DEFAULTS;

test.each([
  ['too few sends say nothing', { sends: 49, bounces: 10, complaints: 0 }, undefined],
  ['too few bounces say nothing', { sends: 50, bounces: 2, complaints: 0 }, undefined],
  [
    'five in a hundred are too many',
    { sends: 100, bounces: 5, complaints: 0 },
    '5 bounces of 100 mails in 7 days',
  ],
  ['four in a hundred are not', { sends: 100, bounces: 4, complaints: 0 }, undefined],
  [
    'one complaint in a thousand is too many, from three on',
    { sends: 3_000, bounces: 0, complaints: 3 },
    '3 complaints',
  ],
  ['two are no pattern', { sends: 1_000, bounces: 0, complaints: 2 }, undefined],
])('%s', (_, record, reason) => {
  if (reason === undefined) expect(unhealthy(record, health)).toBeUndefined();
  else expect(unhealthy(record, health)).toContain(reason);
});

test('counting no further than what matters comes to the same end', () => {
  fc.assert(
    fc.property(fc.nat(100_000), fc.nat(500), fc.nat(50), (sends, bounces, complaints) => {
      const counted = Math.min(sends, sendsThatMatter({ bounces, complaints }, health));
      expect(unhealthy({ sends: counted, bounces, complaints }, health) === undefined).toBe(
        unhealthy({ sends, bounces, complaints }, health) === undefined,
      );
    }),
  );
});
