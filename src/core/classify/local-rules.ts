import { MINUTE, type Rule } from './rules.js';
import type { SmtpPhase } from './smtp-rule.js';

/** A failure without an answer from the far side: socket, name server, TLS, this machine. */
export interface LocalFault {
  /** Where it happened, if known. While connecting nothing has left, whatever the gate said. */
  readonly phase?: SmtpPhase;
  /** Node's `code`, a name such as `AbortError`, or a code of our own client. */
  readonly code: string;
  /** The gate was passed and the last byte may have left. A transport that knows it did not says false. */
  readonly gatePassed: boolean;
  /** The same bytes may be offered again under the same key, now and without harm. */
  readonly idempotent?: boolean;
}

/** All that is named must hold; `codes` and `prefixes` together are one list. */
export interface LocalCondition {
  readonly codes?: readonly string[];
  readonly prefixes?: readonly string[];
  readonly phases?: readonly SmtpPhase[];
  /** Whether the last byte may have left. */
  readonly left?: boolean;
  readonly idempotent?: boolean;
}

type LocalRule = Rule<LocalCondition, LocalFault>;

/**
 * Order is policy. First the codes that can only come from before a connection stood: they prove that nothing left,
 * also when the gate was passed first, as it is for a POST. Then the doubt. Everything behind it knows that nothing
 * left.
 */
