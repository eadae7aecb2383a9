import { beforeEach, describe, expect, test } from 'vitest';
import type { Marked } from '../store/relay-moves.js';
import { Journal } from './journal.js';

interface Line {
  readonly level: 'debug' | 'info';
  readonly facts: object;
  readonly text: string;
}

describe('what a relay does with each message is logged', () => {
  let lines: Line[];
  let now: number;
  let journal: Journal;

  beforeEach(() => {
    lines = [];
    now = 0;
    const at =
      (level: Line['level']) =>
      (facts: object, text: string): void => {
        lines.push({ level, facts, text });
      };
    const log = { debug: at('debug'), info: at('info'), warn: at('info'), error: at('info') };
    journal = new Journal(log, () => now);
  });

  const marked = (id: number, over: Partial<Marked> = {}): Marked => ({
    ...{ id, channelId: 7, attempts: 1, idempotencyKey: null, again: false, mark: 0 },
    dueAt: Date.UTC(2026, 10, 16, 14),
    ...over,
  });
  const facts = { emailId: 'msg_1', attempts: 1, attempt: 2, nextAttemptAt: '2026-11-16T14:00:00.000Z' };

  test('with its id, its tries, its time and what was done', () => {
    journal.passedOn([marked(1)]);
    journal.passedOn([marked(1, { again: true })]);
    journal.cameBack([marked(1)], 'returned');
    expect(lines).toEqual([
      { level: 'info', facts: { ...facts, action: 'published' }, text: 'published' },
      { level: 'info', facts: { ...facts, action: 'published_again' }, text: 'published_again' },
      { level: 'info', facts: { ...facts, action: 'returned', reason: 'returned' }, text: 'returned' },
    ]);
  });

  test('above a hundred in a second one by one at debug, and together in one line', () => {
    const many = Array.from({ length: 101 }, (_, n) => marked(n + 1, { again: n === 0 }));
    journal.passedOn(many);
    expect(lines.filter(({ level }) => level === 'debug')).toHaveLength(101);
    expect(lines.filter(({ level }) => level === 'info').map((line) => line.facts)).toEqual([
      { published: 100, published_again: 1 },
    ]);
    now = 1_000;
    journal.passedOn(many.slice(0, 3));
    expect(lines.filter(({ level }) => level === 'info')).toHaveLength(4);
  });

  test('a channel that is passed over once, until the reason changes or is over', () => {
    journal.skipped(new Map([[7, 'the window is full']]));
    journal.skipped(new Map([[7, 'the window is full']]));
    journal.skipped(new Map());
    journal.skipped(new Map([[7, 'the window is full']]));
    const line = { channel: 7, action: 'skipped', reason: 'the window is full' };
    expect(lines.map((each) => each.facts)).toEqual([line, line]);
  });

  test('nothing was done, nothing is said', () => {
    journal.passedOn([]);
    expect(lines).toEqual([]);
  });
});
