import { claimStatement, openChannelsStatement, takeOverStatement } from './claim.js';
import { enqueueLeasedStatement, enqueueOneStatement, enqueueStatement } from './enqueue.js';
import { gateStatement } from './gate.js';
import { guardedClaimStatement, openGuardedStatement } from './guarded-claim.js';
import { guardedGateStatement } from './guarded-gate.js';
import { guardedSettleStatement } from './guarded-settle.js';
import { notifiedGateStatement, notifiedSettleStatement } from './notified.js';
import { relayStatements } from './relay.js';
import { settleStatement } from './settle.js';
import type { Prepared, StatementContext } from './time.js';

/** All that every message goes through. */
export const prepare = (context: StatementContext) => ({
  enqueue: {
    one: enqueueOneStatement(context),
    group: enqueueStatement(context),
    leased: enqueueLeasedStatement(context),
  },
  openChannels: openChannelsStatement(context),
  claim: claimStatement(context),
  gate: gateStatement(context),
  settle: settleStatement(context),
  takeOver: takeOverStatement(context),
  openGuarded: openGuardedStatement(context, 'account'),
  openOwn: openGuardedStatement(context, 'recipient'),
  guardedClaim: guardedClaimStatement(context, 'account'),
  ownClaim: guardedClaimStatement(context, 'recipient'),
  guardedGate: guardedGateStatement(context),
  guardedSettle: guardedSettleStatement(context),
  notifiedGate: notifiedGateStatement(context, false),
  guardedNotifiedGate: notifiedGateStatement(context, true),
  notifiedSettle: notifiedSettleStatement(context, false),
  guardedNotifiedSettle: notifiedSettleStatement(context, true),
  relay: relayStatements(context),
});

export type Statements = ReturnType<typeof prepare>;

/** A connection knows a name by its first text; a clock that is set again and again gives it others. */
export const unnamed = ({ enqueue, relay, ...others }: Statements): Statements => ({
  enqueue: withoutNames(enqueue),
  relay: withoutNames(relay),
  ...withoutNames(others),
});

const withoutNames = <Some extends Record<string, Prepared>>(statements: Some): Some =>
  Object.fromEntries(Object.entries(statements).map(([key, { text }]) => [key, { name: '', text }])) as Some;
