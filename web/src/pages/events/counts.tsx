import { Link } from '@tanstack/react-router';
import type { EventDetail, State } from '../../api/types';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { ToldBar } from './told-bar';

const SHOWN: readonly (readonly [state: State, words: string, door: string | undefined])[] = [
  ['sent', 'sent', 'sent'],
  ['sending', 'sending', 'sending'],
  ['scheduled', 'waiting', 'scheduled,queued'],
  ['retry_scheduled', 'retry later', 'retry_scheduled'],
  ['held', 'held', 'held'],
  // Whom preferences leave out has no mail to show.
  ['skipped', 'skipped', undefined],
  ['dead', 'dead', 'dead'],
  ['expired', 'expired', 'expired'],
  ['cancelled', 'cancelled', 'cancelled'],
];

const QUARTER = 25;

/** One bar of everybody, and the numbers of it: each is a door to its mails. */
export function Counts({ event }: { readonly event: EventDetail }) {
  const { counts, progress, cancelledAt } = event;
  const retried = event.reasons
    .filter(({ state }) => state === 'retry_scheduled')
    .reduce((sum, { count }) => sum + count, 0);
  const split = {
    ...counts,
    scheduled: Math.max(0, counts.scheduled - retried) + counts.queued,
    retry_scheduled: Math.min(retried, counts.scheduled),
    queued: 0,
  };
  const left = Math.max(0, progress.total - progress.seen);
  const telling = !progress.done && cancelledAt === null;
  return (
    <div className="mt-4">
      <div
        {...(telling && {
          role: 'progressbar',
          'aria-label': 'Subscriptions reached',
          'aria-valuemin': 0,
          'aria-valuemax': progress.total,
          'aria-valuenow': progress.seen,
        })}
      >
        <ToldBar event={{ counts: split, matched: event.matched }} height={18} className="w-full" />
      </div>
      {telling && (
        <p role="status" className="sr-only">
          {Math.floor((100 * progress.seen) / Math.max(1, progress.total) / QUARTER) * QUARTER} % reached
        </p>
      )}
      <ul
        aria-label="Counts"
        className="mt-2 grid grid-cols-[repeat(auto-fill,minmax(124px,1fr))] gap-x-4 gap-y-1 text-table"
      >
        {SHOWN.filter(([state]) => state === 'sent' || split[state] > 0).map(([state, words, door]) => (
          <li key={state} className="flex items-center gap-1.5 whitespace-nowrap">
            <StateGlyph state={state} size={13} />
            {door !== undefined && split[state] > 0 ? (
              <Link
                to="/queue"
                search={{ eventId: event.id, state: door }}
                aria-label={`${numberWords(split[state])} ${words}: its mails`}
                className={`figures underline underline-offset-3 ${state === 'dead' ? 'font-bold text-dead' : ''}`}
              >
                {numberWords(split[state])}
              </Link>
            ) : (
              <span className="figures">{numberWords(split[state])}</span>
            )}
            <span className="truncate text-ink-2">{words}</span>
          </li>
        ))}
        {left > 0 && (
          <li className="flex items-center gap-1.5 whitespace-nowrap">
            <span
              aria-hidden
              className="inline-block size-3 shrink-0 rounded-mark border border-line-strong bg-grid"
            />
            <span className="figures">{numberWords(left)}</span>
            <span className="text-ink-2">
              {cancelledAt === null ? 'not yet fanned out' : 'never reached'}
            </span>
          </li>
        )}
      </ul>
    </div>
  );
}
