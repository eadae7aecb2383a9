import { useQuery } from '@tanstack/react-query';
import { ofEntriesAbout } from '../../api/queries';
import type { EventDetail } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { useMay } from '../../session';
import { Time } from '../../time/time';

interface Line {
  readonly at: string;
  readonly what: string;
  readonly detail: string;
}

/** What happened to it, newest first. */
function linesOf(event: EventDetail): readonly Line[] {
  const { progress, matched, eventAt, createdAt, repeatedAt, cancelledAt, cancelledBy, publishedBy } = event;
  const by = publishedBy === null ? '' : `by ${publishedBy === 'library' ? 'a program' : publishedBy}; `;
  return [
    ...(cancelledAt === null
      ? []
      : [{ at: cancelledAt, what: 'Cancelled', detail: `by ${cancelledBy ?? 'somebody'}` }]),
    ...(repeatedAt === null
      ? []
      : [
          {
            at: repeatedAt,
            what: 'Published again',
            detail: 'with the same key within 3 minutes: nobody was told twice.',
          },
        ]),
    {
      at: createdAt,
      what: 'Published',
      detail: progress.done
        ? `${by}${counted(matched, 'active subscription')} matched.`
        : `${by}${numberWords(progress.seen)} of ${counted(matched, 'active subscription')} reached so far.`,
    },
    ...(eventAt === createdAt ? [] : [{ at: eventAt, what: 'Happened', detail: 'as its publisher says.' }]),
  ];
}

export function EventHistory({ event }: { readonly event: EventDetail }) {
  const admin = useMay('admin');
  const { data } = useQuery({ ...ofEntriesAbout(event.id), enabled: admin });
  const decided = (data?.items ?? []).map(({ at, action, actor }) => ({
    ...{ at, what: action, detail: `by ${actor}` },
  }));
  const lines = [...linesOf(event), ...decided].toSorted((a, b) => b.at.localeCompare(a.at));
  return (
    <ol aria-label="History">
      {lines.map(({ at, what, detail }, n) => (
        <li
          key={n}
          className="grid grid-cols-[104px_minmax(0,1fr)] gap-3 border-b border-line py-2 text-table last:border-0"
        >
          <span className="text-note text-ink-2">
            <Time at={at} />
          </span>
          <span className="min-w-0 wrap-anywhere">
            <strong className="font-semibold">{visible(what)}</strong>
            <span className="block text-note text-ink-2">{visible(detail)}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}
