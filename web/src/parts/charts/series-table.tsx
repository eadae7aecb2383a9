import { numberWords } from '../number-words';

interface Props {
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly head: string;
    readonly cells: readonly number[];
  }[];
}

const CELL = 'px-3.5 py-1 text-left';

/** The figures of a chart, for who reads them better than bars. */
export const SeriesTable = ({ label, heads: [first, ...heads], rows }: Props) => (
  <div className="max-h-72 overflow-y-auto" tabIndex={0} role="group" aria-label={`${label}, as a table`}>
    <table className="w-full text-table">
      <thead>
        <tr className="text-note text-ink-2">
          <th className={`${CELL} font-normal`}>{first}</th>
          {heads.map((head) => (
            <th key={head} className={`${CELL} text-right! font-normal`}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, head, cells }) => (
          <tr key={key} className="border-t border-line">
            <th scope="row" className={`${CELL} font-normal`}>
              {head}
            </th>
            {cells.map((n, place) => (
              <td key={heads[place]} className={`${CELL} figures text-right!`}>
                {numberWords(n)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
