import { LANE_DOUBT_POLICY, type DoubtPolicy, type Lane } from './message.js';
import type { RetryPolicy, RetryPolicyName } from './retry.js';

/** What new messages of a lane get unless they say otherwise. */
export interface LaneDelivery {
  readonly retryPolicy: RetryPolicyName | Pick<RetryPolicy, 'maxAttempts' | 'delaysSeconds'>;
  readonly onDoubt: DoubtPolicy;
  /** Too late to be useful after so long; null: never. */
  readonly expirySeconds: number | null;
  /** Obeys window, quota and spacing of its account. */
  readonly guarded: boolean;
}

/** When an account pauses itself. */
export interface HealthThresholds {
  readonly bouncePercent: number;
  readonly complaintPercent: number;
  /** Fewer than this say nothing, whatever their share. */
  readonly atLeast: number;
  readonly minSends: number;
  readonly days: number;
}

export interface DeliverySettings {
  readonly lanes: Readonly<Record<Lane, LaneDelivery>>;
  readonly health: HealthThresholds;
  /** Finished messages are forgotten after so many days; of those with a key, that key, state and time stay. */
  readonly retentionDays: number;
  /** So long is kept who did what. */
  readonly auditDays: number;
}

const NOTIFICATION_SECONDS = 24 * 3_600;
export const RETENTION_DAYS = 30;
/** A year, and the month in which somebody looks at it. */
export const AUDIT_DAYS = 400;

const laneDefaults = (lane: Lane, over: Partial<LaneDelivery> = {}): LaneDelivery => ({
  retryPolicy: lane,
  onDoubt: LANE_DOUBT_POLICY[lane],
  expirySeconds: null,
  guarded: false,
  ...over,
});

export const DELIVERY_DEFAULTS: DeliverySettings = {
  lanes: {
    outbox: laneDefaults('outbox'),
    campaign: laneDefaults('campaign', { guarded: true }),
    notification: laneDefaults('notification', { expirySeconds: NOTIFICATION_SECONDS }),
  },
  health: { bouncePercent: 5, complaintPercent: 0.1, atLeast: 3, minSends: 50, days: 7 },
  retentionDays: RETENTION_DAYS,
  auditDays: AUDIT_DAYS,
};

/** Of a workspace, as people read it and as mails show it. */
export interface WorkspaceProfile {
  /** What people call it. Commands and keys know it by the name it was made with. */
  readonly name: string;
  /** Stands in the footer of campaign mails. */
  readonly postalAddress: string | null;
  readonly defaultLocale: string;
}
