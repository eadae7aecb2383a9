import { createServer, type AddressInfo, type Server } from 'node:net';
import type { Changes } from '../crash/changes.js';
import { barrier } from '../crash/scene.js';
import { Line, type Passage } from './line.js';
import type { Conduct, Passing, Phase, Script } from './phases.js';

const passAll: Script = () => 'pass';

/** Who finds the line that a connection at the server belongs to. */
export interface Exchange {
  readonly serverPort: number;
  readonly lines: Map<number, { readonly line: Line; readonly lane: Lane }>;
  readonly changes: Changes;
}

/** The first line that came to a phase. */
export interface Struck {
  readonly happened: () => boolean;
  /** Resolves once it has happened. */
  readonly line: () => Promise<Passing>;
}

/** The network between workers and the server: a proxy that does to each line what its script says. */
export class Lane {
  script: Script = passAll;
  /** So many recipients are refused for now by the server: the next mail on that line begins with RSET. */
  refusals = 0;
  readonly passages: Passage[] = [];
  readonly #lines = new Set<Line>();

  private constructor(
    private readonly server: Server,
    private readonly exchange: Exchange,
  ) {}

  static async open(exchange: Exchange): Promise<Lane> {
    const server = createServer({ noDelay: true, allowHalfOpen: true });
    const lane = new Lane(server, exchange);
    server.on('connection', (worker) => {
      const line: Line = new Line(worker, {
        serverPort: exchange.serverPort,
        script: (passing) => lane.script(passing),
        onConnected: (localPort) => exchange.lines.set(localPort, { line, lane }),
        onMail: (mail) => lane.passages.push(mail),
      });
      lane.#lines.add(line);
      worker.on('close', () => {
        lane.#lines.delete(line);
        exchange.changes.tell();
      });
      void line.serve();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return lane;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Does this to the first line that comes to the phase. */
  once(phase: Phase, conduct: Conduct): Struck {
    return this.#strikeFirst(phase, () => conduct);
  }

  /** Stops the first line that comes to the phase, until it is told how to go on. */
  stopAt(phase: Phase): Struck & { readonly goOn: (conduct: Conduct) => void } {
    const { wait, open } = barrier<Conduct>();
    return { ...this.#strikeFirst(phase, () => wait), goOn: open };
  }

  /** Does to each of these mails what is asked for when it comes to its phase, once. */
  plan(phases: Map<string, Phase>, conduct: (to: string, phase: Phase) => Conduct | Promise<Conduct>): void {
    this.script = ({ phase, to = '' }) => {
      if (phases.get(to) !== phase) return 'pass';
      phases.delete(to);
      this.exchange.changes.tell();
      return conduct(to, phase);
    };
  }

  #strikeFirst(phase: Phase, conduct: () => Conduct | Promise<Conduct>): Struck {
    let struck: Passing | undefined;
    this.script = (passing) => {
      if (struck || passing.phase !== phase) return 'pass';
      struck = passing;
      this.exchange.changes.tell();
      return conduct();
    };
    return {
      happened: () => struck !== undefined,
      line: async () => {
        await this.exchange.changes.until(`a line at ${phase}`, () => struck !== undefined);
        return struck!;
      },
    };
  }

  /** Whoever was connected must connect anew. */
  resetAll(): void {
    for (const line of this.#lines) line.sever('reset');
  }

  async close(): Promise<void> {
    for (const line of this.#lines) line.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
