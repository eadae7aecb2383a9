import type { Line } from '../core/lines.js';
import type { Action, DoubtPolicy } from '../core/message.js';

/** What all messages of a page have in common. */
export interface PlanCommon {
  readonly workspaceId: number;
  readonly campaignId: number;
  readonly sequenceId: number | null;
  readonly sequenceVersion: number | null;
  readonly expiresAt: number | null;
  readonly retryPolicy: string;
  readonly doubtPolicy: DoubtPolicy;
  readonly now: number;
}

/** A message that the planner has found a time for. */
export interface PlanRow {
  readonly channelId: number;
  readonly action: Action;
  readonly key: string;
  readonly contactId: number;
  /** In its canonical form; and as it was given, where that is another spelling. */
  readonly recipient: string;
  readonly recipientGiven: string | null;
  readonly recipientName: string | null;
  readonly subject: string | null;
  readonly sender: string;
  readonly dueAt: number;
  readonly closesAt: number | null;
  readonly step: number | null;
  readonly line: Line;
  /** Of a message that was made by somebody else. */
  readonly bodyHash: string | null;
  readonly mail: string | null;
}

/** A halted message with a new time. */
export interface PlanMove {
  readonly id: number;
  readonly dueAt: number;
  readonly closesAt: number | null;
  readonly line: Line;
}
