import { DEALS, type Deal } from './plan/dealing.js';

/** What a campaign is, and what becomes of a person in it. */

export const CAMPAIGN_STATES = ['draft', 'running', 'paused', 'stopped', 'completed'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** Why the rest of a person's sequence never leaves. */
export const ENDINGS = ['replied', 'bounced', 'complained', 'unsubscribed', 'stopped'] as const;
export type Ending = (typeof ENDINGS)[number];

/** Only what is active may leave. */
export const ENROLMENT_STATES = ['active', 'paused', ...ENDINGS] as const;
export type EnrolmentState = (typeof ENROLMENT_STATES)[number];

/** Those that an event still changes. */
export const OPEN_ENROLMENTS = ['active', 'paused'] as const satisfies readonly EnrolmentState[];

/** What a message's way ends with when its campaign was stopped, or its person is not in it any more. */
export const CAMPAIGN_STOPPED = 'campaign_stopped';
export const NOT_ENROLLED = 'not_enrolled';

export const PRIORITIES = ['followups', 'new'] as const;

/** What a campaign sets itself. It never raises what its accounts and its workspace allow. */
export interface Terms {
  /** Whose window holds. */
  readonly timezone: 'account' | 'recipient';
  readonly startAt: number | null;
  /** Nothing leaves from then on. */
  readonly endAt: number | null;
  /** Of all its accounts together, a local day of the workspace: messages, and new people. */
  readonly dailyLimit: number | null;
  readonly maxNewPerDay: number | null;
  readonly prioritize: (typeof PRIORITIES)[number];
  /** How long a message waits for the acceptance of the request before it. */
  readonly acceptanceDays: number;
  readonly deal: Deal;
}

export const TERMS: Terms = {
  timezone: 'account',
  startAt: null,
  endAt: null,
  dailyLimit: null,
  maxNewPerDay: null,
  prioritize: 'followups',
  acceptanceDays: 15,
  deal: DEALS[0],
};

/** As they are stored: what is missing is the usual. */
export const readTerms = (stored: string): Terms => ({ ...TERMS, ...(JSON.parse(stored) as Partial<Terms>) });

/** Why planning has stopped, where it can't go on by itself: no time is left, or the campaign takes no new people. */
export const PLAN_FAULTS = ['does_not_fit', 'no_new_people'] as const;
export type PlanFault = (typeof PLAN_FAULTS)[number];
