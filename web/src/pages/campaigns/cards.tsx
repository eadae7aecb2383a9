import type { Campaign } from '../../api/types';
import { CampaignChip } from './campaign-state';
import { Ends } from './ends';
import { HoldUp } from './hold-up';
import { PlanBar } from './plan-bar';
import { CampaignName, DraftDoor, Sent } from './table';

/** The same on a small screen: three lines each. */
export const CampaignCards = ({ items }: { readonly items: readonly Campaign[] }) => (
  <ul>
    {items.map((campaign) => (
      <li key={campaign.id} className="border-t border-line px-3.5 py-2.5 text-table first:border-t-0">
        <div className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 wrap-anywhere">
            <CampaignName campaign={campaign} />
          </span>
          <CampaignChip state={campaign.state} />
        </div>
        <div className="mt-1 flex items-center gap-2.5">
          {campaign.state === 'draft' ? (
            <DraftDoor campaign={campaign} />
          ) : (
            <>
              <PlanBar
                {...campaign.progress}
                today={campaign.progress.planToday}
                over={campaign.state === 'completed' || campaign.state === 'stopped'}
                className="w-full flex-1"
              />
              <Sent campaign={campaign} />
            </>
          )}
        </div>
        <div className="mt-1">
          {campaign.state === 'running' && campaign.holdUp === null ? (
            <span className="flex items-baseline gap-1.5 text-ink-2">
              {campaign.endsAt !== null && 'Ends'} <Ends campaign={campaign} />
            </span>
          ) : (
            <HoldUp campaign={campaign} />
          )}
        </div>
      </li>
    ))}
  </ul>
);
