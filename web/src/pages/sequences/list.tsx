import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ofSequences } from '../../api/sequences';
import type { SequenceHead } from '../../api/types';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { FindField } from '../../parts/find-field';
import { counted } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { ROW, useRowKeys } from '../../parts/row-keys';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { Time } from '../../time/time';
import { NewSequence } from './new-sequence';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle';

interface Props {
  readonly q: string | undefined;
  readonly cursor: string | undefined;
}

/** What is said to people, and who says it. */
export function SequenceList({ q, cursor }: Props) {
  const { data, error, refetch, isPlaceholderData } = useQuery(ofSequences({ q, cursor }));
  const may = useMayAct('operate');
  const [making, setMaking] = useState(false);
  const navigate = useNavigate();
  useRowKeys('sequence');
  const none = data?.items.length === 0 && !isPlaceholderData;
  const first = none && q === undefined && cursor === undefined;
  const make = may && (
    <Button kind="primary" onClick={() => setMaking(true)}>
      New sequence
    </Button>
  );
  return (
    <>
      <TopBar title="Sequences" actions={make} />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {error && !data ? (
          <Failure error={error} what="the sequences" onRetry={() => void refetch()} />
        ) : first ? (
          <Empty title="No sequence yet." {...(may && { actions: make })}>
            <p>
              A sequence is what people are written to, step by step: mails and messages on LinkedIn, with how
              long to wait between them. First there must be <Link to="/contacts">contacts</Link> to write it
              for.
            </p>
          </Empty>
        ) : (
          <>
            {data && cursor === undefined && q === undefined && <Plate {...data.plate} />}
            <section aria-label="Sequences" className="rounded-panel border border-line bg-surface">
              <div role="search" aria-label="Filters" className="border-b border-line px-3.5 py-2">
                <FindField
                  label="Part of a name"
                  value={q ?? ''}
                  onFind={(text) =>
                    void navigate({ to: '/sequences', search: text === '' ? {} : { q: text } })
                  }
                />
              </div>
              {data === undefined ? (
                <SkeletonRows rows={5} />
              ) : none ? (
                <Empty title={`No sequence is called “${visible(q ?? '')}”.`} />
              ) : (
                <Rows items={data.items} />
              )}
            </section>
            {data && (
              <Pager
                to="/sequences"
                search={q === undefined ? {} : { q }}
                cursor={cursor}
                next={data.nextCursor}
              />
            )}
          </>
        )}
      </div>
      {making && <NewSequence onClose={() => setMaking(false)} />}
    </>
  );
}

const Rows = ({ items }: { readonly items: readonly SequenceHead[] }) => (
  <table className="w-full text-table">
    <thead>
      <tr>
        <th className={HEAD}>Sequence</th>
        <th className={HEAD}>Version</th>
        <th className={`${HEAD} max-sm:hidden`}>Used by</th>
        <th className={`${HEAD} max-sm:hidden`}>Changed</th>
      </tr>
    </thead>
    <tbody>
      {items.map(({ id, name, version, usedBy, updatedAt }) => (
        <tr key={id} className="h-[41px] border-t border-line hover:bg-hover">
          <td className={`${CELL} wrap-anywhere`}>
            <Link
              to="/sequences/$sequenceId"
              params={{ sequenceId: id }}
              {...ROW}
              className="font-semibold text-ink no-underline hover:underline"
            >
              <Untrusted text={name} />
            </Link>
          </td>
          <td className={`${CELL} figures`}>{version}</td>
          <td className={`${CELL} max-sm:hidden`}>
            {usedBy.campaigns === 0 ? <span className="text-ink-3">no campaign</span> : usedWords(usedBy)}
          </td>
          <td className={`${CELL} text-ink-2 max-sm:hidden`}>
            <Time at={updatedAt} label="Changed" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const usedWords = ({ campaigns, running }: SequenceHead['usedBy']): string =>
  `${counted(campaigns, 'campaign')}${running === 0 ? '' : `, ${String(running)} running`}`;
