import { MAILBOX, type Recipe } from './room.js';

/** Exim, which ends every connection on which something comes before its turn. */
export const EXIM: Recipe = {
  variable: 'PILLARBOX_TEST_EXIM_ROOT',
  folders: { '/var/spool/exim4': { owner: 'Debian-exim' }, '/var/log/exim4': { owner: 'Debian-exim' } },
  command: ['/usr/sbin/exim4', '-bdf'],
  log: '/var/log/exim4/mainlog',
  complaint: /synchronization|protocol error|syntax error|unexpected|abandoned|panic/i,
  nuisance: 'EHLO client.example.test\r\nMAIL FROM:<ada@example.org>\r\nQUIT\r\n',
  // The L says that commands came in groups, the K that BDAT was used.
  byData: / <= \S+ .* P=esmtp L\S* S=/,
  byBdat: / <= \S+ .* P=esmtp L\S* K S=/,
  files: ([plain, chunking]) => ({
    '/etc/exim4/exim4.conf': `
primary_hostname = mx.example.test
local_interfaces = <; 127.0.0.1
daemon_smtp_ports = ${plain} : ${chunking}
spool_directory = /var/spool/exim4
log_file_path = /var/log/exim4/%slog
log_selector = +smtp_protocol_error +smtp_syntax_error +smtp_connection +pipelining
smtp_enforce_sync = true
pipelining_advertise_hosts = *
pipelining_connect_advertise_hosts =
chunking_advertise_hosts = \${if eq{$received_port}{${chunking}}{*}{}}
tls_advertise_hosts =
host_lookup =
keep_environment =
rfc1413_query_timeout = 0s
smtp_accept_queue_per_connection = 0
acl_smtp_rcpt = recipients

begin acl
recipients:
  deny local_parts = refused
       message = no such user
  accept

begin routers
everyone:
  driver = accept
  transport = mailbox

begin transports
mailbox:
  driver = appendfile
  directory = ${MAILBOX}
  maildir_format
  user = box
  group = box
`,
  }),
};
