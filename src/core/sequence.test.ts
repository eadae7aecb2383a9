import { describe, expect, test } from 'vitest';
import { stepsFault, type SequenceStep } from './sequence.js';

const step = (over: Partial<SequenceStep>): SequenceStep => ({
  ...{ order: 1, delayDays: 0, delayUnit: 'days', action: 'email', subject: 'Hi', body: 'x', bodyText: null },
  ...over,
});
const fieldOf = (...steps: Partial<SequenceStep>[]) => stepsFault(steps.map(step))?.field;

describe('a sequence', () => {
  test.each<[string, Partial<SequenceStep>[]]>([
    ['in any order', [{ order: 2, subject: null }, { order: 1 }]],
    ['that begins on LinkedIn', [{ action: 'connection_request', subject: null, body: '' }, { order: 2 }]],
    ['without an email', [{ action: 'message', subject: null }]],
    ['with an InMail that has a subject', [{ action: 'inmail' }]],
    ['that waits a year', [{}, { order: 2, delayDays: 8_760, delayUnit: 'hours' }]],
  ])('is one %s', (_what, steps) => {
    expect(stepsFault(steps.map(step))).toBeUndefined();
  });

  test.each<[string, Partial<SequenceStep>[]]>([
    ['steps.1.order', [{}, { order: 1 }]],
    ['steps.1.order', [{}, { order: 3 }]],
    ['steps.0.order', [{ order: 2 }]],
    ['steps.1.delayDays', [{}, { order: 2, delayDays: 366 }]],
    ['steps.1.delayDays', [{}, { order: 2, delayDays: 8_761, delayUnit: 'hours' }]],
    ['steps.0.subject', [{ subject: null }]],
    [
      'steps.1.subject',
      [
        { action: 'message', subject: null },
        { order: 2, subject: null },
      ],
    ],
    ['steps.0.subject', [{ subject: ' ' }]],
    ['steps.0.body', [{ body: ' \n' }]],
    ['steps.0.body', [{ action: 'message', subject: null, body: '' }]],
    ['steps.0.subject', [{ action: 'message' }]],
    ['steps.0.bodyText', [{ action: 'inmail', bodyText: 'x' }]],
  ])('is none because of %s', (field, steps) => {
    expect(fieldOf(...steps)).toBe(field);
  });
});
