/** Told to whoever sets up an account that leads elsewhere while the demo is in use. */
export const CONFINED =
  'the demo is in use, and nothing of it leaves this machine: only 127.0.0.1 and localhost can be reached; ' +
  'start with SMTP_URL or PILLARBOX_DEMO=0 to send real mail';
