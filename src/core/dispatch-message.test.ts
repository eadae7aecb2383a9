import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { readDispatch, writeDeath, writeDispatch } from './dispatch-message.js';

describe('a dispatch message', () => {
  test('names the message, its key and the try to come', () => {
    const text = writeDispatch({ id: 33, attempts: 2, idempotencyKey: 'booking-1' });
    expect(JSON.parse(text)).toEqual({ emailId: 'msg_11', messageKey: 'booking-1', attempt: 3 });
    expect(readDispatch(text)).toEqual({ id: 33, attempt: 3 });
  });

  test('a message without a key is known by its id', () => {
    const text = writeDispatch({ id: 33, attempts: 0, idempotencyKey: null });
    expect(JSON.parse(text)).toMatchObject({ messageKey: 'msg_11', attempt: 1 });
  });

  test('fields of others are not looked at', () => {
    expect(readDispatch('{"emailId":"msg_11","attempt":1,"priority":9}')).toEqual({ id: 33, attempt: 1 });
  });

  test.each([
    ['', 'not_json'],
    ['{"emailId":', 'not_json'],
    ['null', 'not_json'],
    ['7', 'not_json'],
    ['[]', 'no_email_id'],
    ['{}', 'no_email_id'],
    ['{"emailId":33,"attempt":1}', 'no_email_id'],
    ['{"emailId":"acc_11","attempt":1}', 'no_email_id'],
    ['{"emailId":"msg_11"}', 'no_attempt'],
    ['{"emailId":"msg_11","attempt":"1"}', 'no_attempt'],
    ['{"emailId":"msg_11","attempt":0}', 'no_attempt'],
    ['{"emailId":"msg_11","attempt":1.5}', 'no_attempt'],
    ['{"emailId":"msg_11","attempt":1e99}', 'no_attempt'],
    [`{"emailId":"msg_11","attempt":1,"x":"${'x'.repeat(5_000)}"}`, 'too_long'],
  ])('%s is set aside', (text, reason) => {
    expect(readDispatch(text)).toBe(reason);
  });

  test('whatever comes is read or set aside, and never more', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = readDispatch(text);
        return typeof read === 'string' || (Number.isSafeInteger(read.id) && read.attempt >= 1);
      }),
    );
  });

  test('a death tells the reason and the last error', () => {
    const lastError = { code: '550', message: 'no', class: 'permanent' };
    const text = writeDeath({
      ...{ messageId: 33, idempotencyKey: null, deadReason: 'permanent_error' },
      lastError,
    });
    const key = { emailId: 'msg_11', messageKey: 'msg_11' };
    expect(JSON.parse(text)).toEqual({ ...key, deadReason: 'permanent_error', lastError });
  });
});
