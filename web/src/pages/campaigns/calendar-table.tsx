import type { CampaignCalendar } from '../../api/types';
import { numberWords } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { dateWords } from '../../time/dates';
import { useAccounts } from './account-names';

const CELL = 'px-3.5 py-1 text-left';

/** The same figures, for who reads them better than cells. */
export function CalendarTable({ days }: Pick<CampaignCalendar, 'days'>) {
  const accountOf = useAccounts();
  return (
    <div
      className="relative max-h-96 overflow-auto"
      tabIndex={0}
      role="group"
      aria-label="Calendar, as a table"
    >
      <table className="w-full text-table">
        <thead>
          <tr className="text-note text-ink-2">
            <th className={`${CELL} font-normal`}>Day</th>
            <th className={`${CELL} font-normal`}>Account</th>
            {['sent', 'to come', 'planned at launch', 'may leave'].map((head) => (
              <th key={head} className={`${CELL} text-right! font-normal`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map(({ date, accountId, sent, planned, launched, quota }) => (
            <tr key={`${date} ${accountId}`} className="border-t border-line">
              <th scope="row" className={`${CELL} font-normal whitespace-nowrap`}>
                {dateWords(date)}
              </th>
              <td className={`${CELL} wrap-anywhere`}>
                <Untrusted text={accountOf(accountId).name} />
              </td>
              {[sent, planned, launched, quota].map((n, place) => (
                <td key={place} className={`${CELL} figures text-right!`}>
                  {numberWords(n)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
