import { Link } from '@tanstack/react-router';
import type { AccountRow } from './rows';
import { Untrusted } from '../../parts/untrusted';
import { numberWords } from '../../parts/number-words';
import { ownReason } from './status';

/** What binds an account now, and what would next: as the server has it, or why it sends nothing at all. */
export function Binds({ row: { account, standing, day } }: { readonly row: AccountRow }) {
  const [first, second] = linesOf(account, standing?.waiting ?? 0, day);
  const full = day?.standing === 'full' && account.status === 'active';
  return (
    <>
      <span className={full ? 'block font-semibold text-retry' : 'block'}>
        <Untrusted text={first} />
        {full && (
          <>
            {' '}
            <Link to="/limits" className="font-normal underline underline-offset-3">
              Limits
            </Link>
          </>
        )}
      </span>
      {second !== '' && <span className="block text-note text-ink-2">{second}</span>}
    </>
  );
}

function linesOf(
  { status, pauseReason, cooldownUntil, cooldownReason }: AccountRow['account'],
  waiting: number,
  day: AccountRow['day'],
): readonly [first: string, second: string] {
  if (status === 'paused')
    return [
      ownReason(pauseReason) ?? 'paused',
      waiting === 0 ? 'nothing waits' : `${numberWords(waiting)} wait until it is resumed`,
    ];
  if (cooldownUntil !== null) {
    return [cooldownReason ?? 'its server asked for it', day?.guarded === true ? `then: ${day.binds}` : ''];
  }
  if (!day) return ['', ''];
  return day.guarded ? [day.binds, day.then ?? ''] : ['nothing', 'its mail does not wait for limits'];
}
