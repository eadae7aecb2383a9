import { Link } from '@tanstack/react-router';
import { DayStrip } from '../../parts/charts/day-strip';
import { Untrusted } from '../../parts/untrusted';
import { useMe } from '../../session';
import { Binds } from './binds';
import { Bounced } from './bounced';
import { QueueCount } from './count';
import { ACTION_WORDS, type AccountRow } from './rows';
import { AccountStatus } from './status';
import { TodayBar } from './today-bar';
import { kindLabel } from './transport-draft';
import { rowId } from './use-row-keys';

export const WAITING = 'scheduled,queued,retry_scheduled';
const HEAD = 'px-3.5 py-2 text-left text-note font-normal text-ink-2 whitespace-nowrap max-xl:px-2.5';
const CELL = 'px-3.5 py-0.5 h-[37px] align-middle max-xl:px-2.5';

interface Props {
  readonly rows: readonly AccountRow[];
  readonly present: string | undefined;
  readonly onPresent: (key: string) => void;
}

/** Who may send now, how much of today is used, what binds it. The row that is looked at has more below. */
export function AccountTable({ rows, present, onPresent }: Props) {
  const zones = new Set(rows.flatMap(({ standing }) => (standing ? [standing.window.zone] : [])));
  const zone = zones.size === 1 ? `, ${[...zones][0] ?? ''}` : '';
  const days = rows.find(({ standing }) => standing)?.standing?.bounced.days ?? 7;
  return (
    <div className="overflow-hidden rounded-panel border border-line bg-surface">
      <table className="w-full text-table">
        <thead>
          <tr>
            <th className={HEAD}>Account</th>
            <th className={HEAD}>Status</th>
            <th className={HEAD}>Today</th>
            <th className={HEAD}>What binds it</th>
            <th className={HEAD}>Window today{zone}</th>
            <th className={HEAD}>Bounced, {days} days</th>
            <th className={`${HEAD} text-right`}>Waiting</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              present={row.key === present}
              alone={zone !== ''}
              onPresent={() => onPresent(row.key)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly row: AccountRow;
  readonly present: boolean;
  /** All rows are of one zone, which stands in the head. */
  readonly alone: boolean;
  readonly onPresent: () => void;
}

function Row({ row, present, alone, onPresent }: RowProps) {
  const { account, standing, action, day, key } = row;
  return (
    <tr
      aria-current={present || undefined}
      onClick={onPresent}
      onFocus={onPresent}
      className="border-t border-line hover:bg-hover aria-[current]:bg-sel aria-[current]:shadow-[inset_3px_0_0_var(--focus)]"
    >
      <td className={`${CELL} max-w-64 min-w-40 wrap-anywhere xl:min-w-56`}>
        <AccountName row={row} id={rowId(key)} />
      </td>
      <td className={`${CELL} max-w-56`}>
        <AccountStatus account={account} day={day} zone={standing?.window.timezone} />
      </td>
      <td className={CELL}>
        <TodayBar account={account} day={day} standing={standing} />
      </td>
      <td className={`${CELL} max-w-64 wrap-anywhere`}>
        <Binds row={row} />
      </td>
      <td className={CELL}>
        {standing && day && (
          <span className="flex items-center gap-2">
            <DayStrip
              {...(day.guarded ? standing.window : { ...standing.window, open: [[0, 1_440]] })}
              className="w-28 max-xl:w-18"
            />
            {!alone && <span className="text-note text-ink-2">{standing.window.zone}</span>}
          </span>
        )}
      </td>
      <td className={CELL}>
        {standing &&
          (action === 'email' ? (
            <Bounced bounced={standing.bounced} />
          ) : (
            <span className="text-ink-3">none</span>
          ))}
      </td>
      <td className={`${CELL} figures text-right`}>
        <QueueCount
          n={standing?.waiting}
          accountId={account.id}
          state={WAITING}
          label={['mail waits', 'mails wait']}
        />
      </td>
    </tr>
  );
}

/** Its address and what it is called; of an account that does several things, which. */
export function AccountName({
  row: { account, action },
  id,
}: {
  readonly row: AccountRow;
  readonly id?: string;
}) {
  const { installation } = useMe();
  const { name, emailAddress, isDefault, transport, type } = account;
  const what = [
    ...(type === 'linkedin' ? [ACTION_WORDS[action]] : []),
    isDefault ? (installation.inbox ? 'the built-in catcher' : 'from SMTP_URL') : kindLabel(transport.kind),
  ].join(' · ');
  return (
    <>
      <Link
        to="/accounts/$accountId"
        params={{ accountId: account.id }}
        {...(id !== undefined && { id })}
        className="font-semibold break-all text-ink no-underline hover:underline"
      >
        <Untrusted text={emailAddress ?? name} />
      </Link>
      <span className="block text-note text-ink-2">
        {emailAddress !== null && (
          <>
            <Untrusted text={name} /> ·{' '}
          </>
        )}
        {what}
      </span>
    </>
  );
}
