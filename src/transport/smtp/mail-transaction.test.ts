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
const brief = (step: Step): string => {
  if (step.do === 'write') return `write ${step.line.trim()}`;
  if (step.do === 'over') return `over ${step.end.left} ${step.end.phase} ${step.end.reply?.code ?? ''}`;
  return 'failure' in step
    ? `${step.do} ${step.failure.phase} ${step.failure.code} ${step.failure.reply?.code ?? ''}`.trim()
    : step.do;
};
const run = (transaction: MailTransaction, codes: number[]): string =>
  codes.map((code) => brief(transaction.take(reply(code)))).join(', ');

describe('commands that travel together', () => {
  const together = (codes: number[], partial: 'all' | 'any' = 'all', to = ['a']) => {
    const transaction = new MailTransaction(commandsFor(...to), partial, 99);
    return run(transaction, codes);
  };

  test.each([
    [[250, 250, 354], 'wait, wait, go'],
    [[250, 550, 554], 'wait, wait, over no rcpt 550'],
    [[250, 550, 354], 'wait, wait, decline rcpt EREPLY 550'],
    [[250, 550, 250], 'wait, wait, drop rcpt EREPLY 550'],
    [[250, 550, 421], 'wait, wait, drop rcpt EREPLY 550'],
    [[452, 503, 503], 'wait, wait, over no mail 452'],
    [[452, 250, 354], 'wait, wait, decline mail EREPLY 452'],
    [[452, 421], 'wait, drop mail EREPLY 452'],
    [[421], 'drop mail EREPLY 421'],
    [[250, 421], 'wait, drop rcpt EREPLY 421'],
    [[250, 250, 421], 'wait, wait, drop data EREPLY 421'],
    [[250, 250, 451], 'wait, wait, over no data 451'],
    [[250, 250, 250], 'wait, wait, drop data EPROTOCOL 250'],
    [[250, 250, 355], 'wait, wait, drop data EPROTOCOL 355'],
    [[354], 'drop mail EPROTOCOL 354'],
    [[250, 334], 'wait, drop rcpt EPROTOCOL 334'],
  ])('answered %j: %s', (codes, expected) => expect(together(codes)).toBe(expected));

  test.each([
    ['all', [250, 250, 450, 250, 354], 'wait, wait, wait, wait, decline rcpt EREPLY 450'],
    ['any', [250, 250, 450, 250, 354], 'wait, wait, wait, wait, go'],
    ['any', [250, 451, 450, 550, 554], 'wait, wait, wait, wait, over no rcpt 451'],
  ] as const)('to three recipients of whom %s are wanted, answered %j: %s', (partial, codes, expected) =>
    expect(together([...codes], partial, ['a', 'b', 'c'])).toBe(expected),
  );
});

describe('commands that travel one by one', () => {
  test.each([
    [[250, 250, 354], 'write RCPT a, write DATA, go'],
    [[550], 'over no mail 550'],
    [[250, 550], 'write RCPT a, over no rcpt 550'],
    [[250, 250, 554], 'write RCPT a, write DATA, over no data 554'],
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
  const transaction = new MailTransaction(commandsFor('a'), 'all', 99);
  transaction.resetFirst();
  expect(transaction.opening).toBe('RSET\r\nMAIL\r\nRCPT a\r\nDATA\r\n');
  expect(run(transaction, [500])).toBe('drop rset EREPLY 500');
});

describe('the end of a mail', () => {
  test.each([
    [250, 'over yes reply 250'],
    [451, 'over no reply 451'],
    [550, 'over no reply 550'],
    [421, 'drop reply EREPLY 421'],
    [354, 'doubt reply EPROTOCOL'],
  ])('answered %j: %s', (code, expected) => {
    const transaction = new MailTransaction(commandsFor('a'), 'all', 99);
    run(transaction, [250, 250, 354]);
    expect(transaction.mayHaveLeft).toBe(false);
    transaction.endBody();
    expect(transaction.mayHaveLeft).toBe(true);
    expect(run(transaction, [code])).toBe(expected);
  });

  test('is not written before it was invited', () => {
    const transaction = new MailTransaction(commandsFor('a'), 'all', 99);
    run(transaction, [250, 250]);
    expect(() => transaction.endBody()).toThrow('never invited');
  });
});

describe('a mail that travels with its envelope', () => {
  const chunked = (...to: string[]): Command[] => [
    ...commandsFor(...to).slice(0, -1),
    { phase: 'bdat', line: 'BDAT 9 LAST' },
  ];

  test.each([
    [[250, 250, 250], 'wait, wait, over yes reply 250'],
    [[250, 250, 451], 'wait, wait, over no reply 451'],
    [[250, 250, 421], 'wait, wait, drop reply EREPLY 421'],
    [[250, 250, 354], 'wait, wait, doubt reply EPROTOCOL'],
    [[250, 250, 502], 'wait, wait, unchunk idle EPROTOCOL 502'],
    [[250, 550, 503], 'wait, wait, over no rcpt 550'],
    // A careless server that takes the bytes of a mail for nobody.
    [[250, 550, 250], 'wait, wait, over no rcpt 550'],
    [[250, 550, 354], 'wait, wait, drop rcpt EREPLY 550'],
    [[452, 503, 503], 'wait, wait, over no mail 452'],
    [[421], 'drop mail EREPLY 421'],
    // Nothing was refused, and the last byte is on its way.
    [[250, 334], 'wait, doubt rcpt EPROTOCOL 334'],
    [[354], 'doubt mail EPROTOCOL 354'],
  ])('answered %j: %s', (codes, expected) => {
    const transaction = new MailTransaction(chunked('a'), 'all', 99);
    expect(transaction.mayHaveLeft).toBe(true);
    expect(run(transaction, codes)).toBe(expected);
  });

  test('goes to those who were accepted', () => {
    const transaction = new MailTransaction(chunked('a', 'b'), 'any', 99);
    expect(run(transaction, [250, 550, 250, 250])).toBe('wait, wait, wait, over yes reply 250');
    expect(transaction.recipients.map(({ accepted }) => accepted)).toEqual([false, true]);
  });

  test('is in doubt if what was left of the mail before could not be cleared away', () => {
    const transaction = new MailTransaction(chunked('a'), 'all', 99);
    transaction.resetFirst();
    expect(run(transaction, [500])).toBe('doubt rset EREPLY 500');
  });
});
