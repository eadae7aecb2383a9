import { expect, test } from 'vitest';
import type { CaughtMail } from '../../api/types';
import { partsOf, partToShow } from './parts-of';

const mail = (over: Partial<CaughtMail>): CaughtMail => ({
  ...{ id: 'cgt_1', sender: 'a@b', recipients: [], subject: '', receivedAt: '', size: 1 },
  ...{ headers: [], attachments: [], remoteImages: 0 },
  ...over,
});

test('a mail shows what it has', () => {
  expect(partsOf(mail({ text: '' })).map(({ label }) => label)).toEqual(['Text', 'Headers 0', 'Raw']);
  const calendar = { content: 'BEGIN:VCALENDAR' };
  expect(partsOf(mail({ html: '<p>', calendar })).map(({ part }) => part)).toEqual([
    ...['html', 'headers', 'raw', 'calendar'],
  ]);
});

test('what was asked for comes first, if it is there', () => {
  expect(partToShow(mail({ html: '<p>', text: 'Hi' }), 'text')).toBe('text');
  expect(partToShow(mail({ html: '<p>', text: 'Hi' }), 'files')).toBe('html');
  expect(partToShow(mail({ text: 'Hi' }), undefined)).toBe('text');
  expect(partToShow(mail({}), 'nonsense')).toBe('raw');
});

test('of a very large one the text comes first', () => {
  const html = 'x'.repeat(1_000_001);
  expect(partToShow(mail({ html, text: 'Hi' }), undefined)).toBe('text');
  expect(partToShow(mail({ html }), undefined)).toBe('html');
  expect(partToShow(mail({ html, text: 'Hi' }), 'html')).toBe('html');
});
