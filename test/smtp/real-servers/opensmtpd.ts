import { MAILBOX, type Recipe } from './room.js';

const OWN = { owner: 'opensmtpq', group: 'root' } as const;

/** OpenSMTPD, which has no CHUNKING, and complains of commands that come in groups. */
export const OPENSMTPD: Recipe = {
  variable: 'PILLARBOX_TEST_OPENSMTPD_ROOT',
  folders: {
    '/var/spool/smtpd': { owner: 'root', mode: 0o711 },
    ...Object.fromEntries(
      ['corrupt', 'incoming', 'purge', 'queue', 'temporary'].map((name) => [`/var/spool/smtpd/${name}`, OWN]),
    ),
    '/var/spool/smtpd/offline': { owner: 'root', group: 'opensmtpq', mode: 0o770 },
  },
  command: ['/usr/sbin/smtpd', '-d'],
  complaint: /bad-input|failed-command command="(?!RCPT TO:<refused@)|warn|fatal/i,
  nuisance: 'NONSENSE\r\nQUIT\r\n',
  byData: /smtp message msgid=/,
  files: ([first, second]) => ({
    '/etc/mailname': 'mx.example.test\n',
    '/etc/smtpd.conf': `
table users { "@" = "box" }
listen on 127.0.0.1 port ${first}
listen on 127.0.0.1 port ${second}
action "keep" maildir "${MAILBOX}" virtual <users>
match from any for rcpt-to "refused@example.test" reject
match from any for domain "example.test" action "keep"
`,
  }),
};
