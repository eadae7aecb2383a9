import type { Bounced as Known } from '../../api/types';

const FULL_PX = 56;
const LIMIT_PX = 47;

/** Bounces of the last days against the share at which the account stops itself. */
export function Bounced({ bounced: { percent, bounces, sends, limit } }: { readonly bounced: Known }) {
  const over = limit > 0 && percent >= limit;
  const wide = Math.min(FULL_PX, (LIMIT_PX * percent) / Math.max(0.1, limit));
  return (
    <span className="flex items-center gap-2">
      <svg aria-hidden width={FULL_PX} height="10" className="shrink-0 max-xl:hidden">
        <rect y="3" width={FULL_PX} height="4" fill="var(--grid)" />
        <rect y="3" width={wide} height="4" fill={over ? 'var(--retry)' : 'var(--bar-2)'} />
        <rect x={LIMIT_PX} width="1.5" height="10" fill="var(--ink-3)" />
      </svg>
      <span className={`figures whitespace-nowrap ${over ? 'font-semibold text-retry' : ''}`}>
        {percent.toFixed(1)} %
        <span className="sr-only">
          , {bounces} of {sends}; limit {limit} %
        </span>
      </span>
    </span>
  );
}
