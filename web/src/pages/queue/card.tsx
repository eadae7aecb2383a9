import { memo } from 'react';
import { classNames } from '../../parts/class-names';
import { StateChip } from '../../parts/glyphs';
import { Untrusted } from '../../parts/untrusted';
import { openHere, rowId, SelectBox, When, type RowProps } from './row';

/** A row on a phone: two lines, the whole of it a link. */
export const Card = memo(function Card(props: RowProps) {
  const { message, selected, leaving, onSelect, href } = props;
  const { id, to, subject, state } = message;
  return (
    <li
      className={classNames(
        'relative flex items-center gap-3 border-b border-line px-3.5 py-2',
        selected && 'bg-hover',
        leaving && 'line-through',
      )}
    >
      {onSelect && <SelectBox message={message} selected={selected} onSelect={onSelect} />}
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline gap-3">
          <a
            id={rowId(id)}
            href={href}
            onClick={(event) => openHere(event, () => props.onOpen(id))}
            className="min-w-0 flex-1 truncate font-semibold text-ink no-underline after:absolute after:inset-y-0 after:right-0 after:left-12"
          >
            <Untrusted text={to.email} />
          </a>
          <span className="text-note text-ink-2">
            <When message={message} />
          </span>
        </div>
        <div className="flex items-baseline gap-3">
          <span className="min-w-0 flex-1 truncate text-note text-ink-2">
            <Untrusted text={subject ?? 'No subject'} />
          </span>
          <span className="text-note">
            <StateChip state={state} />
          </span>
        </div>
      </div>
    </li>
  );
});
