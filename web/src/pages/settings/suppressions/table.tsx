import { Link } from '@tanstack/react-router';
import { Button } from '../../../parts/button';
import { ROW } from '../../../parts/row-keys';
import { visible } from '../../../parts/visible';
import { useMay } from '../../../session';
import { useMayAct } from '../../../shell/may-act';
import { Time } from '../../../time/time';
import { CELL, HEAD } from '../table';
import { REASONS, type Suppression } from './reasons';
import { removeSuppression } from './remove';

const WIDE = 'max-xl:hidden';

/** One row an address; on a phone its words stand below each other. */
export function SuppressionTable({ items }: { readonly items: readonly Suppression[] }) {
  const may = useMayAct('operate');
  return (
    <table className="w-full text-table max-sm:block">
      <thead className="max-sm:sr-only">
        <tr>
          <th className={HEAD}>Address</th>
          <th className={HEAD}>Why</th>
          <th className={`${HEAD} ${WIDE}`}>What was said</th>
          <th className={`${HEAD} max-lg:hidden`}>From</th>
          <th className={`${HEAD} ${WIDE}`}>What is not sent</th>
          <th className={`${HEAD} text-right`}>Since</th>
          {may && (
            <th className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {items.map((item) => (
          <Row key={item.email} item={item} may={may} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ item, may }: { readonly item: Suppression; readonly may: boolean }) {
  const { email, reason, said, notSent, from, actor, createdAt } = item;
  const admin = useMay('admin');
  return (
    <tr className="h-[38px] border-t border-line hover:bg-hover max-sm:flex max-sm:h-auto max-sm:flex-wrap max-sm:items-center max-sm:gap-x-3 max-sm:px-3.5 max-sm:py-2">
      <th
        scope="row"
        className={`${CELL} min-w-48 text-left font-semibold wrap-anywhere max-sm:w-full max-sm:p-0`}
      >
        <bdi>{visible(email)}</bdi>
      </th>
      <td className={`${CELL} whitespace-nowrap max-sm:p-0`}>
        <span className="inline-flex items-center gap-1.5 font-semibold">
          {REASONS[reason].glyph}
          {REASONS[reason].one}
        </span>
        <span className="block max-w-72 text-note whitespace-normal text-ink-2 wrap-anywhere xl:hidden">
          <bdi>{visible([said, notSent].filter((words) => words !== '').join(' · '))}</bdi>
        </span>
      </td>
      <td className={`${CELL} ${WIDE} max-w-64 text-ink-2 wrap-anywhere`}>
        <bdi className="line-clamp-2" title={visible(said)}>
          {visible(said)}
        </bdi>
      </td>
      <td className={`${CELL} max-w-56 wrap-anywhere max-lg:hidden`}>
        {from ? (
          <Link to="/queue/$messageId" params={{ messageId: from.messageId }} search={{}}>
            <bdi>{visible(from.label)}</bdi>
          </Link>
        ) : (
          <bdi className="text-ink-2">{visible(actor ?? '')}</bdi>
        )}
      </td>
      <td className={`${CELL} ${WIDE} text-ink-2`}>{notSent}</td>
      <td className={`${CELL} text-right whitespace-nowrap max-sm:ml-auto max-sm:p-0`}>
        <Time at={createdAt} label="Since" />
      </td>
      {may && (
        <td className={`${CELL} text-right max-sm:p-0`}>
          {reason === 'complaint' && !admin ? (
            <span className="text-note text-ink-2">only an admin</span>
          ) : (
            <Button
              {...ROW}
              kind="quiet"
              aria-label={`Remove ${visible(email)}…`}
              onClick={() => void removeSuppression(item)}
              className="text-link!"
            >
              Remove…
            </Button>
          )}
        </td>
      )}
    </tr>
  );
}
