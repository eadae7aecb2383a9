import type { Gate } from '#pillarbox/transport/transport';
import {
  dribble,
  reset,
  thenClose,
  vanish,
  WITHOUT_PIPELINING,
  type Answer,
  type Script,
} from './scripted-server.js';

/** However the operating system calls it. */
export const CUT = '(ECLOSED|ECONNRESET|EPIPE)';

export interface Scenario extends Script {
  /** A pattern. */
  expect: string;
  /** What the server does while the gate is being asked. The gate then passes, after the connection has ended. */
  meanwhile?: Answer;
  gate?: Gate;
}

export const SCENARIOS: Record<string, Scenario> = {
  'takes the mail': { expect: 'yes/reply/250' },
  'splits its replies byte by byte': {
    mail: dribble('250-a\r\n250 2.1.0 ok\r\n'),
    dot: dribble('250-2.0.0 a\r\n250 2.0.0 queued\r\n'),
    expect: 'yes/reply/250',
  },
  'has no PIPELINING': { ehlo: WITHOUT_PIPELINING, expect: 'yes/reply/250' },
  'ends its lines in LF alone': { dot: '250 ok\n', expect: 'yes/reply/250' },
  'answers the dot twice': { dot: '250 ok\r\n250 ok\r\n', expect: 'yes/reply/250' },

  'refuses RCPT, then DATA': {
    rcpt: '550 5.1.1 no\r\n',
    data: '554 5.5.1 no valid recipients\r\n',
    expect: 'no/rcpt/550',
  },
  'refuses RCPT and still invites the body': { rcpt: '550 5.1.1 no\r\n', expect: 'no/rcpt/550' },
  'refuses RCPT and answers DATA with 250': {
    rcpt: '550 5.1.1 no\r\n',
    data: '250 ok\r\n',
    expect: 'no/rcpt/550',
  },
  'refuses RCPT and hangs up': { rcpt: thenClose('550 5.1.1 no\r\n'), expect: 'no/rcpt/550' },
  'refuses MAIL, RCPT and DATA': {
    mail: '452 4.3.1 full\r\n',
    rcpt: '503 no\r\n',
    data: '503 no\r\n',
    expect: 'no/mail/452',
  },
  'refuses MAIL and invites the body': { mail: '550 5.7.1 no\r\n', expect: 'no/mail/550' },
  'says 421 to MAIL': { mail: thenClose('421 4.3.2 bye\r\n'), expect: 'no/mail/421' },
  'says 421 to RCPT': { rcpt: thenClose('421 4.7.0 rate\r\n'), expect: 'no/rcpt/421' },
  'says 421 in place of 354': { data: thenClose('421 4.3.2 bye\r\n'), expect: 'no/data/421' },
  'says 250 in place of 354': { data: '250 ok\r\n', expect: 'no/data/250' },
  'says 354 to MAIL': { mail: '354 go ahead\r\n', expect: 'no/mail/354' },
  'answers MAIL with garbage': { mail: 'wat\r\n', expect: 'no/envelope/EPROTOCOL' },
  'answers MAIL with a code of 999': { mail: '999 ok\r\n', expect: 'no/envelope/EPROTOCOL' },
  'answers MAIL without a space': { mail: '250ok\r\n', expect: 'no/envelope/EPROTOCOL' },
  'vanishes in the envelope': { rcpt: vanish, expect: `no/envelope/${CUT}` },
  'resets in the envelope': { rcpt: reset, expect: `no/envelope/${CUT}` },
  'falls silent at RCPT': { rcpt: '', expect: 'no/envelope/ETIMEDOUT' },

  'says 421 while the gate is asked': { meanwhile: thenClose('421 4.3.2 bye\r\n'), expect: 'no/gate/421' },
  'says 250 before the dot': { meanwhile: '250 2.0.0 queued\r\n', expect: 'no/gate/250' },
  'says 250 in the packet of its 354': { data: '354 go\r\n250 2.0.0 queued\r\n', expect: 'no/gate/250' },
  'says 550 before the dot': { meanwhile: '550 5.7.1 spam\r\n', expect: 'no/gate/550' },
  'vanishes while the gate is asked': { meanwhile: vanish, expect: `no/gate/${CUT}` },
  'meets a gate that refuses': { gate: () => Promise.resolve(false), expect: 'no/gate/EGATE' },
  'meets a gate that fails': { gate: () => Promise.reject(new Error('database')), expect: 'no/gate/EGATE' },
  'meets a gate that throws': {
    gate: () => {
      throw new Error('bug');
    },
    expect: 'no/gate/EGATE',
  },

  'says 421 to the dot': { dot: thenClose('421 4.3.0 later\r\n'), expect: 'no/reply/421' },
  'says 550 to the dot': { dot: '550 5.7.1 spam\r\n', expect: 'no/reply/550' },
  'says 451 in two lines to the dot, split': {
    dot: dribble('451-4.7.1 grey\r\n451 4.7.1 list\r\n'),
    expect: 'no/reply/451',
  },
  'resets after the dot': { dot: reset, expect: `unknown/reply/${CUT}` },
  'closes after the dot': { dot: thenClose(''), expect: `unknown/reply/${CUT}` },
  'falls silent after the dot': { dot: '', expect: 'unknown/reply/ETIMEDOUT' },
  'answers the dot with garbage': { dot: 'hello world\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with words that begin with 2': {
    dot: '2nd server here\r\n',
    expect: 'unknown/reply/EPROTOCOL',
  },
  'cuts its 250 after two digits': { dot: thenClose('25'), expect: `unknown/reply/${CUT}` },
  'cuts its 250 before the line end': { dot: thenClose('250 ok'), expect: `unknown/reply/${CUT}` },
  'cuts its 550 before the line end': { dot: thenClose('550 no'), expect: `unknown/reply/${CUT}` },
  'begins a 250 and closes': { dot: thenClose('250-ok\r\n'), expect: `unknown/reply/${CUT}` },
  'changes the code inside a reply': { dot: '250-a\r\n550 b\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'says 354 to the dot': { dot: '354 more\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with NULs': { dot: '\0\0\0\0\r\n', expect: 'unknown/reply/EPROTOCOL' },
  'answers the dot with a line without end': {
    dot: `250 ${'x'.repeat(200_000)}`,
    expect: 'unknown/reply/EPROTOCOL',
  },
};
