import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ERROR_CLASSES } from '../report.js';
import { classifyLocal } from './local.js';

describe('a failure without an answer', () => {
  test.each(['ETIMEDOUT', 'ECONNRESET', 'EPIPE', 'ECONNECTION', 'AbortError', 'EHOSTUNREACH', 'ESOCKET'])(
    '%s is safe to try again before the gate and a doubt after it',
    (code) => {
      expect(classifyLocal({ code, gatePassed: false }).class).toBe('retryable');
      expect(classifyLocal({ code, gatePassed: true }).class).toBe('in_doubt');
      expect(classifyLocal({ code, gatePassed: true, idempotent: true }).class).toBe('retryable');
    },
  );

  test.each(['connect', 'tls'] as const)('during %s nothing has left, whatever the gate said', (phase) => {
    expect(classifyLocal({ code: 'ETIMEDOUT', phase, gatePassed: true }).class).toBe('retryable');
  });

  test.each(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CERT_HAS_EXPIRED'])(
    '%s proves that no connection stood, also after the gate',
    (code) => {
      expect(classifyLocal({ code, gatePassed: true })).toEqual(classifyLocal({ code, gatePassed: false }));
    },
  );

  test('a name that is not found waits and does not pause the account', () => {
    expect(classifyLocal({ code: 'ENOTFOUND', gatePassed: false })).toEqual({
      rule: 'host-unknown',
      class: 'retryable',
      scope: 'account',
      minimumWaitSeconds: 300,
    });
  });

  test('a certificate, a missing STARTTLS and a handshake are account faults', () => {
    for (const code of ['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'ETLS_NOT_OFFERED', 'EPROTO']) {
      expect([code, classifyLocal({ code, phase: 'tls', gatePassed: false }).class]).toEqual([
        code,
        'account',
      ]);
    }
  });

  test('a TLS error in the middle of a session is a broken connection', () => {
    expect(classifyLocal({ code: 'EPROTO', phase: 'body', gatePassed: false }).class).toBe('retryable');
  });

  test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'ENOSPC', 'SQLITE_FULL', '57P01', 'EGATE', 'ELEASE'])(
    '%s is ours and uses up no attempt, unless the last byte may have left',
    (code) => {
      expect(classifyLocal({ code, gatePassed: false })).toMatchObject({
        class: 'retryable',
        attempted: false,
      });
      expect(classifyLocal({ code, gatePassed: true })).toEqual({
        rule: 'answer-lost',
        class: 'in_doubt',
        scope: 'message',
      });
    },
  );

  test('any code has one of the six classes, and is in doubt only when the gate was passed', () => {
    fc.assert(
      fc.property(fc.string(), fc.boolean(), fc.boolean(), (code, gatePassed, idempotent) => {
        const verdict = classifyLocal({ code, gatePassed, idempotent });
        expect(ERROR_CLASSES).toContain(verdict.class);
        expect(verdict.class).not.toBe('recipient');
        if (verdict.class === 'in_doubt') expect([gatePassed, idempotent]).toEqual([true, false]);
      }),
    );
  });
});
