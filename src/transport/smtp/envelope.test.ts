import { describe, expect, test } from 'vitest';

import { parseCapabilities } from './capabilities.js';
import { planEnvelope, type Envelope } from './envelope.js';
import { toWire } from './wire.js';

const plan = (
  envelope: Partial<Envelope>,
  offered: string[] = [],
  mail = 'Subject: x\r\n\r\n',
  chunked = false,
) => {
  const wire = toWire(Buffer.from(mail));
  if (!wire) throw new Error('not a mail');
  const whole = { from: 'ada@example.org', to: ['bob@example.org'], ...envelope };
  const planned = planEnvelope(whole, wire, parseCapabilities(['name', ...offered]), chunked);
  return 'failure' in planned ? planned.failure.code : planned.commands.map(({ line }) => line);
};

describe('the commands of an envelope', () => {
  test('are as plain as the server', () => {
    expect(plan({})).toEqual(['MAIL FROM:<ada@example.org>', 'RCPT TO:<bob@example.org>', 'DATA']);
  });

  test('tell the size to a server that asks', () => {
    expect(plan({}, ['SIZE 1000'])[0]).toBe('MAIL FROM:<ada@example.org> SIZE=14');
    expect(plan({}, ['SIZE'])[0]).toBe('MAIL FROM:<ada@example.org> SIZE=14');
  });

  test('bring the whole mail with them, in octets, where it is not invited first', () => {
    expect(plan({}, [], 'Subject: x\r\n\r\n.dot', true).at(-1)).toBe('BDAT 20 LAST');
  });

  test('ask for UTF-8 and 8 bits only where something needs it', () => {
    const offered = ['8BITMIME', 'SMTPUTF8'];
    expect(plan({}, offered)[0]).toBe('MAIL FROM:<ada@example.org>');
    expect(plan({ to: ['jõ@example.org'] }, offered)[0]).toBe('MAIL FROM:<ada@example.org> SMTPUTF8');
    expect(plan({ utf8: true }, offered)[0]).toBe('MAIL FROM:<ada@example.org> SMTPUTF8');
    expect(plan({}, offered, 'Subject: ä\r\n\r\n')[0]).toBe('MAIL FROM:<ada@example.org> BODY=8BITMIME');
  });

  test('may come from nobody', () => expect(plan({ from: '' })[0]).toBe('MAIL FROM:<>'));
});

describe('an envelope is refused here when', () => {
  test.each([
    ['the mail is larger than the server takes', 'ESIZE', plan({}, ['SIZE 13'])],
    ['an address is not ASCII and the server knows no other', 'ESMTPUTF8', plan({ from: 'jõ@example.org' })],
    ['the mail has 8-bit bytes and the server 7 bits', 'E8BITMIME', plan({}, [], 'Subject: ä\r\n\r\n')],
    ['it has no recipient', 'EADDRESS', plan({ to: [] })],
    ['a recipient is empty', 'EADDRESS', plan({ to: ['a@b.c', ''] })],
  ])('%s: %s', (_why, code, planned) => expect(planned).toBe(code));

  test.each([
    '\r\nRSET',
    '\n',
    '\0',
    ' SIZE=1',
    '\t',
    '<',
    '>',
    '\x7f',
    '\x85',
    '\u2028',
    '\ud800',
    'x'.repeat(400),
  ])('an address holds %j', (piece) => {
    const offered = ['SMTPUTF8'];
    expect(plan({ to: ['bob@example.org', `eve${piece}@example.org`] }, offered)).toBe('EADDRESS');
    expect(plan({ from: `eve@example.org${piece}` }, offered)).toBe('EADDRESS');
  });
});

test('capabilities are read however a server writes them', () => {
  const offered = parseCapabilities([
    'mail.example.org at your service, SIZE 1',
    'size 35882577',
    '8BITMIME',
    'AUTH=LOGIN',
    'AUTH PLAIN XOAUTH2',
    'StartTLS ',
    'PIPELINING',
    'chunking',
  ]);
  expect(offered).toEqual({
    startTls: true,
    pipelining: true,
    chunking: true,
    eightBitMime: true,
    smtpUtf8: false,
    size: true,
    sizeLimit: 35_882_577,
    authMechanisms: new Set(['LOGIN', 'PLAIN', 'XOAUTH2']),
  });
  for (const size of ['SIZE', 'SIZE 0', 'SIZE -1', 'SIZE lots', 'SIZE 1e400']) {
    expect(parseCapabilities(['x', size])).toMatchObject({ size: true, sizeLimit: undefined });
  }
});
