import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { FreshDatabase } from '../databases.js';
import { Arrivals } from '../crash/arrivals.js';
import { onSceneWith, type Accepted, type Scene } from '../crash/scene.js';
import { Lane, type Exchange } from './lane.js';
import type { Passage } from './line.js';

/** A mail whose dot the server got. `answered`: it said so; the line may still have lost the answer. */
export interface Taken {
  readonly to: string;
  answered: boolean;
}

/**
 * For workers whose lines fall silent. A limit that passes before the dot costs a try; one after it makes a doubt,
 * so it outlasts a busy machine.
 */
export const IMPATIENT = {
  limits: {
    ...{ connectMs: 300, greetingMs: 300, ehloMs: 300, envelopeMs: 300, bodyMs: 1_000 },
    ...{ replyMs: 10_000, idleMs: 300, quitMs: 300 },
  },
};

/** A real SMTP server in the test's own process, and the lanes that lead to it. */
export class SmtpFarSide extends Arrivals<Taken> {
  readonly #server: SMTPServer;
  readonly #lanes: Lane[] = [];
  readonly #lines: Exchange['lines'] = new Map();

  private constructor() {
    super();
    this.#server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      disableReverseLookup: true,
      logger: false,
      onRcptTo: (_address, session, answer) => answer(this.#refusalFor(session)),
      onData: (stream, session, answer) => {
        void this.#take(stream, session, () => answer());
      },
    });
    this.#server.on('error', () => undefined); // a line that was cut
  }

  static async open(): Promise<SmtpFarSide> {
    const farSide = new SmtpFarSide();
    await new Promise<void>((resolve) => farSide.#server.listen(0, '127.0.0.1', resolve));
    await farSide.openLane();
    return farSide;
  }

  /** The lane of all workers that have none of their own. */
  get lane(): Lane {
    return this.#lanes[0]!;
  }

  get address(): { readonly port: number; readonly smtp: object } {
    return { port: this.lane.port, smtp: {} };
  }

  /** What the lines saw of every mail, over all lanes. */
  get passages(): readonly Passage[] {
    return this.#lanes.flatMap(({ passages }) => passages);
  }

  /** Whether a worker ever had the 354 for this mail. Without it no dot can have been about to leave. */
  wasInvited(to: string): boolean {
    return this.passages.some((mail) => mail.to === to && mail.invited);
  }

  /** For one worker alone: whoever comes to a phase on it is that worker. */
  async openLane(): Promise<Lane> {
    const { port: serverPort } = this.#server.server.address() as AddressInfo;
    const lane = await Lane.open({ serverPort, lines: this.#lines, changes: this.changes });
    this.#lanes.push(lane);
    return lane;
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    await new Promise<void>((resolve) => this.#server.close(resolve));
  }

  #refusalFor({ remotePort }: SMTPServerSession): Error | null {
    const lane = this.#lines.get(remotePort)?.lane;
    if (!lane || lane.refusals === 0) return null;
    lane.refusals -= 1;
    return Object.assign(new Error('4.3.0 not now'), { responseCode: 451 });
  }

  async #take(
    stream: SMTPServerDataStream,
    { envelope, remotePort }: SMTPServerSession,
    answer: () => void,
  ): Promise<void> {
    if (!(await endsWithDot(stream))) return;
    const mail = { to: envelope.rcptTo[0]!.address, answered: false };
    this.delivered.push(mail);
    this.changes.tell();
    if ((await this.#lines.get(remotePort)?.line.dotArrived()) === false) return;
    mail.answered = true;
    answer();
  }
}

/** Whether the mail came to its end; a line that was cut in the middle has brought none. */
async function endsWithDot(stream: SMTPServerDataStream): Promise<boolean> {
  try {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars -- only its end matters
    for await (const _ of stream);
    return true;
  } catch {
    return false;
  }
}

export type SmtpScene = Scene<SmtpFarSide>;

/** A mail for each of these. They are told who it is for before any worker can have it. */
export async function enqueueFor<T>(
  scene: SmtpScene,
  each: readonly T[],
  tell: (to: string, item: T) => void,
): Promise<ReadonlyMap<Accepted, T>> {
  const mails = scene.mails(each.length);
  mails.forEach((mail, index) => {
    tell(mail.to as string, each[index]!);
  });
  const { ids } = await scene.box.outbox.enqueueMany(mails);
  return new Map(mails.map((mail, index) => [scene.accept(mail, ids[index]!), each[index]!]));
}

export const onSmtpScene = (
  database: { ready(): Promise<FreshDatabase> },
  act: (scene: SmtpScene) => Promise<void>,
): (() => Promise<void>) => onSceneWith(() => SmtpFarSide.open(), database, act);
