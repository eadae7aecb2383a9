// @ts-check
// How a worker of the crash tests sends over SMTP: the product's own transport, with time limits
// that end a silence within a test, or with connections that have lost one of their promises.
import { SmtpConnection } from '#pillarbox/transport/smtp/connection';
import { Deadlines } from '#pillarbox/transport/smtp/deadlines';
import { PeerHabits } from '#pillarbox/transport/smtp/habits';
import { SmtpTransport } from '#pillarbox/transport/smtp/transport';

/**
 * @typedef {object} SmtpOptions
 * @property {Partial<import('#pillarbox/transport/smtp/deadlines').TimeLimits>} [limits] Instead of the product's.
 * @property {number} [maxConnections]
 * @property {number} [atOnce] How many mails it is given at once, instead of what it makes of its server.
 * @property {boolean} [alone] No mail is written behind another that was not answered.
 * @property {keyof typeof careless} [careless] A planted bug.
 */

/** Connections with one of their promises broken. The checker must catch each of them. */
const careless = {
  /** Lets the dot leave without asking. */
  ungated: class extends SmtpConnection {
    /** @override */
    askGate() {
      return Promise.resolve(true);
    }
  },
  /** Takes every cut for a doubt. */
  fearful: class extends SmtpConnection {
    /**
     * @override
     * @returns {'unknown'}
     */
    leftWhenCut() {
      return 'unknown';
    }
  },
  /** Takes a mail whose answer was lost for one that did not leave. */
  undoubting: class extends SmtpConnection {
    /**
     * @override
     * @returns {'no'}
     */
    leftWhenCut() {
      return 'no';
    }
  },
};

/**
 * @param {number} port
 * @param {SmtpOptions} options
 */
export function smtpTransport(
  port,
  { limits = {}, maxConnections, atOnce, alone = false, careless: promise },
) {
  const Connection = promise ? careless[promise] : SmtpConnection;
  const deadlines = new Deadlines(20);
  const transport = new SmtpTransport({
    url: `smtp://127.0.0.1:${port}`,
    hosts: { allowPrivate: true },
    maxConnections,
    connect: (given) =>
      new Connection({
        ...{ ...given, deadlines, limits },
        ...(alone && { habits: oneByOne() }),
        // Who says how long is idle does not want to wait for the last one either.
        ...(limits.idleMs !== undefined && { mayStay: () => false }),
      }),
  });
  // As if the server were known, however slow the machine is: then it is given more mails than it has connections.
  if (atOnce !== undefined) Object.defineProperty(transport, 'capacity', { value: atOnce });
  return transport;
}

/** As of a server whose answers were found not to fit. */
function oneByOne() {
  const habits = new PeerHabits();
  while (habits.takesTwo) habits.misfit();
  return habits;
}
