import type { Series } from '../../api/types';
import { stepOf, stretchWords } from './axis';
import { numberWords } from '../../parts/number-words';

/** The same figures, to be read and copied; the latest first. */
export function ThroughputTable({ series, zone }: { readonly series: Series; readonly zone: string }) {
  const step = stepOf(series);
  return (
    <div
      role="region"
      aria-label="Throughput as a table"
      tabIndex={0}
      className="absolute inset-0 overflow-y-auto -outline-offset-2"
    >
      <table className="w-full text-table">
        <thead className="sticky top-0 bg-sunken text-note text-ink-2">
          <tr>
            <th scope="col" className="py-1.5 pl-3.5 text-left font-semibold">
              Time
            </th>
            <th scope="col" className="py-1.5 text-right font-semibold">
              Sent
            </th>
            <th scope="col" className="py-1.5 pr-3.5 text-right font-semibold">
              Failed
            </th>
          </tr>
        </thead>
        <tbody>
          {[...series].reverse().map(({ at, sent, failed }) => (
            <tr key={at} className="border-t border-line">
              <th scope="row" className="py-1 pl-3.5 text-left font-normal">
                <time dateTime={at}>{stretchWords(Date.parse(at), step, zone)}</time>
              </th>
              <td className="py-1 text-right">{numberWords(sent)}</td>
              <td className="py-1 pr-3.5 text-right">{numberWords(failed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
