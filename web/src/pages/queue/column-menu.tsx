import { Columns3 } from 'lucide-react';
import { Menu, MenuCheck } from '../../parts/menu';
import { COLUMN_LABELS, OPTIONAL_COLUMNS, setColumns, useColumns } from './columns';

/** This browser keeps what was chosen. */
export function ColumnMenu() {
  const columns = useColumns();
  return (
    <Menu
      align="end"
      trigger={
        <button
          type="button"
          aria-label="Columns"
          className="grid size-8 shrink-0 place-items-center rounded-control text-ink-2 hover:bg-hover hover:text-ink max-sm:hidden coarse:size-11"
        >
          <Columns3 size={16} strokeWidth={1.75} aria-hidden />
        </button>
      }
    >
      {OPTIONAL_COLUMNS.map((column) => (
        <MenuCheck
          key={column}
          checked={columns.includes(column)}
          onChange={(checked) =>
            setColumns(
              OPTIONAL_COLUMNS.filter((each) => (each === column ? checked : columns.includes(each))),
            )
          }
        >
          {COLUMN_LABELS[column]}
        </MenuCheck>
      ))}
    </Menu>
  );
}
