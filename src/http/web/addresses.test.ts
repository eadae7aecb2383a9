import { expect, test } from 'vitest';
import { isLostPage } from './addresses.js';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test.each(['/nowhere', '/apiary', '/users', '/documents', '/queue/msg_1/more?tab=raw'])(
  'a browser that asks for %s gets a page that says so',
  (url) => expect(isLostPage('GET', url, BROWSER)).toBe(true),
);

test.each([
  '/api',
  '/api/',
  '/api/nothing',
  '/api?x=1',
  '/docs/nothing',
  '/assets/gone.js',
  '/u/token',
  '/u',
])('%s is no page, whoever asks', (url) => expect(isLostPage('GET', url, BROWSER)).toBe(false));

test('programs, images and writes get no page', () => {
  expect(isLostPage('GET', '/nowhere', undefined)).toBe(false);
  expect(isLostPage('GET', '/nowhere', '*/*')).toBe(false);
  expect(isLostPage('GET', '/nowhere.png', 'image/avif,image/webp,*/*;q=0.8')).toBe(false);
  expect(isLostPage('POST', '/nowhere', BROWSER)).toBe(false);
  expect(isLostPage('HEAD', '/nowhere', BROWSER)).toBe(true);
});
