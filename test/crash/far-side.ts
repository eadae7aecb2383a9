import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { SendReport } from '#pillarbox/core/report';
import type { ScriptedAnswer, ScriptedRequest } from '#pillarbox/transport/scripted';
import { Arrivals } from './arrivals.js';

/** A mail as the far side saw it offered. `nth`: how often this mail was offered before, plus one. */
export interface Offer {
  readonly id: string;
  readonly to: string;
  readonly messageId: string;
  readonly date: number;
  readonly nth: number;
}

/** A mail that left: its dot arrived, whatever became of the answer. */
export interface Delivered extends Offer {
  readonly at: number;
  /** When it was asked for: its gate was passed between the two. */
  readonly askedAt: number;
}

/** What the far side does with one offer; by default it takes everything at once. */
export interface Conduct {
  /** Ends the offer with this report instead of asking for the mail. */
  readonly refuse?: SendReport;
  /** Cuts the line, and with it whatever else is under way on it. A mail whose dot came before is delivered. */
  readonly cut?: 'before_dot' | 'after_dot';
  readonly beforeGo?: Promise<unknown>;
  readonly beforeReply?: Promise<unknown>;
}

export type Script = (offer: Offer) => Conduct | undefined;

/**
 * The server at the other end of the scripted transport. It lives in the test's own process, so its record of
 * what arrived outlives every worker that is killed.
 */
export class FarSide extends Arrivals<Delivered> {
  readonly offers: Offer[] = [];
  /** Exchanged by a test when it wants something else than a server that takes all. */
  script: Script = () => undefined;
  readonly #server: Server;
  readonly #lines = new Set<Socket>();
  readonly #offersOf = new Map<string, number>();
  readonly #deliveredIds = new Set<string>();

  private constructor(server: Server) {
    super();
    this.#server = server;
    server.on('connection', (line) => {
      this.#serve(line);
    });
  }

  static async open(): Promise<FarSide> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FarSide(server);
  }

  get address(): { readonly port: number } {
    return { port: (this.#server.address() as AddressInfo).port };
  }

  wasOffered(to: string): boolean {
    return this.offers.some((offer) => offer.to === to);
  }

  /** Resolves when everybody is gone, and all that they had said is heard. */
  untilHungUp(): Promise<void> {
    return this.until('everybody to hang up', () => this.#lines.size === 0);
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #serve(line: Socket): void {
    this.#lines.add(line);
    const underWay = new Map<number, UnderWay>();
    let received = '';
    line.setEncoding('utf8');
    line.on('error', () => undefined); // a killed worker
    line.on('close', () => {
      this.#lines.delete(line);
      this.changes.tell();
    });
    line.on('data', (chunk: string) => {
      const requests = (received + chunk).split('\n');
      received = requests.pop() ?? '';
      for (const request of requests) this.#hear(line, underWay, JSON.parse(request) as ScriptedRequest);
    });
  }

  #hear(line: Socket, underWay: Map<number, UnderWay>, request: ScriptedRequest): void {
    const { number } = request;
    switch (request.type) {
      case 'offer': {
        const offer = this.#note(request);
        const conduct = this.script(offer) ?? {};
        const sending = { offer, conduct, askedAt: NaN };
        underWay.set(number, sending);
        void answerOffer(line, number, sending);
        break;
      }
      case 'dot': {
        // Unknown on a line that was made anew: its offer went down with the old one.
        const sent = underWay.get(number);
        if (sent) this.#take(line, number, sent);
        break;
      }
      case 'lookup': {
        const answer = this.#deliveredIds.has(request.id) ? 'sent' : 'unsent';
        tell(line, { type: 'found', number, answer });
      }
    }
    this.changes.tell();
  }

  #note({ id, to, messageId, date }: Extract<ScriptedRequest, { type: 'offer' }>): Offer {
    const nth = (this.#offersOf.get(to) ?? 0) + 1;
    this.#offersOf.set(to, nth);
    const offer = { id, to, messageId, date, nth };
    this.offers.push(offer);
    return offer;
  }

  #take(line: Socket, number: number, { offer, conduct, askedAt }: UnderWay): void {
    this.delivered.push({ ...offer, at: Date.now(), askedAt });
    this.#deliveredIds.add(offer.id);
    void answerDot(line, number, conduct);
  }
}

interface UnderWay {
  readonly offer: Offer;
  readonly conduct: Conduct;
  askedAt: number;
}

async function answerOffer(line: Socket, number: number, sending: UnderWay): Promise<void> {
  const { refuse, cut, beforeGo } = sending.conduct;
  await beforeGo;
  sending.askedAt = Date.now();
  if (cut === 'before_dot') line.destroy();
  else if (refuse) tell(line, { type: 'report', number, report: refuse });
  else tell(line, { type: 'go', number });
}

async function answerDot(line: Socket, number: number, { cut, beforeReply }: Conduct): Promise<void> {
  await beforeReply;
  if (cut === 'after_dot') line.destroy();
  tell(line, { type: 'report', number, report: { status: 'sent', provider: 'scripted' } });
}

function tell(line: Socket, answer: ScriptedAnswer): void {
  if (line.writable) line.write(`${JSON.stringify(answer)}\n`);
}
