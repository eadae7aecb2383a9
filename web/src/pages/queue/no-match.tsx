import { useQueries } from '@tanstack/react-query';
import { useCounts } from '../../api/live';
import { ofMessages, type MessageFilter } from '../../api/queries';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { STATE_LABELS } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { visible } from '../../parts/visible';
import { countedOf, dropped, namesIn, statesOf, type FilterName } from './filters';

const NAMES: Record<FilterName, string> = {
  state: 'state',
  lane: 'lane',
  accountId: 'account',
  to: 'address',
  campaignId: 'campaign',
  eventId: 'event',
  reason: 'reason',
  subscriptionId: 'subscription',
  step: 'step',
  day: 'day',
  fingerprint: 'cause',
  q: 'search',
};

const LOOKED_AT = 50;

/** Which filter to drop, and how many would show without it. */
export function NoMatch({
  filter,
  accountNames,
  onDrop,
  onClear,
}: {
  readonly filter: MessageFilter;
  readonly accountNames: ReadonlyMap<string, string>;
  readonly onDrop: (name: FilterName) => void;
  readonly onClear: () => void;
}) {
  const counts = useCounts();
  const choices = namesIn(filter).map((name) => {
    const rest = dropped(filter, name);
    return { name, rest, counted: countedOf(rest, counts) };
  });
  // Counters answer most of it; what they do not know is looked at once.
  const looks = useQueries({
    queries: choices.map(({ rest, counted }) => ({
      ...ofMessages(rest, LOOKED_AT),
      enabled: counted === undefined && counts !== undefined,
    })),
  });
  const looked = counts !== undefined && looks.every(({ fetchStatus }) => fetchStatus === 'idle');
  const offers = choices.flatMap(({ name, counted }, n) => {
    const page = looks[n]?.data;
    const seen = page && `${numberWords(page.items.length)}${page.nextCursor === null ? '' : '+'}`;
    const shown = counted === undefined ? seen : numberWords(counted);
    return shown === undefined || shown === '0' ? [] : [{ name, shown }];
  });
  return (
    <Empty
      title={describe(filter, accountNames)}
      actions={
        <>
          {offers.map(({ name, shown }) => (
            <Button key={name} onClick={() => onDrop(name)}>
              Drop the {NAMES[name]} filter to see {shown}
            </Button>
          ))}
          {choices.length > 1 && (
            <Button kind="quiet" onClick={onClear}>
              Clear all filters
            </Button>
          )}
        </>
      }
    >
      {looked && offers.length === 0 && choices.length > 1 && 'No single filter is the reason.'}
    </Empty>
  );
}

/** "No held mail from lena@." */
function describe(filter: MessageFilter, names: ReadonlyMap<string, string>): string {
  const states = statesOf(filter.state).map((state) => STATE_LABELS[state].toLowerCase());
  const { accountId, to, q } = filter;
  return `${[
    'No',
    states.join(' or '),
    filter.lane ?? '',
    'mail',
    accountId === undefined ? '' : `from ${visible(names.get(accountId) ?? accountId)}`,
    to === undefined ? '' : `to ${visible(to)}`,
    q === undefined ? '' : `that matches “${visible(q)}”`,
  ]
    .filter(Boolean)
    .join(' ')}.`;
}
