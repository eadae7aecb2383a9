import { useQuery } from '@tanstack/react-query';
import { ofAccounts } from '../../api/queries';
import type { LimitsCheck } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { useZone } from '../../time/zone';
import { limitWords, whenOf } from './limit-words';

/** What has left against a limit: nothing can be moved any more, and somebody should know. */
export function LeftOver({ left }: Pick<LimitsCheck, 'left'>) {
  const zone = useZone();
  const { data } = useQuery({ ...ofAccounts(), staleTime: 60_000 });
  return (
    <Panel title="Left over a limit" note="within two weeks, against the rules that hold now">
      <ul className="text-table">
        {left.map((each) => {
          const account = data?.items.find(({ id }) => id === each.accountId);
          const when = whenOf(each, account?.window?.timezone ?? zone);
          return (
            <li
              key={[each.accountId, each.action, each.limit, each.when].join(' ')}
              className="border-t border-line px-3.5 py-1.5 wrap-anywhere first:border-t-0"
            >
              <Untrusted text={account?.name ?? each.accountId} />, {limitWords(each)}, {when}:{' '}
              {numberWords(each.sent)} left, {counted(each.over, 'mail')} too many
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
