import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { ofRejected, rejectedHref } from '../../../api/contacts';
import type { Import, RejectedLine } from '../../../api/types';
import { buttonLook } from '../../../parts/button';
import { classNames } from '../../../parts/class-names';
import { Failure } from '../../../parts/failure';
import { counted, numberWords } from '../../../parts/number-words';
import { Pager } from '../../../parts/pager';
import { Panel } from '../../../parts/panel';
import { visible } from '../../../parts/visible';
import { useMe } from '../../../session';

const REASON_WORDS: Record<RejectedLine['code'], string> = {
  broken: 'broken line',
  address: 'address',
  unreachable: 'unreachable',
  time_zone: 'time zone',
  name: 'name',
  linkedin_id: 'LinkedIn id',
  attribute: 'attribute',
  taken: 'somebody else’s',
};

interface Props {
  readonly known: Import;
  readonly reason: string | undefined;
  readonly cursor: string | undefined;
}

/** Every line that is not in, as it stands in the file, and why. */
export function LeftOut({ known, reason, cursor }: Props) {
  const { workspaceId } = useMe();
  const { data, error, refetch } = useQuery(ofRejected(known.id, { reason, cursor }, known.rejected));
  const to = `/contacts/import/${known.id}`;
  return (
    <Panel
      title="Left out"
      note={known.state === 'running' ? `${numberWords(known.rejected)} so far` : numberWords(known.rejected)}
      {...(known.rejected > 0 && {
        aside: (
          <a href={rejectedHref(known.id, workspaceId)} download className={buttonLook()}>
            <Download size={15} strokeWidth={1.75} aria-hidden />
            {counted(known.rejected, 'line')} as CSV
          </a>
        ),
      })}
    >
      {known.rejected === 0 ? (
        <p className="px-3.5 py-3 text-table text-ink-2">
          {known.state === 'running' ? 'No line so far.' : 'No line. Everything in the file could be used.'}
        </p>
      ) : (
        <>
          <nav
            aria-label="Why lines were left out"
            className="flex flex-wrap gap-x-4 gap-y-1 border-b border-line px-3.5 py-2 text-table"
          >
            <Reason to={to} words="all" count={known.rejected} present={reason === undefined} />
            {known.reasons.map((each) => (
              <Reason
                key={each.reason}
                to={to}
                reason={each.reason}
                words={REASON_WORDS[each.reason]}
                count={each.count}
                present={reason === each.reason}
              />
            ))}
          </nav>
          {error && !data ? (
            <div className="p-3.5">
              <Failure error={error} what="these lines" onRetry={() => void refetch()} />
            </div>
          ) : (
            <ul>
              {data?.items.map(({ line, cells, reason: why }) => (
                <li
                  key={line}
                  className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5 border-t border-line px-3.5 py-1.5 text-table first:border-t-0"
                >
                  <span className="figures w-16 text-right">
                    <span className="sr-only">line </span>
                    {numberWords(line)}
                  </span>
                  <code className="min-w-0 flex-1 basis-40 wrap-anywhere">
                    <bdi>{visible(cells.join(', ')).slice(0, 300)}</bdi>
                  </code>
                  <span className="min-w-0 flex-1 basis-40 wrap-anywhere">{visible(why)}</span>
                </li>
              ))}
            </ul>
          )}
          <div className="p-2 empty:hidden">
            <Pager
              to={to}
              search={reason === undefined ? {} : { reason }}
              cursor={cursor}
              next={data?.nextCursor ?? null}
              words={['First', 'More']}
            />
          </div>
        </>
      )}
    </Panel>
  );
}

interface ReasonProps {
  readonly to: string;
  readonly reason?: string;
  readonly words: string;
  readonly count: number;
  readonly present: boolean;
}

const Reason = ({ to, reason, words, count, present }: ReasonProps) => (
  <Link
    to={to}
    search={reason === undefined ? {} : { reason }}
    // Which of them is shown is told by us: the address of all is a part of each.
    activeProps={{}}
    aria-current={present ? 'true' : undefined}
    className={classNames('whitespace-nowrap', present && 'font-bold text-ink no-underline')}
  >
    {numberWords(count)} {words}
  </Link>
);
