import { describe, expect, test } from 'vitest';
import { checkRule } from '../catcher/behaviour.js';
import { FULL_MAILBOX, TROUBLED } from './guests.js';
import { pastOf } from './past.js';
import { postingsOf, SLOT_MS, type Posting } from './postings.js';
import { rulesAt } from './provider-rules.js';

const BORN_AT = Date.UTC(2026, 10, 16, 14);
const HOUR_MS = 3_600_000;
const nextHour = (): Posting[] => Array.from({ length: 720 }, (_, slot) => postingsOf(slot, BORN_AT)).flat();
const PAST = pastOf(BORN_AT, true);
const ALL = [...PAST.flatMap(({ postings }) => postings), ...nextHour()];
const addressOf = ({ letter }: Posting): string => (letter.mail.to as { email: string }).email;

describe('what the demo posts', () => {
  test('is the same each time, and every key stands for one mail', () => {
    expect(pastOf(BORN_AT, true)).toEqual(PAST);
    const keys = ALL.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('names nobody and nothing outside of .example', () => {
    expect(ALL.map(addressOf).filter((address) => !/^[a-z.]+@[a-z-]+\.example$/.test(address))).toEqual([]);
    const texts = ALL.flatMap(({ letter: { mail } }) => [
      JSON.stringify({ ...mail, attachments: [] }),
      ...(mail.attachments ?? []).map(({ contentBase64 }) =>
        Buffer.from(contentBase64, 'base64').toString('latin1'),
      ),
    ]);
    const hosts = texts.flatMap((text) =>
      [...text.matchAll(/(?:https?:\/\/|@)([\w.-]+)/g)].map(([, host]) => host!),
    );
    expect(hosts.length).toBeGreaterThan(500);
    expect(hosts.filter((host) => !host.endsWith('.example'))).toEqual([]);
  });

  test('goes on as it was: about as much in the next hour as in the last, some mails a minute', () => {
    const lastHour = PAST.filter(({ at, ordinary }) => at > BORN_AT - HOUR_MS && ordinary);
    const before = lastHour.flatMap(({ postings }) => postings).length;
    const after = nextHour().length;
    expect(after).toBeGreaterThan(240);
    expect(after).toBeLessThan(600);
    expect(Math.abs(before - after)).toBeLessThan(120);
    expect(SLOT_MS).toBeLessThanOrEqual(10_000);
  });

  test('tells a past that is past, from the oldest to the newest', () => {
    const instants = PAST.map(({ at }) => at);
    expect(instants).toEqual([...instants].sort((a, b) => a - b));
    expect(Math.max(...instants)).toBeLessThan(BORN_AT);
    expect(Math.min(...instants)).toBeGreaterThan(BORN_AT - 7 * 24 * HOUR_MS);
  });

  test('beside workers leaves out what only they could have sent at its time', () => {
    const beside = pastOf(BORN_AT, false);
    const longAgo = beside
      .filter(({ at }) => at < BORN_AT - HOUR_MS / 10)
      .flatMap(({ postings }) => postings);
    expect(longAgo.filter((posting) => addressOf(posting).endsWith(TROUBLED.flaky))).toEqual([]);
    expect(longAgo.filter(({ letter }) => Date.parse(letter.mail.sendAt ?? '2100-01-01') < BORN_AT)).toEqual(
      [],
    );
    expect(beside.flatMap(({ postings }) => postings).every(({ door }) => door === 'send')).toBe(true);
  });
});

describe('the provider', () => {
  const textsAt = (minute: number): string[] =>
    rulesAt(minute).map(
      ({ recipient, sender, fault }) =>
        `${recipient ?? sender ?? ''} ${'code' in fault ? fault.code : fault.kind}`,
    );

  test('has only rules that a catcher obeys', () => {
    for (let minute = -200; minute < 400; minute += 0.5) rulesAt(minute).forEach(checkRule);
  });

  test('knows nobody at a house that has closed, now and always', () => {
    for (const minute of [-8_000, -30, 0, 500]) {
      expect(textsAt(minute)).toContain(`@${TROUBLED.closed} 550`);
      expect(textsAt(minute)).toContain(`@${TROUBLED.hasty} drop`);
      expect(textsAt(minute)).toContain(`${FULL_MAILBOX} 452`);
    }
  });

  test('fails one domain now and then, at this moment too, and recovers', () => {
    const fails = (minute: number) => textsAt(minute).includes(`@${TROUBLED.flaky} 451`);
    expect([-60, -47, -25, -23, -5, -3, 0, 5, 7, 31, 33, 43].map(fails)).toEqual([
      ...[false, true, true, false, false, true, true, true, false, false, true, false],
    ]);
  });

  test('finds news too much for a minute each hour, the last time some minutes ago', () => {
    const tooMuch = (minute: number) => textsAt(minute).includes('news@ 421');
    expect([-68.5, -67.5, -8.5, -7.5, -6.5, 0, 52.5, 53.5].map(tooMuch)).toEqual([
      ...[false, true, false, true, false, false, true, false],
    ]);
    const atThatTime = PAST.filter(({ at }) => tooMuch((at - BORN_AT) / 60_000));
    expect(atThatTime.flatMap(({ postings }) => postings).map(({ letter }) => letter.from)).toContain('news');
  });
});
