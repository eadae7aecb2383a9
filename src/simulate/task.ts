import type { CampaignChange } from '../campaigns/input.js';
import type { ErrorCode } from '../core/errors.js';
import type { Description, Simulation } from '../core/simulation.js';

/** Where the campaign is that is to be copied. */
export interface StoreAccess {
  readonly databaseUrl: string;
  readonly databaseDirectUrl?: string | undefined;
  readonly schema?: string | undefined;
}

interface Stretch {
  /** From when on, and for how many local days of the workspace. */
  readonly from: number;
  readonly days: number;
}

export interface DescribedTask extends Stretch {
  readonly description: Description;
}

export interface CampaignTask extends Stretch {
  readonly access: StoreAccess;
  readonly workspaceId: number;
  readonly campaignId: number;
  /** What is changed of the copy before it runs. */
  readonly change?: CampaignChange | undefined;
}

export type Task = DescribedTask | CampaignTask;

/** What the process that simulates tells the one that asked. */
export type Said =
  | { readonly done: number; readonly total: number }
  | { readonly simulation: Simulation }
  | { readonly failed: { readonly code?: ErrorCode | undefined; readonly message: string } };
