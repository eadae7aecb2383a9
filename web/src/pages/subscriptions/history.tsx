import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleDot, MailCheck, MailQuestionMark, Pencil, UserPlus, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { STATES } from '../../api/names';
import { ofSubscriptionHistory } from '../../api/notifications';
import type { SubscriptionHappening } from '../../api/types';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';

const FIRST = 20;
const MOST = 200;

/** Told, asked, changed: newest first. */
export function SubscriptionHistory({ id }: { readonly id: string }) {
  const [limit, setLimit] = useState(FIRST);
  const { data, error, refetch } = useQuery(ofSubscriptionHistory(id, limit));
  if (error && !data) return <Failure error={error} what="its history" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} />;
  return (
    <>
      <ol aria-label="History" className="mt-1">
        {data.items.map((entry, n) => (
          <Line key={entry.id} entry={entry} isLast={n === data.items.length - 1} />
        ))}
      </ol>
      {data.nextCursor !== null &&
        (limit < MOST ? (
          <Button onClick={() => setLimit(MOST)}>Show more</Button>
        ) : (
          <p className="text-note text-ink-2">The newest {MOST} are shown.</p>
        ))}
    </>
  );
}

const ICONS: Readonly<Record<string, LucideIcon>> = {
  created: UserPlus,
  updated: Pencil,
  confirmation_sent: MailQuestionMark,
};

function Mark({ entry: { kind, headline, details } }: { readonly entry: SubscriptionHappening }) {
  if (kind === 'notify_sent') return <StateGlyph state="sent" />;
  const became = STATES.find((state) => state === details?.['state']);
  if (kind === 'not_told' && became !== undefined) return <StateGlyph state={became} />;
  if (headline === 'Ended') return <StateGlyph state="cancelled" />;
  const Icon = headline === 'Confirmed' ? MailCheck : (ICONS[kind] ?? CircleDot);
  return <Icon size={14} strokeWidth={1.75} aria-hidden className="text-ink-2" />;
}

function Line({ entry, isLast }: { readonly entry: SubscriptionHappening; readonly isLast: boolean }) {
  const { headline, sentence, changes, snapshot, about, eventId, messageId, at, times, since } = entry;
  return (
    <li className="relative flex gap-3 pb-2.5">
      {!isLast && <span aria-hidden className="absolute top-5 bottom-0 left-[6px] w-px bg-line" />}
      <span className="mt-0.5">
        <Mark entry={entry} />
      </span>
      <div className="min-w-0 flex-1 text-table">
        <div className="flex items-baseline gap-2">
          <strong className="font-[660]">{visible(headline)}</strong>
          <span className="ml-auto text-note text-ink-2">
            <Time at={at} />
          </span>
        </div>
        <div className="wrap-anywhere text-ink-2">
          {about !== null && eventId !== null && (
            <Link to="/events/$eventId" params={{ eventId }} search={{}}>
              <Untrusted text={about} />
            </Link>
          )}
          {messageId !== null && (
            <>
              {about !== null && ' · '}
              <Link to="/queue/$messageId" params={{ messageId }} search={{}}>
                its mail
              </Link>
            </>
          )}
          {(about !== null || messageId !== null) && sentence !== '' && ' · '}
          {visible(sentence)}
          {times > 1 && (
            <>
              , {numberWords(times)} times since <Time at={since} />
            </>
          )}
          {changes.map(({ what, before, after }, n) => (
            <span key={what}>
              {n === 0 ? (sentence === '' ? '' : ': ') : '; '}
              {visible(what)}{' '}
              <del className="rounded-mark bg-tint-dead px-1 text-ink no-underline">{visible(before)}</del> →{' '}
              <ins className="rounded-mark bg-tint-sent px-1 text-ink no-underline">{visible(after)}</ins>
            </span>
          ))}
        </div>
        {snapshot !== null && (
          <code className="mt-1 inline-block max-w-full rounded-mark bg-sunken px-1.5 text-[12px] wrap-anywhere">
            {visible(snapshot)}
          </code>
        )}
      </div>
    </li>
  );
}
