import { expect, test } from 'vitest';
import { withDirection } from './direction.js';

test.each([
  ['<p>سلام</p>', '<div dir="rtl" lang="ar"><p>سلام</p></div>'],
  ['<html><body>x</body></html>', '<html dir="rtl" lang="ar"><body>x</body></html>'],
  ['<BODY class="a">x', '<BODY dir="rtl" lang="ar" class="a">x'],
  ['<html dir="ltr"><body>x', '<html dir="ltr"><body>x'],
  ['<p dir = auto>x</p>', '<p dir = auto>x</p>'],
])('%s says how its letters run', (html, said) => {
  expect(withDirection(html, 'ar', 'rtl')).toBe(said);
  expect(withDirection(html, 'en', 'ltr')).toBe(html);
});