export const LOCAL_RULES: readonly LocalRule[] = [
  {
    name: 'connection-refused',
    class: 'retryable',
    scope: 'account',
    when: [{ codes: ['ECONNREFUSED', 'UND_ERR_CONNECT_TIMEOUT'] }],
    samples: [
      { code: 'ECONNREFUSED', phase: 'connect', gatePassed: false },
      { code: 'UND_ERR_CONNECT_TIMEOUT', gatePassed: true },
    ],
  },
  {
    name: 'host-unknown',
    class: 'retryable',
    scope: 'account',
    minimumWaitSeconds: 5 * MINUTE,
    when: [{ codes: ['ENOTFOUND', 'EDNS', 'ENODATA', 'EAI_NONAME', 'EAI_NODATA'] }],
    samples: [{ code: 'ENOTFOUND', phase: 'connect', gatePassed: false }],
    why: 'Not an account fault: a network that is just coming up answers the same as a typing mistake, and a pause needs a person to undo. The mistake still shows, as dead mail with the name of the host.',
  },
  {
    name: 'resolver-down',
    class: 'retryable',
    scope: 'account',
    when: [{ codes: ['EAI_AGAIN', 'EAI_FAIL', 'ESERVFAIL', 'EREFUSED'] }],
    samples: [{ code: 'EAI_AGAIN', phase: 'connect', gatePassed: false }],
  },
  {
    name: 'certificate',
    class: 'account',
    scope: 'account',
    when: [
      {
        codes: [
          'DEPTH_ZERO_SELF_SIGNED_CERT',
          'SELF_SIGNED_CERT_IN_CHAIN',
          'UNABLE_TO_GET_ISSUER_CERT',
          'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
          'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
          'HOSTNAME_MISMATCH',
          'INVALID_CA',
          'INVALID_PURPOSE',
        ],
        prefixes: ['CERT_', 'ERR_TLS_CERT_'],
      },
    ],
    samples: [
      { code: 'CERT_HAS_EXPIRED', phase: 'tls', gatePassed: false },
      { code: 'ERR_TLS_CERT_ALTNAME_INVALID', phase: 'tls', gatePassed: false },
      { code: 'DEPTH_ZERO_SELF_SIGNED_CERT', gatePassed: true },
    ],
    why: 'Checked before a byte of mail or password leaves; never answered by going on without.',
  },
  {
    name: 'answer-lost-but-keyed',
    class: 'retryable',
    scope: 'message',
    when: [{ left: true, idempotent: true }],
    samples: [{ code: 'ECONNRESET', gatePassed: true, idempotent: true }],
    why: 'The provider knows the key: offered again, the same bytes are accepted once.',
  },
  {
    name: 'answer-lost',
    class: 'in_doubt',
    scope: 'message',
    when: [{ left: true }],
    samples: [
      { code: 'ETIMEDOUT', phase: 'reply', gatePassed: true },
      { code: 'ECONNRESET', phase: 'reply', gatePassed: true },
      { code: 'EPIPE', phase: 'reply', gatePassed: true },
      { code: 'EPROTOCOL', phase: 'reply', gatePassed: true },
      { code: 'ENOMEM', phase: 'reply', gatePassed: true },
    ],
    why: 'The last byte left, or may have, and no whole answer came back. The code does not matter any more.',
  },
  {
    name: 'gate-refused',
    class: 'retryable',
    scope: 'message',
    attempted: false,
    when: [{ codes: ['EGATE', 'ELEASE', 'ESTREAM'] }],
    samples: [{ code: 'EGATE', phase: 'gate', gatePassed: false }],
    why: 'The lease was lost or the message may not leave any more: whoever took it decides.',
  },
  {
    name: 'not-begun',
    class: 'retryable',
    scope: 'message',
    attempted: false,
    when: [{ codes: ['EBUSY', 'ESTOPPED'] }],
    samples: [{ code: 'ESTOPPED', phase: 'idle', gatePassed: false }],
    why: 'The connection was let go before it was used: nobody refused anything.',
  },
  {
    name: 'no-resources',
    class: 'retryable',
    scope: 'message',
    attempted: false,
    minimumWaitSeconds: 5,
    when: [{ codes: ['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL', 'EMAXLIMIT'] }],
    samples: [
      { code: 'EMFILE', phase: 'connect', gatePassed: false },
      { code: 'ENOMEM', phase: 'body', gatePassed: false },
    ],
    why: 'This machine is at its limit; no server was asked and no try is used up.',
  },
  {
    name: 'no-storage',
    class: 'retryable',
    scope: 'message',
    attempted: false,
    minimumWaitSeconds: 30,
    when: [
      {
        codes: ['ENOSPC', 'EROFS', 'EDQUOT', '53100', '57P01', '57P03'],
        prefixes: ['SQLITE_FULL', 'SQLITE_IOERR', '0800', '08P01'],
      },
    ],
    samples: [
      { code: 'ENOSPC', gatePassed: false },
      { code: 'SQLITE_IOERR_WRITE', phase: 'gate', gatePassed: false },
      { code: '08006', phase: 'gate', gatePassed: false },
    ],
    why: 'Where a result could not be written, nothing may be handed over.',
  },
  {
    name: 'sign-in-impossible',
    class: 'account',
    scope: 'account',
    when: [{ prefixes: ['EAUTH', 'ENOAUTH', 'EOAUTH2'] }],
    samples: [
      { code: 'EAUTH_NO_MECHANISM', phase: 'auth', gatePassed: false },
      { code: 'EAUTH_IN_CLEAR', phase: 'auth', gatePassed: false },
    ],
    why: 'No mechanism in common, or a password asked for in clear.',
  },
  {
    name: 'host-not-allowed',
    class: 'account',
    scope: 'account',
    when: [{ prefixes: ['EHOST_'] }],
    samples: [
      { code: 'EHOST_REFUSED', phase: 'connect', gatePassed: false },
      { code: 'EHOST_INVALID', phase: 'connect', gatePassed: false },
    ],
    why: 'The account names a host that may not be, or cannot be, connected to.',
  },
  {
    name: 'tls-server-trouble',
    class: 'retryable',
    scope: 'account',
    when: [
      {
        codes: [
          'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR',
          'ERR_SSL_TLSV1_ALERT_USER_CANCELLED',
          'ERR_SSL_SSLV3_ALERT_UNEXPECTED_MESSAGE',
          'ERR_SSL_SSLV3_ALERT_BAD_RECORD_MAC',
          'ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR',
          'ERR_SSL_TLSV1_ALERT_DECODE_ERROR',
          'ERR_SSL_UNEXPECTED_EOF_WHILE_READING',
        ],
      },
    ],
    samples: [
      { code: 'ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', phase: 'tls', gatePassed: false },
      { code: 'ERR_SSL_UNEXPECTED_EOF_WHILE_READING', phase: 'tls', gatePassed: false },
    ],
    why: 'The server, or the line to it, is unwell; nothing of the account is wrong, and no person can mend it here.',
  },
  {
    name: 'tls-impossible',
    class: 'account',
    scope: 'account',
    when: [
      {
        codes: [
          'ERR_SSL_WRONG_VERSION_NUMBER',
          'ERR_SSL_UNSUPPORTED_PROTOCOL',
          'ERR_SSL_NO_PROTOCOLS_AVAILABLE',
          'ERR_TLS_PROTOCOL_VERSION_CONFLICT',
          'ERR_TLS_DH_PARAM_SIZE',
        ],
        prefixes: ['ETLS'],
      },
      { phases: ['tls'], codes: ['EPROTO'], prefixes: ['ERR_SSL_'] },
    ],
    samples: [
      { code: 'ETLS_NOT_OFFERED', phase: 'tls', gatePassed: false },
      { code: 'ETLS_INJECTION', phase: 'tls', gatePassed: false },
      { code: 'ERR_SSL_WRONG_VERSION_NUMBER', phase: 'tls', gatePassed: false },
      { code: 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', phase: 'tls', gatePassed: false },
      { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME', phase: 'tls', gatePassed: false },
      { code: 'EPROTO', phase: 'tls', gatePassed: false },
    ],
    why: 'A wrong port, an old server, or someone in between. Never a reason to go on in clear.',
  },
  {
    name: 'refused-by-ourselves',
    class: 'permanent',
    scope: 'message',
    when: [{ codes: ['ESIZE', 'ESMTPUTF8', 'E8BIT', 'E8BITMIME', 'EADDRESS', 'ECOMPOSE'] }],
    samples: [
      { code: 'ESIZE', phase: 'mail', gatePassed: false },
      { code: 'ESMTPUTF8', phase: 'mail', gatePassed: false },
      { code: 'ECOMPOSE', gatePassed: false },
    ],
    why: 'Known before MAIL: too large for the server, or not to be said to it.',
  },
  {
    name: 'connection-broke',
    class: 'retryable',
    scope: 'account',
    when: [
      {
        codes: [
          'ETIMEDOUT',
          'ETIMEOUT',
          'ECONNRESET',
          'ECONNABORTED',
          'ECONNECTION',
          'ESOCKET',
          'ECLOSED',
          'EPIPE',
          'EPROTO',
          'EPROTOCOL',
          'ENOTCONN',
          'ESHUTDOWN',
          'EHOSTUNREACH',
          'EHOSTDOWN',
          'ENETUNREACH',
          'ENETDOWN',
          'ENETRESET',
          'ABORT_ERR',
          'AbortError',
          'TimeoutError',
          'ERR_SOCKET_CLOSED',
          'ERR_STREAM_PREMATURE_CLOSE',
          'ERR_TLS_HANDSHAKE_TIMEOUT',
        ],
        prefixes: ['UND_ERR_', 'ERR_SSL_'],
      },
    ],
    samples: [
      { code: 'ETIMEDOUT', phase: 'greeting', gatePassed: false },
      { code: 'ECONNRESET', phase: 'body', gatePassed: false },
      { code: 'EPIPE', phase: 'envelope', gatePassed: false },
      { code: 'EHOSTUNREACH', phase: 'connect', gatePassed: false },
      { code: 'UND_ERR_SOCKET', gatePassed: false },
    ],
    why: 'Nothing left: another try is safe, and counts.',
  },
  {
    name: 'unknown-fault',
    class: 'retryable',
    scope: 'message',
    when: [{}],
    samples: [{ code: 'ERR_INTERNAL_ASSERTION', gatePassed: false }],
    why: 'Nothing left, so another try is safe; the number of tries ends it.',
  },
];
