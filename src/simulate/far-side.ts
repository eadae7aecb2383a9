import { parseId } from '../core/ids.js';
import type { Departure } from '../core/simulation.js';
import type { ContentSource, ContentSources } from '../engine/contents.js';
import type { Renewal } from '../engine/renewer.js';
import type { Account } from '../store/scripts/accounts.js';
import type { Transport } from '../transport/transport.js';

const PROVIDER = 'simulated';

/** Servers that take everything at once, and write down what came when, by the clock of the simulation. */
export class FarSide {
  readonly left: Departure[] = [];

  constructor(private readonly clock: () => number) {}

  readonly transportOf = ({ id: accountId }: Account): Transport => ({
    kind: PROVIDER,
    capacity: Infinity,
    send: async ({ id, action }, gate) => {
      if (!(await gate())) return NOT_LET;
      const messageId = parseId('message', id) ?? 0;
      this.left.push({ messageId, accountId, action, at: this.clock() });
      return { status: 'sent', provider: PROVIDER, providerMessageId: id };
    },
    close: () => Promise.resolve(),
  });
}

const NOT_LET = {
  status: 'retryable',
  provider: PROVIDER,
  error: { class: 'retryable', scope: 'message', code: 'ELEASE', message: 'the gate did not open' },
} as const;

/** What mails say changes nothing about when they leave: all say the same. */
const sameForAll: ContentSource = {
  prepare: () => ({ contentOf: () => CONTENT }),
};
const CONTENT = Promise.resolve({
  mail: {
    from: { email: 'simulated@example.org' },
    to: { email: 'somebody@example.org' },
    subject: 'Simulated',
    text: '',
  },
});
export const CONTENTS: ContentSources = {
  ...{ outbox: sameForAll, campaign: sameForAll, notification: sameForAll },
};

/** In a database of one's own nobody takes a lease over. */
export const NO_RENEWAL: Renewal = {
  alive: true,
  hold: () => undefined,
  drop: () => undefined,
  close: () => Promise.resolve(),
};
