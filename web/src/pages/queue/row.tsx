import { memo, type MouseEvent } from 'react';
import type { Message } from '../../api/types';
import { Changing } from '../../parts/changing';
import { classNames } from '../../parts/class-names';
import { StateChip } from '../../parts/glyphs';
import { Untrusted } from '../../parts/untrusted';
import { Time } from '../../time/time';
import { COLUMN_LOOK, LANE_LABELS, type Column } from './columns';
import { whenOf } from './when';

export interface RowProps {
  readonly message: Message;
  /** Where it opens: a plain link, because those of the router are dear by the dozen. */
  readonly href: string;
  readonly open: boolean;
  readonly selected: boolean;
  /** Dismissed, with Undo on offer. */
  readonly leaving: boolean;
  readonly columns: readonly Column[];
  readonly accountName: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onSelect: ((id: string, range: boolean) => void) | undefined;
}

export const rowId = (id: string): string => `row-${id}`;

/** Clicks on what has a meaning of its own are not meant for the row. */
export const isOwnClick = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('a, button, input, label') !== null;

/** A plain click opens beside the list; with a key it is the browser's: another tab, another window. */
export function openHere(event: MouseEvent, open: () => void): void {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  open();
}

export const Row = memo(function Row(props: RowProps) {
  const { message, href, open, selected, leaving, columns, accountName, onOpen, onSelect } = props;
  const { id, to, subject, state, lane, attempts, maxAttempts } = message;
  return (
    <tr
      aria-current={open ? 'true' : undefined}
      onClick={(event) => {
        if (!isOwnClick(event)) onOpen(id);
      }}
      className={classNames(
        'h-[41px] cursor-pointer border-b border-line',
        open ? 'bg-sel shadow-[inset_3px_0_0_var(--focus)]' : selected ? 'bg-hover' : 'hover:bg-hover',
        leaving && 'line-through',
      )}
    >
      {onSelect && (
        <td className="pl-4">
          <SelectBox message={message} selected={selected} onSelect={onSelect} />
        </td>
      )}
      <td className={classNames('py-0 pr-2', !onSelect && 'pl-5')}>
        <Changing value={state} className="-ml-1 inline-block rounded-mark pl-1">
          <StateChip state={state} />
        </Changing>
      </td>
      <td className="py-0.5 pr-3">
        <a
          id={rowId(id)}
          href={href}
          onClick={(event) => openHere(event, () => onOpen(id))}
          className="block truncate font-semibold text-ink no-underline"
        >
          <Untrusted text={to.email} />
        </a>
        <span className="block truncate text-note text-ink-2">
          <Untrusted text={subject ?? 'No subject'} />
        </span>
      </td>
      {columns.includes('lane') && (
        <td className={classNames('pr-3 text-ink-2', COLUMN_LOOK.lane)}>{LANE_LABELS[lane]}</td>
      )}
      {columns.includes('account') && (
        <td className={classNames('truncate pr-3 text-ink-2', COLUMN_LOOK.account)}>
          <Untrusted text={accountName ?? ''} />
        </td>
      )}
      {columns.includes('tries') && (
        <td className={classNames('pr-3 whitespace-nowrap text-ink-2', COLUMN_LOOK.tries)}>
          {attempts} / {maxAttempts}
        </td>
      )}
      <td className="pr-4 text-right whitespace-nowrap">
        <When message={message} />
      </td>
    </tr>
  );
});

export function When({ message }: { readonly message: Message }) {
  const when = whenOf(message);
  return when ? <Time at={when.at} label={when.label} /> : <span>now</span>;
}

export const SelectBox = ({
  message: { id, to },
  selected,
  onSelect,
}: {
  readonly message: Message;
  readonly selected: boolean;
  readonly onSelect: (id: string, range: boolean) => void;
}) => (
  <label className="grid size-6 place-items-center coarse:size-11 coarse:-m-2.5">
    <input
      type="checkbox"
      checked={selected}
      aria-label={`Select the mail to ${to.email}`}
      // The event of a change does not know about Shift.
      onChange={() => undefined}
      onClick={(event) => onSelect(id, event.shiftKey)}
      className="size-4 accent-primary"
    />
  </label>
);
