import { OWNERS } from '../../../scripts/services/mail-servers.mjs';
import { MAILBOX, type Recipe } from './room.js';

/** The folders of its queue, which a script makes where it is installed. */
const QUEUE = [
  ...['active', 'bounce', 'corrupt', 'defer', 'deferred', 'flush', 'hold', 'incoming', 'private'],
  ...['saved', 'trace'],
];

/** Postfix, which ends every connection on which commands come before they may. */
export const POSTFIX: Recipe = {
  variable: 'PILLARBOX_TEST_POSTFIX_ROOT',
  folders: {
    '/var/lib/postfix': { owner: 'postfix' },
    '/var/spool/postfix': { owner: 'root', mode: 0o755 },
    '/var/spool/postfix/pid': { owner: 'root', mode: 0o755 },
    ...Object.fromEntries(QUEUE.map((name) => [`/var/spool/postfix/${name}`, { owner: 'postfix' }])),
    '/var/spool/postfix/maildrop': { owner: 'postfix', group: 'postdrop', mode: 0o730 },
    '/var/spool/postfix/public': { owner: 'postfix', group: 'postdrop', mode: 0o710 },
  },
  command: ['/usr/lib/postfix/sbin/master'],
  log: '/var/log/postfix.log',
  complaint: /improper command pipelining|lost connection|too many errors|warning|fatal|panic/i,
  nuisance: 'EHLO client.example.test\r\nMAIL FROM:<ada@example.org>\r\nQUIT\r\n',
  byData: /disconnect from .* data=\d/,
  byBdat: /disconnect from .* bdat=\d/,
  files: ([plain, chunking]) => ({
    '/etc/postfix/main.cf': `
compatibility_level = 3.6
maillog_file = /var/log/postfix.log
myhostname = mx.example.test
mydestination =
mynetworks =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
disable_dns_lookups = yes
smtpd_peername_lookup = no
alias_maps =
alias_database =
default_privs = box
virtual_mailbox_domains = example.test
virtual_mailbox_base = /
virtual_mailbox_maps = static:${MAILBOX}/
virtual_uid_maps = static:${OWNERS.box}
virtual_gid_maps = static:${OWNERS.box}
smtpd_relay_restrictions = reject_unauth_destination
smtpd_forbid_unauth_pipelining = yes
smtpd_data_restrictions = reject_unauth_pipelining
smtpd_recipient_restrictions = check_recipient_access inline:{{refused@example.test = 550 5.1.1 no such user}}
`,
    '/etc/postfix/master.cf': `
127.0.0.1:${plain} inet n - n - - smtpd
  -o smtpd_discard_ehlo_keywords=chunking
127.0.0.1:${chunking} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`,
  }),
};
