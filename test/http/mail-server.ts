import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface TakenMail {
  readonly user: unknown;
  readonly from: string;
  readonly text: string;
}

/** A real SMTP server that wants a user and a password, and keeps what it takes. */
export class MailServer {
  readonly taken: TakenMail[] = [];
  logIns = 0;
  readonly #server: SMTPServer;

  private constructor(readonly password: string) {
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      closeTimeout: 100,
      onAuth: (auth, _session, answer) => {
        this.logIns += 1;
        if (auth.password === password) answer(null, { user: auth.username });
        // Some servers say more than they should.
        else answer(new Error(`Invalid password ${String(auth.password)}`));
      },
      onData: (stream, session, answer) => {
        let text = '';
        stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
        stream.on('end', () => {
          const { mailFrom } = session.envelope;
          this.taken.push({ user: session.user, from: mailFrom ? mailFrom.address : '', text });
          answer(null);
        });
      },
    });
    // Clients that have enough hang up: that is their right.
    this.#server.on('error', () => undefined);
  }

  static async start(password: string): Promise<MailServer> {
    const server = new MailServer(password);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  url(password = this.password): string {
    const { port } = this.#server.server.address() as AddressInfo;
    return `smtp://ada%40example.org:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
