import { Link } from '@tanstack/react-router';
import { LANES } from '../../api/names';
import type { Lane } from '../../api/types';
import { Panel } from '../../parts/panel';
import { numberWords } from '../../parts/number-words';

const DOORS: Record<Lane, string> = {
  outbox: 'Outbox',
  campaign: 'Campaigns',
  notification: 'Notifications',
};

interface Props {
  readonly sentToday: Readonly<Record<Lane, number>>;
  /** Null: no catcher runs. */
  readonly caught: number | null;
}

/** Where the mail of today came in. */
export const FrontDoors = ({ sentToday, caught }: Props) => (
  <Panel title="Front doors" note="today">
    <table className="w-full text-table">
      <thead className="sr-only">
        <tr>
          <th scope="col">Front door</th>
          <th scope="col">Mails</th>
          <th scope="col">Note</th>
        </tr>
      </thead>
      <tbody>
        {LANES.map((lane) => (
          <tr key={lane} className="border-line not-first:border-t">
            <th scope="row" className="py-2 pr-2 pl-3.5 text-left font-normal">
              {DOORS[lane]}
            </th>
            <td className="py-2 pr-3.5 text-right" colSpan={2}>
              <Link
                to="/queue"
                search={{ lane, state: 'sent' }}
                className="figures text-ink no-underline hover:underline"
              >
                {numberWords(sentToday[lane])} sent
              </Link>
            </td>
          </tr>
        ))}
        {caught !== null && (
          <tr className="border-t border-line">
            <th scope="row" className="py-2 pr-2 pl-3.5 text-left font-normal">
              Dev inbox
            </th>
            <td className="py-2 pr-2 text-right text-ink-2">never leave</td>
            <td className="w-px py-2 pr-3.5 text-right whitespace-nowrap">
              <Link to="/inbox" className="figures text-ink no-underline hover:underline">
                {numberWords(caught)} caught
              </Link>
            </td>
          </tr>
        )}
      </tbody>
    </table>
  </Panel>
);
