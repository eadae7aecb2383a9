import type { Campaign } from '../../api/types';
import { counted } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { useFromNow } from '../../time/clock';
import { dayOf } from '../../time/words';
import { useZone } from '../../time/zone';

const DAY_MS = 86_400_000;

/** When it ends, and how that compares with what was planned. */
export function Ends({
  campaign: { state, next, endsAt, plannedEndsAt, finishedAt, decidedBy, holdUp },
}: {
  readonly campaign: Campaign;
}) {
  const zone = useZone();
  const ago = useFromNow((now) =>
    finishedAt === null ? 0 : Math.floor((now - Date.parse(finishedAt)) / DAY_MS),
  );
  if (state === 'draft') return null;
  if (state === 'paused') return <span className="text-ink-2">not while paused</span>;
  if (finishedAt !== null)
    return (
      <>
        {dayOf(Date.parse(finishedAt), zone)}
        <span className="block text-note text-ink-2">
          {decidedBy === null ? (
            ago === 0 ? (
              'today'
            ) : (
              `${counted(ago, 'day')} ago`
            )
          ) : (
            <>
              by <Untrusted text={decidedBy} />
            </>
          )}
        </span>
      </>
    );
  // What has a time all the same gets another one when it may leave again.
  if (next === null && holdUp)
    return (
      <span className="text-ink-2">
        waits for <Untrusted text={holdUp.awaits} />
      </span>
    );
  if (endsAt === null) return <span className="text-ink-2">nothing waits</span>;
  const late =
    plannedEndsAt === null ? 0 : Math.floor((Date.parse(endsAt) - Date.parse(plannedEndsAt)) / DAY_MS);
  return (
    <>
      {dayOf(Date.parse(endsAt), zone)}
      <span className={`block text-note ${late >= 1 ? 'font-semibold text-retry' : 'text-ink-2'}`}>
        {late >= 1 ? `${late} ${late === 1 ? 'day' : 'days'} late` : 'as planned'}
      </span>
    </>
  );
}
