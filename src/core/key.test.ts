import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { generateIdempotencyKey, parseIdempotencyKey, providerKey } from './key.js';

const id = fc.stringMatching(/^[!-9;-~]{1,100}$/);
const step = fc.integer({ min: 1, max: 999_999_999 });

describe('idempotency keys of sequences', () => {
  test('have the documented form', () => {
    expect(generateIdempotencyKey('con_7', 'seq_a', 2)).toBe('con_7:seq_a:2');
  });

  test('read back to what they were made of', () => {
    fc.assert(
      fc.property(id, id, step, (prospectId, sequenceId, stepNumber) => {
        const key = generateIdempotencyKey(prospectId, sequenceId, stepNumber);
        expect(parseIdempotencyKey(key)).toEqual({ prospectId, sequenceId, stepNumber });
      }),
    );
  });

  test('differ whenever their parts differ', () => {
    const parts = fc.tuple(id, id, step);
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        fc.pre(a.join('\n') !== b.join('\n'));
        expect(generateIdempotencyKey(...a)).not.toBe(generateIdempotencyKey(...b));
      }),
    );
  });

  test('a key that could not have been made is refused; one that parses makes itself again', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[a-z:0-9]{0,12}$/)), (text) => {
        let parsed;
        try {
          parsed = parseIdempotencyKey(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_input', field: 'idempotencyKey' });
          return;
        }
        expect(generateIdempotencyKey(parsed.prospectId, parsed.sequenceId, parsed.stepNumber)).toBe(text);
      }),
    );
  });

  test.each([
    ['an empty id', () => generateIdempotencyKey('', 's', 1), 'prospectId'],
    ['a separator in an id', () => generateIdempotencyKey('a:b', 's', 1), 'prospectId'],
    ['a blank in an id', () => generateIdempotencyKey('a', 's 1', 1), 'sequenceId'],
    ['a step of 0', () => generateIdempotencyKey('a', 's', 0), 'stepNumber'],
    ['half a step', () => generateIdempotencyKey('a', 's', 1.5), 'stepNumber'],
    ['no number', () => generateIdempotencyKey('a', 's', NaN), 'stepNumber'],
    ['a step with a leading zero', () => parseIdempotencyKey('a:s:01'), 'idempotencyKey'],
    ['a fourth part', () => parseIdempotencyKey('a:s:1:2'), 'idempotencyKey'],
  ])('%s is refused by its name', (_, make, field) => {
    expect(make).toThrow(expect.objectContaining({ code: 'invalid_input', field }));
  });
});

describe('what a provider knows a message by', () => {
  const message = { workspaceId: 1, lane: 'outbox', idempotencyKey: 'welcome-1' } as const;

  test('is another one for every installation, workspace and lane', () => {
    const keys = [
      providerKey('aa', 'msg_7', message),
      providerKey('bb', 'msg_7', message),
      providerKey('aa', 'msg_7', { ...message, workspaceId: 2 }),
      providerKey('aa', 'msg_7', { ...message, lane: 'campaign' }),
      providerKey('aa', 'msg_7', { ...message, idempotencyKey: null }),
    ];
    expect(keys).toEqual([
      'aa:1:outbox:welcome-1',
      'bb:1:outbox:welcome-1',
      'aa:2:outbox:welcome-1',
      'aa:1:campaign:welcome-1',
      'aa:msg_7',
    ]);
  });

  test('a caller cannot make the key of another with a separator', () => {
    const sly = { ...message, workspaceId: 1, idempotencyKey: '2:outbox:x' };
    const victim = { ...message, workspaceId: 2, idempotencyKey: 'x' };
    expect(providerKey('aa', 'msg_7', sly)).not.toBe(providerKey('aa', 'msg_7', victim));
  });
});
