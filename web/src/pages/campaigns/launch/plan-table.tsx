import type { DryRun } from '../../../api/types';
import { numberWords } from '../../../parts/number-words';
import { Untrusted } from '../../../parts/untrusted';
import { dateWords } from '../../../time/dates';
import { useAccounts } from '../account-names';

const CELL = 'px-3.5 py-1 text-left';

export function PlanTable({ run: { days } }: { readonly run: DryRun }) {
  const accountOf = useAccounts();
  return (
    <div
      className="relative max-h-[46rem] overflow-auto"
      tabIndex={0}
      role="group"
      aria-label="What would leave, as a table"
    >
      <table className="w-full text-table">
        <thead>
          <tr className="text-note text-ink-2">
            <th className={`${CELL} font-normal`}>Day</th>
            <th className={`${CELL} font-normal`}>Account</th>
            <th className={`${CELL} text-right! font-normal`}>mails</th>
            <th className={`${CELL} text-right! font-normal`}>may leave</th>
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, accountId, count, quota }) => (
            <tr key={`${date} ${accountId}`} className="border-t border-line">
              <th scope="row" className={`${CELL} font-normal whitespace-nowrap`}>
                {dateWords(date)}
              </th>
              <td className={`${CELL} wrap-anywhere`}>
                <Untrusted text={accountOf(accountId).name} />
              </td>
              <td className={`${CELL} figures text-right!`}>{numberWords(count)}</td>
              <td className={`${CELL} figures text-right!`}>{numberWords(quota)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
