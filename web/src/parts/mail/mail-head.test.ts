import { expect, test } from 'vitest';
import { readHead } from './mail-head';

test('headers are read up to the empty line, folded ones as one', () => {
  const head = readHead('Subject: one\r\n two\r\nX-Empty:\r\n\r\nTo: body@example.org\r\n');
  expect(head).toEqual([
    { name: 'Subject', value: 'one two', raw: 'Subject: one\r\n two' },
    { name: 'X-Empty', value: '', raw: 'X-Empty:' },
  ]);
});

test.each([
  ['=?UTF-8?B?R3LDvMOfZQ==?=', 'Grüße'],
  ['=?utf-8?q?Gr=C3=BC=C3=9Fe_an_alle?=', 'Grüße an alle'],
  ['=?utf-8?q?Gr=C3=BC?= =?utf-8?q?=C3=9Fe?= you', 'Grüße you'],
  ['=?iso-8859-1*de?Q?Gr=FC=DFe?=', 'Grüße'],
  ['=?no-such-charset?Q?x?=', '=?no-such-charset?Q?x?='],
  ['=?utf-8?b?%%%?=', '=?utf-8?b?%%%?='],
])('%s', (raw, value) => {
  expect(readHead(`Subject: ${raw}`)[0]?.value).toBe(value);
});
