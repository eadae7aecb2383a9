import { useDeferredValue } from 'react';
import { classNames } from '../../parts/class-names';
import type { Message } from '../../api/types';
import { searchText } from '../../search-text';
import { Card } from './card';
import { COLUMN_LABELS, COLUMN_LOOK, useColumns } from './columns';
import { useLeaving } from './decide';
import type { QueueSearch } from './filters';
import { Row } from './row';
import type { Selection } from './selection';

interface Props {
  readonly items: readonly Message[];
  readonly search: QueueSearch;
  readonly openId: string | undefined;
  readonly selection: Selection;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly phone: boolean;
  readonly onOpen: (id: string) => void;
  /** Absent for who may not decide anything. */
  readonly onSelect: ((id: string, range: boolean) => void) | undefined;
  readonly onSelectAll: () => void;
}

const HEAD =
  'sticky top-0 z-[1] h-[30px] border-b border-line bg-sunken text-left text-note font-semibold text-ink-2';

/** As many as a screen shows. The rest is drawn after them, so that no page of rows keeps the browser busy at once. */
const FIRST_ROWS = 20;

/** The server's order and no other: newest first. */
export function MessageTable(props: Props) {
  const { items, phone, selection, onSelect, accountNames } = props;
  const begun = useDeferredValue(true, false);
  const columns = useColumns();
  const leaving = useLeaving();
  const kept = searchText(props.search);
  const rows = (begun ? items : items.slice(0, FIRST_ROWS)).map((message) => ({
    message,
    href: `/queue/${message.id}${kept}`,
    columns,
    open: message.id === props.openId,
    selected: selection.has(message.id),
    leaving: leaving.has(message.id),
    accountName: accountNames.get(message.accountId),
    onOpen: props.onOpen,
    onSelect,
  }));
  if (phone)
    return (
      <ul aria-label="Messages">
        {rows.map((row) => (
          <Card key={row.message.id} {...row} />
        ))}
      </ul>
    );
  const all = items.length > 0 && items.every(({ id }) => selection.has(id));
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 text-table">
      <caption className="sr-only">Messages, newest first</caption>
      <thead>
        <tr>
          {onSelect && (
            <th scope="col" className={`${HEAD} w-[46px] pl-4`}>
              <label className="grid size-6 place-items-center">
                <input
                  type="checkbox"
                  aria-label="Select the page"
                  checked={all}
                  ref={(box) => {
                    if (box) box.indeterminate = !all && selection.size > 0;
                  }}
                  onChange={props.onSelectAll}
                  className="size-4 accent-primary"
                />
              </label>
            </th>
          )}
          <th scope="col" className={classNames(HEAD, onSelect ? 'w-[112px]' : 'w-[128px] pl-5')}>
            State
          </th>
          <th scope="col" className={HEAD}>
            To and subject
          </th>
          {(['lane', 'account', 'tries'] as const).map(
            (column) =>
              columns.includes(column) && (
                <th key={column} scope="col" className={classNames(HEAD, 'pr-3', COLUMN_LOOK[column])}>
                  {COLUMN_LABELS[column]}
                </th>
              ),
          )}
          <th scope="col" className={`${HEAD} w-[102px] pr-4 text-right`}>
            When
          </th>
        </tr>
      </thead>
      <tbody className="[&_td]:border-b [&_td]:border-line">
        {rows.map((row) => (
          <Row key={row.message.id} {...row} />
        ))}
      </tbody>
    </table>
  );
}
