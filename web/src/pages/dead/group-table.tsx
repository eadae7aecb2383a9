import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import type { DeadGroup } from '../../api/types';
import { classNames } from '../../parts/class-names';
import { counted, numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import type { DeadActions } from './actions';
import { GroupActions } from './group-actions';
import { GroupDetails } from './group-details';
import { originOf } from './labels';
import { Outlook } from './outlook';
import { Sparkline } from './sparkline';

export interface GroupsProps {
  readonly groups: readonly DeadGroup[];
  readonly open: string | undefined;
  readonly current: string | undefined;
  readonly onToggle: (fingerprint: string) => void;
  readonly onCurrent: (fingerprint: string) => void;
  /** Absent: nothing can be done from here now. */
  readonly actions: DeadActions | undefined;
}

const HEAD = 'px-2 py-1.5 text-left text-note font-semibold text-ink-2';

export function GroupTable({ groups, ...rest }: GroupsProps) {
  return (
    <div className="overflow-x-auto rounded-panel border border-line bg-surface">
      <table className="w-full border-collapse text-table">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={`${HEAD} w-44 min-w-40 pl-4`}>
              Code
            </th>
            <th scope="col" className={`${HEAD} w-[30%]`}>
              Cause
            </th>
            <th scope="col" className={`${HEAD} text-right`}>
              Letters
            </th>
            <th scope="col" className={`${HEAD} pl-4 max-lg:hidden`}>
              7 days
            </th>
            <th scope="col" className={`${HEAD} pl-4`}>
              What a retry would do
            </th>
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <Row key={group.fingerprint} group={group} {...rest} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({
  group,
  open,
  current,
  onToggle,
  onCurrent,
  actions,
}: Omit<GroupsProps, 'groups'> & { readonly group: DeadGroup }) {
  const { fingerprint } = group;
  const isOpen = open === fingerprint;
  const isCurrent = (current ?? open) === fingerprint;
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  const detailsId = `cause-${fingerprint}`;
  return (
    <>
      <tr
        onFocus={() => onCurrent(fingerprint)}
        className={classNames('border-b border-line last:border-0', isCurrent ? 'bg-sel' : 'hover:bg-hover')}
      >
        <th scope="row" className="py-2 pr-2 pl-3 text-left">
          <button
            type="button"
            id={`open-${fingerprint}`}
            aria-expanded={isOpen}
            aria-controls={isOpen ? detailsId : undefined}
            onClick={() => onToggle(fingerprint)}
            className="flex min-h-8 items-center gap-2 rounded-control pr-2 text-left font-mono text-mono font-semibold break-all coarse:min-h-11"
          >
            <Chevron size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-ink-2" />
            {visible(group.code)}
          </button>
        </th>
        <td className="px-2 py-2">
          <strong className="block font-[660]">
            <bdi>{visible(group.cause)}</bdi>
          </strong>
          <span className="block text-ink-2">
            <bdi>{visible(originOf(group))}</bdi>
          </span>
        </td>
        <td className="px-2 py-2 text-right">
          <Link
            to="/queue"
            search={{ state: 'dead', fingerprint }}
            aria-label={`${counted(group.count, 'letter')} of ${visible(group.code)}, in the queue`}
            className="figures inline-flex min-h-6 items-center text-[16px] font-bold text-ink no-underline hover:underline coarse:min-h-11"
          >
            {numberWords(group.count)}
          </Link>
        </td>
        <td className="py-1.5 pr-2 pl-4 max-lg:hidden">
          <Sparkline days={group.days} />
          <span className="text-note whitespace-nowrap text-ink-2">
            last <Time at={group.lastAt} label="Last death" />
          </span>
        </td>
        <td className="py-2 pr-2 pl-4">
          <Outlook {...group} />
        </td>
        <td className="py-2 pr-3 pl-2">
          {actions && <GroupActions group={group} actions={actions} current={isCurrent} />}
        </td>
      </tr>
      {isOpen && (
        <tr id={detailsId} className="border-b border-line bg-sunken last:border-0">
          <td colSpan={6} className="py-3 pr-4 pl-11">
            <GroupDetails group={group} />
          </td>
        </tr>
      )}
    </>
  );
}
