import { connect, type Socket } from 'node:net';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import type { SendReport } from '../core/report.js';
import type { Gate, LookupAnswer, Outgoing, Transport } from './transport.js';

/**
 * A transport for tests and simulation that talks to a far side over a real socket, so that what was delivered
 * outlives a killed worker. One JSON document a line: we `offer` a message, the far side says `go` or ends it
 * with a `report`; after the gate we send the `dot`, and only then may it count the mail as delivered. What no
 * answer comes back for is judged as any transport must: before the dot nothing left, after it nobody knows.
 * Requests are numbered on each line: a worker that lost a message may have it in hand twice.
 */
export type ScriptedRequest =
  | {
      readonly type: 'offer';
      readonly number: number;
      readonly id: string;
      readonly messageId: string;
      readonly date: number;
      readonly to: string;
    }
  | { readonly type: 'dot'; readonly number: number }
  | { readonly type: 'lookup'; readonly number: number; readonly id: string };

export type ScriptedAnswer =
  | { readonly type: 'go'; readonly number: number }
  | { readonly type: 'report'; readonly number: number; readonly report: SendReport }
  | { readonly type: 'found'; readonly number: number; readonly answer: LookupAnswer };

export interface ScriptedOptions {
  readonly port: number;
  readonly capacity?: number;
  /** Whether the far side can be asked about mails in doubt. */
  readonly canLookUp?: boolean;
}

interface Pending {
  dotted: boolean;
  readonly go: () => void;
  readonly end: (report: SendReport) => void;
  readonly found: (answer: LookupAnswer) => void;
}

const OPTIONS: OptionNames<ScriptedOptions> = { port: true, capacity: true, canLookUp: true };
const PROVIDER = 'scripted';

export function scriptedTransport(options: ScriptedOptions): Transport {
  knownOptions(options, OPTIONS);
  const { port, capacity = Infinity, canLookUp = false } = options;
  const line = new ScriptedLine(port);
  const transport: Transport = {
    kind: PROVIDER,
    capacity,
    send: (message, gate) => line.send(message, gate),
    close: () => line.close(),
  };
  return canLookUp ? { ...transport, lookup: (message) => line.lookup(message) } : transport;
}

/** One connection for all sends, told apart by their numbers; made anew when it was lost. */
class ScriptedLine {
  #socket: Socket | undefined;
  readonly #pending = new Map<number, Pending>();
  #number = 0;

  constructor(private readonly port: number) {}

  send(message: Outgoing, gate: Gate): Promise<SendReport> {
    const { id, messageId, date, mail } = message;
    const number = (this.#number += 1);
    return new Promise((resolve) => {
      // The gate's answer is awaited also if the line dies meanwhile: settling must not overtake the mark.
      let asking: Promise<unknown> = Promise.resolve();
      const end = (report: SendReport) => {
        this.#pending.delete(number);
        void asking.then(() => {
          resolve(report);
        });
      };
      const pending: Pending = {
        dotted: false,
        go: () => {
          asking = gate().then(
            (passed) => {
              if (!this.#pending.has(number)) return;
              if (!passed) {
                end(notSent('ELEASE', 'the gate did not open'));
                return;
              }
              pending.dotted = true;
              this.#write({ type: 'dot', number });
            },
            () => {
              end(notSent('ELEASE', 'the gate failed'));
            },
          );
        },
        end,
        found: () => undefined,
      };
      this.#pending.set(number, pending);
      this.#write({ type: 'offer', number, id, messageId, date, to: mail.to.email });
    });
  }

  lookup({ id }: Outgoing): Promise<LookupAnswer> {
    const number = (this.#number += 1);
    return new Promise((resolve) => {
      const found = (answer: LookupAnswer) => {
        this.#pending.delete(number);
        resolve(answer);
      };
      this.#pending.set(number, {
        dotted: false,
        go: () => undefined,
        end: () => {
          found('unknown');
        },
        found,
      });
      this.#write({ type: 'lookup', number, id });
    });
  }

  close(): Promise<void> {
    this.#socket?.destroy();
    return Promise.resolve();
  }

  #write(request: ScriptedRequest): void {
    this.#socket ??= this.#open();
    this.#socket.write(`${JSON.stringify(request)}\n`);
  }

  #open(): Socket {
    const socket = connect({ host: '127.0.0.1', port: this.port, noDelay: true });
    let received = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      const lines = (received + chunk).split('\n');
      received = lines.pop() ?? '';
      for (const text of lines) this.#hear(JSON.parse(text) as ScriptedAnswer);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#socket = undefined;
      for (const { dotted, end } of [...this.#pending.values()]) {
        end(dotted ? inDoubt() : notSent('ECONNRESET', 'the far side went away before the dot'));
      }
    });
    return socket;
  }

  #hear(answer: ScriptedAnswer): void {
    const pending = this.#pending.get(answer.number);
    if (!pending) return;
    if (answer.type === 'go') pending.go();
    else if (answer.type === 'report') pending.end(answer.report);
    else pending.found(answer.answer);
  }
}

const notSent = (code: string, message: string): SendReport => ({
  status: 'retryable',
  provider: PROVIDER,
  error: { class: 'retryable', scope: 'message', code, message },
});

const inDoubt = (): SendReport => ({
  status: 'in_doubt',
  provider: PROVIDER,
  error: {
    class: 'in_doubt',
    scope: 'message',
    code: 'ECONNRESET',
    message: 'the far side went away after the dot',
  },
});
