import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ArrowRight } from 'lucide-react';
import { ofAccounts } from '../../api/queries';
import type { Violation } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { useZone } from '../../time/zone';
import { limitWords, moveWords, whenOf } from './limit-words';

interface Props {
  readonly items: readonly Violation[];
  readonly unticked: ReadonlySet<string>;
  /** Undefined: nothing can be moved from here now. */
  readonly onTick: ((ids: readonly string[], tick: boolean) => void) | undefined;
  readonly aside: React.ReactNode;
}

const WAITING = 'scheduled,queued,retry_scheduled';
const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap';
const CELL = 'px-3.5 py-1.5 align-middle max-lg:p-0';
const BOX = 'size-4 shrink-0 accent-primary coarse:size-6';

export function Violations({ items, unticked, onTick, aside }: Props) {
  const ids = items.map(({ id }) => id);
  const causes = `${counted(items.length, 'cause')}, worst first${onTick ? '; untick what is to stay' : ''}`;
  return (
    <Panel title="Planned over a limit" note={causes} aside={aside}>
      <table className="w-full text-table max-lg:block">
        <thead className="max-lg:sr-only">
          <tr>
            {onTick && (
              <th className={`${HEAD} w-10 pr-0`}>
                <input
                  type="checkbox"
                  aria-label="Move all"
                  className={BOX}
                  checked={ids.every((id) => !unticked.has(id))}
                  onChange={(event) => onTick(ids, event.target.checked)}
                />
              </th>
            )}
            <th className={HEAD}>Account and limit</th>
            <th className={HEAD}>When</th>
            <th className={HEAD}>Planned</th>
            <th className={`${HEAD} text-right`}>Over by</th>
            <th className={HEAD}>How it came about</th>
            <th className={HEAD}>The fix moves</th>
          </tr>
        </thead>
        <tbody className="max-lg:block">
          {[...items]
            .sort((one, other) => other.over - one.over)
            .map((item) => (
              <Row key={item.id} item={item} ticked={!unticked.has(item.id)} onTick={onTick} />
            ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** On a small screen the same cells stand below each other, each with its name. */
function Row({
  item,
  ticked,
  onTick,
}: { readonly item: Violation; readonly ticked: boolean } & Pick<Props, 'onTick'>) {
  const zone = useZone();
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  const account = data?.items.find(({ id }) => id === item.accountId);
  const name = account?.name ?? item.accountId;
  const when = whenOf(item, account?.window?.timezone ?? zone);
  return (
    <tr className="border-t border-line hover:bg-hover max-lg:grid max-lg:grid-cols-[auto_1fr_auto] max-lg:gap-x-3 max-lg:gap-y-1 max-lg:px-3.5 max-lg:py-2.5">
      {onTick && (
        <td className={`${CELL} pr-0 max-lg:row-span-2`}>
          <input
            type="checkbox"
            aria-label={`Move ${counted(item.over, 'mail')} of ${visible(name)}, ${limitWords(item)}, ${when}`}
            className={BOX}
            checked={ticked}
            onChange={(event) => onTick([item.id], event.target.checked)}
          />
        </td>
      )}
      <td className={`${CELL} wrap-anywhere max-lg:col-start-2`}>
        <Link
          to="/accounts/$accountId"
          params={{ accountId: item.accountId }}
          className="font-semibold text-ink no-underline hover:underline"
        >
          <Untrusted text={name} />
        </Link>
        <span className="block text-note text-ink-2">{limitWords(item)}</span>
      </td>
      <td className={`${CELL} max-lg:col-start-3 max-lg:row-start-1 max-lg:text-right lg:whitespace-nowrap`}>
        {when}
      </td>
      <td className={`${CELL} max-lg:col-start-2 max-lg:row-start-2`}>
        <strong className="figures">{numberWords(item.planned)}</strong>{' '}
        {item.max > 0 ? `of ${numberWords(item.max)}` : item.planned === 1 ? 'mail' : 'mails'}
        <span className="lg:hidden"> planned</span>
      </td>
      <td className={`${CELL} text-right max-lg:col-start-3 max-lg:row-start-2`}>
        <span className="lg:hidden">over by </span>
        <Link
          to="/queue"
          search={{ accountId: item.accountId, state: WAITING }}
          aria-label={`${counted(item.over, 'mail')} over, among what waits for ${visible(name)}`}
          className="figures font-bold text-retry underline underline-offset-3"
        >
          {numberWords(item.over)}
        </Link>
      </td>
      <td className={`${CELL} text-ink-2 max-lg:col-span-2 max-lg:col-start-2`}>{item.cause}</td>
      <td className={`${CELL} max-lg:col-span-2 max-lg:col-start-2`}>
        {moveWords(item.moves).map((words) => (
          <span key={words} className="flex items-center gap-2">
            <ArrowRight size={14} strokeWidth={1.75} aria-hidden className="shrink-0 text-ink-2" />
            {words}
          </span>
        ))}
      </td>
    </tr>
  );
}
