import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { ofAudit } from '../../api/settings';
import type { AuditEntry } from '../../api/types';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { Panel } from '../../parts/panel';
import { Pager } from '../../parts/pager';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { auditLines, targetWords, type AuditLine } from './audit-lines';
import { HEAD } from './table';

const CELL = 'px-3.5 py-2 align-top';
const SHOWN_LINES = 3;

export function AuditSection() {
  const { cursor } = useSearch({ strict: false });
  const { data, error, refetch } = useQuery(ofAudit(cursor));
  if (error && !data) return <Failure error={error} what="the audit log" onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows rows={10} />;
  return (
    <div className="flex flex-col gap-3">
      <Panel
        title="Audit log"
        note="who changed what, newest first; nobody can change it, and it names nobody but who did it"
      >
        {data.items.length === 0 ? (
          <Empty title={cursor === undefined ? 'Nothing was changed yet.' : 'Nothing older.'} />
        ) : (
          <table className="w-full text-table max-sm:block">
            <thead className="max-sm:sr-only">
              <tr>
                <th className={HEAD}>When</th>
                <th className={HEAD}>Who</th>
                <th className={HEAD}>What</th>
                <th className={HEAD}>Before and after</th>
              </tr>
            </thead>
            <tbody className="max-sm:block">
              {data.items.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </tbody>
          </table>
        )}
      </Panel>
      <Pager to="/settings/audit" cursor={cursor} next={data.nextCursor} />
    </div>
  );
}

function Entry({ entry: { at, actor, action, target, details } }: { readonly entry: AuditEntry }) {
  const lines = auditLines(details);
  return (
    <tr className="border-t border-line max-sm:block max-sm:px-3.5 max-sm:py-2.5">
      <td className={`${CELL} whitespace-nowrap max-sm:float-right max-sm:p-0`}>
        <Time at={at} />
      </td>
      <td className={`${CELL} font-semibold break-all max-sm:block max-sm:p-0 lg:w-48`}>
        <Untrusted text={actor} />
      </td>
      <td className={`${CELL} max-sm:block max-sm:p-0`}>
        {action}
        {target !== null && (
          <code className="block break-all text-ink-2">{visible(targetWords(target))}</code>
        )}
      </td>
      <td className={`${CELL} w-1/2 max-sm:block max-sm:w-full max-sm:p-0 max-sm:pt-1`}>
        <Lines lines={lines.slice(0, SHOWN_LINES)} />
        {lines.length > SHOWN_LINES && (
          <details>
            <summary className="w-fit cursor-pointer py-0.5 text-note text-link">
              {lines.length - SHOWN_LINES} more
            </summary>
            <Lines lines={lines.slice(SHOWN_LINES)} />
          </details>
        )}
      </td>
    </tr>
  );
}

const Lines = ({ lines }: { readonly lines: readonly AuditLine[] }) => (
  <ul>
    {lines.map(({ name, from, to }) => (
      <li key={name} className="text-mono break-words">
        <code className="text-ink-2">{visible(name)}</code>{' '}
        {from !== undefined && (
          <del className="rounded-mark bg-tint-dead px-1 font-mono break-all no-underline">
            {visible(shortened(from))}
          </del>
        )}
        {from !== undefined && to !== undefined && <span aria-label="became"> → </span>}
        {to !== undefined && (
          <ins className="rounded-mark bg-tint-sent px-1 font-mono break-all no-underline">
            {visible(shortened(to))}
          </ins>
        )}
      </li>
    ))}
  </ul>
);

const LONGEST = 300;
const shortened = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
