import { describe, expect, test } from 'vitest';

import type { Command } from './envelope.js';
import { MailTransaction, type Step } from './mail-transaction.js';
import type { Reply } from './reply.js';

const commandsFor = (...to: string[]): Command[] => [
  { phase: 'mail', line: 'MAIL' },
  ...to.map((address) => ({ phase: 'rcpt', line: `RCPT ${address}`, address }) as const),
  { phase: 'data', line: 'DATA' },
];
const reply = (code: number): Reply => ({ code, lines: [''] });
const brief = (step: Step): string =>
  'failure' in step
    ? `${step.do} ${step.failure.phase} ${step.failure.code} ${step.failure.reply?.code ?? ''}`
    : step.do === 'write'
      ? `write ${step.line.trim()}`
      : step.do;
const run = (transaction: MailTransaction, codes: number[]): string =>
  codes.map((code) => brief(transaction.take(reply(code)))).join(', ');

describe('commands that travel together', () => {
  const together = (codes: number[], partial: 'all' | 'any' = 'all', to = ['a']) => {
    const transaction = new MailTransaction(commandsFor(...to), partial, 99);
    return run(transaction, codes);
  };

  test.each([
    [[250, 250, 354], 'wait, wait, go'],
    [[250, 550, 554], 'wait, wait, end rcpt EREPLY 550'],
    [[250, 550, 354], 'wait, wait, decline rcpt EREPLY 550'],
    [[250, 550, 250], 'wait, wait, drop rcpt EREPLY 550'],
    [[250, 550, 421], 'wait, wait, drop rcpt EREPLY 550'],
    [[452, 503, 503], 'wait, wait, end mail EREPLY 452'],
    [[452, 250, 354], 'wait, wait, decline mail EREPLY 452'],
    [[452, 421], 'wait, drop mail EREPLY 452'],
    [[421], 'drop mail EREPLY 421'],
    [[250, 421], 'wait, drop rcpt EREPLY 421'],
    [[250, 250, 421], 'wait, wait, drop data EREPLY 421'],
    [[250, 250, 451], 'wait, wait, end data EREPLY 451'],
    [[250, 250, 250], 'wait, wait, drop data EPROTOCOL 250'],
    [[250, 250, 355], 'wait, wait, drop data EPROTOCOL 355'],
    [[354], 'drop mail EPROTOCOL 354'],
    [[250, 334], 'wait, drop rcpt EPROTOCOL 334'],
  ])('answered %j: %s', (codes, expected) => expect(together(codes)).toBe(expected));

  test.each([
    ['all', [250, 250, 450, 250, 354], 'wait, wait, wait, wait, decline rcpt EREPLY 450'],
    ['any', [250, 250, 450, 250, 354], 'wait, wait, wait, wait, go'],
    ['any', [250, 451, 450, 550, 554], 'wait, wait, wait, wait, end rcpt EREPLY 451'],
  ] as const)('to three recipients of whom %s are wanted, answered %j: %s', (partial, codes, expected) =>
    expect(together([...codes], partial, ['a', 'b', 'c'])).toBe(expected),
  );
});

describe('commands that travel one by one', () => {
  test.each([
    [[250, 250, 354], 'write RCPT a, write DATA, go'],
    [[550], 'end mail EREPLY 550'],
    [[250, 550], 'write RCPT a, end rcpt EREPLY 550'],
    [[250, 250, 554], 'write RCPT a, write DATA, end data EREPLY 554'],
  ])('answered %j: %s', (codes, expected) => {
    const transaction = new MailTransaction(commandsFor('a'), 'all', 1);
    expect(transaction.opening).toBe('MAIL\r\n');
    expect(run(transaction, codes)).toBe(expected);
  });
});

test('DATA waits for the recipients when it may not travel with them', () => {
  const transaction = new MailTransaction(commandsFor('a', 'b'), 'any', 3);
  expect(transaction.opening).toBe('MAIL\r\nRCPT a\r\nRCPT b\r\n');
  expect(run(transaction, [250, 550, 250, 354])).toBe('wait, wait, write DATA, go');
  expect(transaction.recipients.map(({ accepted }) => accepted)).toEqual([false, true]);
});

test('a refused MAIL says nothing of recipients, and stays refused', () => {
  const transaction = new MailTransaction(commandsFor('a'), 'all', 99);
  run(transaction, [550, 503]);
  expect(transaction.recipients).toEqual([]);
  expect(transaction.refusal).toMatchObject({ phase: 'mail', reply: { code: 550 } });
});

test('a refused RSET ends the connection before MAIL counts', () => {
  const transaction = new MailTransaction([{ phase: 'rset', line: 'RSET' }, ...commandsFor('a')], 'all', 99);
  expect(run(transaction, [500])).toBe('drop rset EREPLY 500');
});
