import { Link } from '@tanstack/react-router';
import type { Campaign } from '../../api/types';
import { LevelGlyph } from '../../parts/glyphs';
import { counted } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';

/** One sentence of the server, and the one thing to do about it. */
export function HoldUp({ campaign }: { readonly campaign: Campaign }) {
  const { holdUp, state, pauseReason, decidedBy } = campaign;
  if (holdUp)
    return (
      <span className="wrap-anywhere">
        <span className="mr-1.5 inline-block align-[-2px]">
          <LevelGlyph level={holdUp.level} size={14} />
        </span>
        <strong className={holdUp.level === 'act' ? 'text-dead' : 'text-retry'}>
          <Untrusted text={holdUp.sentence} />
        </strong>{' '}
        <Door to={holdUp.to}>{holdUp.verb}</Door>
      </span>
    );
  if (state === 'paused')
    return (
      <span className="text-ink-2 wrap-anywhere">
        paused
        {decidedBy !== null && (
          <>
            {' '}
            by <Untrusted text={decidedBy} />
          </>
        )}
        {pauseReason !== null && (
          <>
            : “<Untrusted text={pauseReason} />”
          </>
        )}
      </span>
    );
  return <span className="text-ink-2">{standsAt(campaign)}</span>;
}

/** What a draft lacks, and what of one that is over never left. */
function standsAt({ state, people, sequenceId, progress: { total, sent } }: Campaign): string {
  if (state === 'running') return 'nothing';
  if (state === 'draft')
    return people === 0 ? 'needs people' : sequenceId === null ? 'needs a sequence' : 'not launched yet';
  return total > sent ? `${counted(total - sent, 'mail')} never left` : '';
}

/** The server names a place of this app, with its filter. */
export function Door({
  to,
  className = 'underline underline-offset-3',
  children,
}: {
  readonly to: string;
  readonly className?: string;
  readonly children: React.ReactNode;
}) {
  const { pathname, searchParams } = new URL(to, location.origin);
  return (
    <Link to={pathname} search={Object.fromEntries(searchParams)} className={className}>
      {children}
    </Link>
  );
}
