import type { CampaignState } from '../../api/types';

/** Each has a silhouette of its own. One that a person paused is plain: he knows. */
const SHAPES: Record<CampaignState, React.ReactNode> = {
  draft: (
    <circle
      cx="8"
      cy="8"
      r="6"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="2.6 2.1"
    />
  ),
  running: <path d="M2 2.2 14.4 8 2 13.8 4.6 8z" fill="currentColor" />,
  paused: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round">
      <circle cx="8" cy="8" r="6.6" />
      <path d="M6.4 5.6v4.8M9.6 5.6v4.8" />
    </g>
  ),
  stopped: (
    <g fill="none" stroke="currentColor" strokeWidth="1.6">
      <circle cx="8" cy="8" r="6" />
      <path d="m4 12 8-8" />
    </g>
  ),
  completed: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path
        d="m4.9 8.2 2.2 2.2 4-4.6"
        fill="none"
        stroke="var(--surface)"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </>
  ),
};

export const CAMPAIGN_LABELS: Record<CampaignState, string> = {
  draft: 'Draft',
  running: 'Running',
  paused: 'Paused',
  stopped: 'Stopped',
  completed: 'Completed',
};

const COLOURS: Record<CampaignState, string> = {
  draft: 'text-scheduled',
  running: 'text-sending',
  paused: 'text-scheduled',
  stopped: 'text-cancelled',
  completed: 'text-sent',
};

export const CampaignGlyph = ({
  state,
  size = 14,
}: {
  readonly state: CampaignState;
  readonly size?: number;
}) => (
  <svg aria-hidden viewBox="0 0 16 16" width={size} height={size} className={`shrink-0 ${COLOURS[state]}`}>
    {SHAPES[state]}
  </svg>
);

export const CampaignChip = ({ state }: { readonly state: CampaignState }) => (
  <span className="inline-flex items-center gap-1.5 font-semibold whitespace-nowrap">
    <CampaignGlyph state={state} />
    {CAMPAIGN_LABELS[state]}
  </span>
);
