import type { SchedulingResult } from '../campaigns/campaigns.js';
import { handleEmailFailure, scheduleEmailsForCampaign } from './seed-campaigns.js';
import { getDailySentCount, getNextAvailableSlot, getRemainingQuota } from './seed-names.js';
import type { Pillarbox } from './pillarbox.js';

/** What other schedulers export, with their arguments: whoever comes from one of them changes no call. */
export interface Scheduler {
  readonly scheduleEmailsForCampaign: (campaignId: string) => Promise<SchedulingResult>;
  readonly handleEmailFailure: (scheduledEmailId: string, error: Error) => Promise<void>;
  readonly getDailySentCount: (workspaceId: string, date: Date) => Promise<number>;
  readonly getRemainingQuota: (workspaceId: string, date: Date) => Promise<number>;
  readonly getNextAvailableSlot: (workspaceId: string, afterDate: Date) => Promise<Date>;
}

/** The functions of the same names, of one box. They may be taken apart. */
export const schedulerOf = (box: Pillarbox): Scheduler => ({
  scheduleEmailsForCampaign: (campaignId) => scheduleEmailsForCampaign(box, campaignId),
  handleEmailFailure: (scheduledEmailId, error) => handleEmailFailure(box, scheduledEmailId, error),
  getDailySentCount: (workspaceId, date) => getDailySentCount(box, workspaceId, date),
  getRemainingQuota: (workspaceId, date) => getRemainingQuota(box, workspaceId, date),
  getNextAvailableSlot: (workspaceId, afterDate) => getNextAvailableSlot(box, workspaceId, afterDate),
});
