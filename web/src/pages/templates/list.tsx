import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ofTemplates } from '../../api/templates';
import type { Answers } from '../../api/types';
import { Button } from '../../parts/button';
import { Failure } from '../../parts/failure';
import { counted } from '../../parts/number-words';
import { Pager } from '../../parts/pager';
import { Plate } from '../../parts/plate';
import { ROW, useRowKeys } from '../../parts/row-keys';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { useMayAct } from '../../shell/may-act';
import { TopBar } from '../../shell/top-bar';
import { Time } from '../../time/time';
import { NewTemplate } from './new-template';

const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle';

/** What notifications say, and who hears it. */
export function TemplateList({ cursor }: { readonly cursor: string | undefined }) {
  const { data, error, refetch } = useQuery(ofTemplates(cursor));
  const may = useMayAct('operate');
  const [making, setMaking] = useState(false);
  useRowKeys('template');
  return (
    <>
      <TopBar
        title="Templates"
        actions={
          <>
            <Link to="/settings/recipient-pages" className="text-table max-sm:hidden">
              Recipients’ pages
            </Link>
            {may && (
              <Button kind="primary" onClick={() => setMaking(true)}>
                New template
              </Button>
            )}
          </>
        }
      />
      <div className="flex flex-col gap-4 p-5 max-sm:p-3.5">
        {error && !data ? (
          <Failure error={error} what="the templates" onRetry={() => void refetch()} />
        ) : (
          <>
            {data && cursor === undefined && <Plate {...data.plate} />}
            <section aria-label="Templates" className="rounded-panel border border-line bg-surface">
              {data === undefined ? <SkeletonRows rows={5} /> : <Rows items={data.items} />}
            </section>
            {data && (
              <Pager to="/templates" cursor={cursor} next={data.nextCursor} words={['First', 'More']} />
            )}
          </>
        )}
      </div>
      {making && <NewTemplate onClose={() => setMaking(false)} />}
    </>
  );
}

const Rows = ({ items }: { readonly items: Answers['listTemplateHeads']['items'] }) => (
  <table className="w-full text-table">
    <thead>
      <tr>
        <th className={HEAD}>Template</th>
        <th className={HEAD}>Versions</th>
        <th className={HEAD}>Locales</th>
        <th className={`${HEAD} max-sm:hidden`}>Used by</th>
        <th className={`${HEAD} max-sm:hidden`}>Changed</th>
      </tr>
    </thead>
    <tbody>
      {items.map(({ id, version, versions, locales, topics, updatedAt }) => (
        <tr key={id} className="h-[41px] border-t border-line hover:bg-hover">
          <td className={`${CELL} wrap-anywhere`}>
            <Link
              to="/templates/$templateId"
              params={{ templateId: id }}
              {...ROW}
              className="font-semibold text-ink no-underline hover:underline"
            >
              <Untrusted text={id} />
            </Link>
          </td>
          <td className={`${CELL} wrap-anywhere`}>
            <Untrusted text={version} />
            {versions > 1 && <span className="text-ink-2"> of {versions}</span>}
          </td>
          <td className={`${CELL} wrap-anywhere`}>{locales.join(', ')}</td>
          <td className={`${CELL} max-sm:hidden`}>
            {topics === 0 ? <span className="text-ink-3">no event of late</span> : counted(topics, 'topic')}
          </td>
          <td className={`${CELL} text-ink-2 max-sm:hidden`}>
            <Time at={updatedAt} label="Changed" />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
