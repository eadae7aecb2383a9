import { SmtpConnection, type ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import { Deadlines } from '#pillarbox/transport/smtp/deadlines';
import type { Transmission, Failure } from '#pillarbox/transport/smtp/report';

export const deadlines = new Deadlines(10);

/** For what is expected never to come. */
export const SHORT_MS = 150;
/** For what is expected to come, also on a busy machine. */
export const LONG_MS = 10_000;

export const MAIL = Buffer.from('Subject: hello\r\n\r\nhello\r\n');
export const ENVELOPE = { from: 'ada@example.org', to: ['bob@example.org'] };
export const pass = (): Promise<boolean> => Promise.resolve(true);

export const optionsFor = (port: number, overrides: Partial<ConnectionOptions> = {}): ConnectionOptions => ({
  host: '127.0.0.1',
  port,
  tls: 'none',
  name: 'client.example.test',
  hosts: { allowPrivate: true },
  deadlines,
  ...overrides,
});

export async function opened(
  port: number,
  overrides: Partial<ConnectionOptions> = {},
): Promise<SmtpConnection> {
  const connection = new SmtpConnection(optionsFor(port, overrides));
  const failure = await connection.open();
  if (failure) throw new Error(`the connection did not open: ${brief(failure)}`);
  return connection;
}

/** A promise of the end of the connection that is given this `onClose`. */
export function untilEnded(): { ended: Promise<void>; onClose: () => void } {
  let onClose: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (onClose = resolve));
  return { ended, onClose };
}

/** `no/rcpt/550`: did it leave, how far did it come, and the reply or code that ended it. */
export function verdict(transmission: Transmission): string {
  return `${transmission.left}/${brief(transmission)}`;
}

export function brief(end: Failure | Transmission): string {
  const code = 'code' in end ? end.code : undefined;
  return `${end.phase}/${String(end.reply?.code ?? code)}`;
}
