import type { Simulation } from '../core/simulation.js';
import type { CampaignChange } from './input.js';

export interface SimulationLimits {
  /** So long it may take; then it is ended, and the caller is told. Default: as long as it takes. */
  readonly seconds?: number | undefined;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Lets a copy of a campaign run, somewhere where nobody has to wait for it. */
export interface CampaignSimulator {
  campaign(
    task: {
      readonly workspaceId: number;
      readonly campaignId: number;
      readonly from: number;
      readonly days: number;
      readonly change?: CampaignChange | undefined;
    },
    limits?: SimulationLimits,
  ): Promise<Simulation>;
}
