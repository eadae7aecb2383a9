import { expect, test } from 'vitest';
import type { Mail } from '../core/mail.js';
import { envelopeOf, needsSmtpUtf8 } from './envelope.js';

const mail: Mail = { from: { email: 'news@X.org' }, to: { email: 'ada@x.org' }, subject: 'Hello' };

test('the envelope holds to, cc and bcc, each address once', () => {
  expect(
    envelopeOf({
      ...mail,
      cc: [{ email: 'ada@X.ORG', name: 'Ada' }, { email: 'cy@bücher.example' }],
      bcc: [{ email: 'cy@xn--bcher-kva.example' }, { email: 'bo@x.org' }, { email: 'Bo@x.org' }],
    }),
  ).toEqual({ from: 'news@x.org', to: ['ada@x.org', 'cy@xn--bcher-kva.example', 'bo@x.org', 'Bo@x.org'] });
});

test('only what stands before the @ can need SMTPUTF8, in whichever field', () => {
  expect(needsSmtpUtf8({ ...mail, cc: [{ email: 'a@bücher.example', name: 'Zoë' }] })).toBe(false);
  const zoe = { email: 'zoë@x.org' };
  for (const change of [{ from: zoe }, { to: zoe }, { cc: [zoe] }, { bcc: [zoe] }, { replyTo: zoe }]) {
    expect(needsSmtpUtf8({ ...mail, ...change })).toBe(true);
  }
});
