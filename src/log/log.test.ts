import { beforeEach, describe, expect, test } from 'vitest';
import { OutageLog, silent, type Logger } from './log.js';

describe('an outage is told', () => {
  let lines: { level: string; facts: object; text: string }[];
  let now: number;
  let outage: OutageLog;

  beforeEach(() => {
    lines = [];
    now = 1_000;
    const keep = (level: string) => (facts: object, text: string) => {
      lines.push({ level, facts, text });
    };
    const log: Logger = { ...silent, info: keep('info'), warn: keep('warn') };
    outage = new OutageLog(log, 'it fails', 'it works again', () => now);
  });

  const failFor = (seconds: number, timesASecond = 4) => {
    for (let n = 0; n < seconds * timesASecond; n += 1) {
      outage.failed(new Error('away'));
      now += 1_000 / timesASecond;
    }
  };

  test('by its first failure with all that is known, then once a minute with the count, and once when it is over', () => {
    const first = new Error('away');
    outage.failed(first, { results: 3 });
    failFor(150);
    outage.worked();
    outage.worked();
    expect(lines).toEqual([
      { level: 'warn', facts: { err: first, failures: 1, results: 3 }, text: 'it fails' },
      { level: 'warn', facts: { last: 'away', failures: 241 }, text: 'it fails' },
      { level: 'warn', facts: { last: 'away', failures: 240 }, text: 'it fails' },
      { level: 'info', facts: { failures: 601, seconds: 150 }, text: 'it works again' },
    ]);
  });

  test('not at all while nothing fails', () => {
    outage.worked();
    expect(lines).toEqual([]);
  });

  test('at most once a minute if it comes and goes', () => {
    for (let second = 0; second < 130; second += 1) {
      outage.failed('away');
      outage.worked();
      now += 1_000;
    }
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info', 'warn', 'info', 'warn', 'info']);
    expect(lines[2]!.facts).toEqual({ err: 'away', failures: 60 });
  });
});
