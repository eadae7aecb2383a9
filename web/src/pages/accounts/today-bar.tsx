import { Link } from '@tanstack/react-router';
import type { Account, AccountDay, AccountStanding } from '../../api/types';
import { UseBar } from '../../parts/charts/use-bar';
import { numberWords } from '../../parts/number-words';

interface Props {
  readonly account: Pick<Account, 'id' | 'status'>;
  readonly day: AccountDay | undefined;
  readonly standing: AccountStanding | undefined;
  readonly wide?: boolean;
}

/** What has left today of what may; the number is a door. Of mail that nothing guards, what was sent. */
export function TodayBar({ account, day, standing, wide = false }: Props) {
  if (!day || !standing) return null;
  // Of a paused account nothing is to come, however much waits.
  const planned = account.status === 'paused' ? 0 : day.planned;
  const n = day.guarded ? day.used : standing.sentToday;
  const door =
    n === 0 ? (
      <span className="text-ink-3">0</span>
    ) : (
      <Link
        to="/queue"
        search={{ accountId: account.id, state: 'sent' }}
        aria-label={`${numberWords(n)} sent today`}
        className="underline underline-offset-3"
      >
        {numberWords(n)}
      </Link>
    );
  return (
    <span className="flex items-center gap-2.5">
      {day.guarded ? (
        <UseBar
          used={day.used}
          planned={planned}
          max={day.limit}
          full={day.standing === 'full'}
          className={wide ? 'w-full flex-1' : 'w-28 max-xl:w-18'}
        />
      ) : (
        <span className={`text-ink-2 ${wide ? 'flex-1' : 'w-28 max-xl:w-18'}`}>not guarded</span>
      )}
      <span className="figures whitespace-nowrap">
        {door}
        {day.guarded && <span className="text-ink-2"> of {numberWords(day.limit)}</span>}
        {day.guarded && planned > 0 && <span className="sr-only">, {numberWords(planned)} planned</span>}
      </span>
    </span>
  );
}
