import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofMessages } from '../../api/queries';
import { Failure } from '../../parts/failure';
import { StateChip } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { Time } from '../../time/time';

const SHOWN = 20;

export const Mails = ({ eventId, count }: { readonly eventId: string; readonly count: number }) => (
  <MailList filter={{ eventId }} count={count} none="No mail was made of it." />
);

interface Props {
  readonly filter: { readonly eventId: string } | { readonly subscriptionId: string };
  /** How many there are, where that is known. */
  readonly count?: number;
  readonly none: string;
}

/** The newest mails of it, and the way to the rest. */
export function MailList({ filter, count, none }: Props) {
  const { data, error, refetch } = useQuery(ofMessages(filter, SHOWN));
  if (error && !data) return <Failure error={error} what="its mails" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={4} height={34} />;
  if (data.items.length === 0) return <p className="text-table text-ink-2">{none}</p>;
  return (
    <>
      <ul aria-label="Mails" className="-mt-3">
        {data.items.map((message) => (
          <li
            key={message.id}
            className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-t border-line py-1.5 text-table first:border-t-0"
          >
            <span className="w-28">
              <StateChip state={message.state} />
            </span>
            <Link
              to="/queue/$messageId"
              params={{ messageId: message.id }}
              search={filter}
              className="min-w-0 flex-1 basis-40 truncate"
            >
              <Untrusted text={message.to.email} />
            </Link>
            <span className="text-note text-ink-2">
              <Time at={message.sentAt ?? message.nextAttemptAt ?? message.updatedAt} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-table">
        <Link to="/queue" search={filter}>
          {data.nextCursor === null
            ? 'Show them in the queue'
            : count === undefined
              ? 'All of them in the queue'
              : `All ${numberWords(count)} in the queue`}
        </Link>
      </p>
    </>
  );
}
