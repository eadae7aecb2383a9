import { describe, expect, test } from 'vitest';

import { SmtpConnection, type ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import { PeerHabits } from '#pillarbox/transport/smtp/habits';
import type { Failure } from '#pillarbox/transport/smtp/report';
import type { Gate } from '#pillarbox/transport/transport';
import { chaos } from './chaos.js';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20261116);

describe('every verdict agrees with what the server really did', () => {
  test.each([
    { by: 'DATA', mails: 2_000, faults: 0.03 },
    { by: 'DATA', mails: 1_200, faults: 0.15 },
    { by: 'BDAT, four in the air', mails: 2_000, faults: 0.03, mailsInFlight: 4 },
    { by: 'BDAT, four in the air', mails: 1_200, faults: 0.15, mailsInFlight: 4 },
  ])('for $mails mails by $by, with faults in $faults of all steps', async ({ by, ...run }) => {
    const outcome = await chaos({ seed: SEED, ...run });

    expect(outcome.wrong, `seed ${SEED}`).toEqual([]);
    const { yes, no, unknown } = outcome.left;
    expect(yes + no + unknown).toBe(run.mails);
    // The run was not quiet: all three verdicts, refused gates, broken connections.
    expect(yes).toBeGreaterThan(run.mails / 6);
    expect(no).toBeGreaterThan(10);
    expect(unknown).toBeGreaterThan(3);
    expect(outcome.gatesRefused).toBeGreaterThan(3);
    expect(outcome.connections).toBeGreaterThan(40);
    if (by === 'DATA') expect(outcome.chunks).toBe(0);
    else expect(outcome.chunks).toBeGreaterThan(run.mails / 6);
  });
});

/** RFC 2920's way out of an invitation that nobody wants. It learns nothing from it. */
class SendsLoneDots extends SmtpConnection {
  constructor(options: ConnectionOptions) {
    super({ ...options, habits: new PeerHabits() });
  }

  protected override decline(failure: Failure): void {
    this.socket.write('.\r\n');
    super.decline(failure);
  }
}

/** What most clients do: a broken connection is a failure, and failures are tried again. */
class KnowsNoDoubt extends SmtpConnection {
  protected override leftWhenCut(): 'no' {
    return 'no';
  }
}

/** Marks the hand-over and goes on without waiting for the mark. */
class DoesNotWaitForTheGate extends SmtpConnection {
  protected override askGate(gate: Gate): Promise<boolean> {
    void gate();
    return Promise.resolve(true);
  }
}

const UNGATED = /got a dot before its gate passed/;
const UNTRUE = /was reported as not sent and taken 1 times/;

describe('the same run catches a client that', () => {
  test.each([
    ['sends a lone dot', SendsLoneDots, undefined, UNGATED],
    ['knows no doubt after the dot', KnowsNoDoubt, undefined, UNTRUE],
    ['does not wait for the gate', DoesNotWaitForTheGate, undefined, UNGATED],
    ['knows no doubt of what went with its envelope', KnowsNoDoubt, 4, UNTRUE],
    ['does not wait for the gate of what goes with its envelope', DoesNotWaitForTheGate, 4, UNGATED],
  ])('%s', async (_fault, Mutant, mailsInFlight, complaint) => {
    const outcome = await chaos({
      seed: SEED,
      mails: 800,
      faults: 0.15,
      ...(mailsInFlight !== undefined && { mailsInFlight }),
      connect: (options) => new Mutant(options),
    });
    expect(outcome.wrong.filter((wrong) => complaint.test(wrong)).length).toBeGreaterThan(0);
  });
});
