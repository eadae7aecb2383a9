import { DropdownMenu } from 'radix-ui';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useCounts } from '../../api/live';
import { LANES, STATES } from '../../api/names';
import { useShortcuts } from '../../keys/keys';
import { STATE_LABELS, StateGlyph } from '../../parts/glyphs';
import { Menu, MenuCheck, MenuItem } from '../../parts/menu';
import { numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { ColumnMenu } from './column-menu';
import { LANE_LABELS } from './columns';
import { dashed, MenuChip, TextChip } from './filter-chip';
import { filterOf, namesIn, statesOf, type FilterName, type QueueSearch } from './filters';

interface Props {
  readonly search: QueueSearch;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly onFilter: (name: FilterName, value: string | undefined) => void;
  readonly onClear: () => void;
}

/** What is only ever come to by a link. */
const IDS = [
  ['campaignId', 'Campaign'],
  ['eventId', 'Event'],
  ['reason', 'Why'],
  ['subscriptionId', 'Subscription'],
  ['step', 'Step'],
  ['day', 'Day'],
  ['fingerprint', 'Cause'],
] as const;

/** The filters as they stand in the address. */
export function FilterBar({ search, accountNames, onFilter, onClear }: Props) {
  const filter = filterOf(search);
  const names = namesIn(filter);
  const [adding, setAdding] = useState<'to'>();
  const account = filter.accountId;
  return (
    <div
      role="search"
      aria-label="Filters"
      className="flex flex-wrap items-center gap-2 border-b border-line px-5 py-2 max-lg:px-4 max-sm:px-3.5"
    >
      <StateChipFilter value={search.state} onFilter={onFilter} />
      <MenuChip
        name="Lane"
        value={LANES.filter((lane) => lane === filter.lane).map((lane) => LANE_LABELS[lane])[0]}
        onRemove={() => onFilter('lane', undefined)}
      >
        {LANES.map((lane) => (
          <MenuItem key={lane} onSelect={() => onFilter('lane', lane)}>
            {LANE_LABELS[lane]}
          </MenuItem>
        ))}
      </MenuChip>
      {account !== undefined && (
        <MenuChip
          name="Account"
          value={visible(accountNames.get(account) ?? account)}
          onRemove={() => onFilter('accountId', undefined)}
        >
          <AccountItems names={accountNames} onFilter={onFilter} />
        </MenuChip>
      )}
      {(filter.to !== undefined || adding === 'to') && (
        <TextChip
          name="To"
          value={filter.to ?? ''}
          begins={filter.to === undefined}
          onChange={(value) => {
            setAdding(undefined);
            onFilter('to', value);
          }}
        />
      )}
      {IDS.map(([name, label]) => {
        const value = filter[name];
        return (
          value !== undefined && (
            <TextChip key={name} name={label} value={value} onChange={(changed) => onFilter(name, changed)} />
          )
        );
      })}
      {filter.q !== undefined && (
        <TextChip name="Search" value={filter.q} onChange={(value) => onFilter('q', value)} />
      )}
      {(account === undefined || filter.to === undefined) && (
        <Menu
          trigger={
            <button type="button" className={dashed}>
              <Plus size={13} aria-hidden className="mr-1" />
              Filter
            </button>
          }
        >
          {filter.to === undefined && <MenuItem onSelect={() => setAdding('to')}>To an address</MenuItem>}
          {account === undefined && (
            <>
              <DropdownMenu.Label className="px-2.5 pt-1.5 pb-1 text-note text-ink-2">
                Account
              </DropdownMenu.Label>
              <AccountItems names={accountNames} onFilter={onFilter} />
            </>
          )}
        </Menu>
      )}
      <WithinList names={names} onFilter={onFilter} />
      {names.length > 1 && (
        <button type="button" onClick={onClear} className="min-h-6 text-table text-link hover:underline">
          Clear all
        </button>
      )}
      <ColumnMenu />
    </div>
  );
}

const AccountItems = ({
  names,
  onFilter,
}: {
  readonly names: ReadonlyMap<string, string>;
  readonly onFilter: Props['onFilter'];
}) =>
  [...names].map(([id, name]) => (
    <MenuItem key={id} onSelect={() => onFilter('accountId', id)}>
      <bdi>{visible(name)}</bdi>
    </MenuItem>
  ));

function StateChipFilter({
  value,
  onFilter,
}: {
  readonly value: string | undefined;
  readonly onFilter: Props['onFilter'];
}) {
  const counts = useCounts();
  const states = statesOf(value);
  return (
    <MenuChip
      name="State"
      value={
        states.length === 0 ? undefined : states.map((state) => STATE_LABELS[state].toLowerCase()).join(', ')
      }
      onRemove={() => onFilter('state', undefined)}
    >
      {STATES.map((state) => (
        <MenuCheck
          key={state}
          checked={states.includes(state)}
          onChange={(checked) =>
            onFilter(
              'state',
              STATES.filter((each) => (each === state ? checked : states.includes(each))).join(','),
            )
          }
        >
          <StateGlyph state={state} />
          <span className="flex-1">{STATE_LABELS[state]}</span>
          {counts && <span className="figures text-ink-2">{numberWords(counts[state])}</span>}
        </MenuCheck>
      ))}
    </MenuChip>
  );
}

/** Searches within the other filters. Backspace where nothing is typed takes the last filter away. */
function WithinList({
  names,
  onFilter,
}: {
  readonly names: readonly FilterName[];
  readonly onFilter: Props['onFilter'];
}) {
  const input = useRef<HTMLInputElement>(null);
  useShortcuts([{ keys: 'f', does: 'filters', run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      aria-label="Search in this list"
      placeholder="Search in this list"
      onKeyDown={(event) => {
        const field = event.currentTarget;
        const last = names.at(-1);
        if (event.key === 'Enter' && field.value.trim() !== '') {
          onFilter('q', field.value.trim());
          field.value = '';
        } else if (event.key === 'Backspace' && field.value === '' && last !== undefined)
          onFilter(last, undefined);
        else if (event.key === 'Escape') field.blur();
      }}
      className="h-[26px] min-w-16 flex-1 basis-16 rounded-control bg-transparent px-1.5 text-table placeholder:text-ink-3 coarse:h-11"
    />
  );
}
