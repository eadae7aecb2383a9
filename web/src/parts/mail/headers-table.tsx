import { visible } from '../visible';
import type { MailHeader } from './mail-head';

/** Each header as people read it and, where that differs, as it came. */
export function HeadersTable({ headers }: { readonly headers: readonly MailHeader[] }) {
  if (headers.length === 0)
    return <p className="p-4 text-ink-2">No headers can be read. Raw shows what is there.</p>;
  return (
    <table className="w-full border-collapse text-left font-mono text-mono">
      <thead className="sr-only">
        <tr>
          <th scope="col">Header</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {headers.map((header, n) => (
          <Row key={n} header={header} />
        ))}
      </tbody>
    </table>
  );
}

/** That a long line was folded is no difference. */
const unfolded = (text: string): string => text.replaceAll(/\r?\n(?=[ \t])/g, '');

function Row({ header: { name, value, raw } }: { readonly header: MailHeader }) {
  const came = raw.slice(raw.indexOf(':') + 1).trim();
  return (
    <tr className="border-b border-line align-top last:border-0 max-sm:block max-sm:py-1.5">
      <th
        scope="row"
        className="w-52 px-4 py-1.5 font-semibold break-all max-sm:block max-sm:w-auto max-sm:py-0"
      >
        {visible(name)}
      </th>
      <td className="py-1.5 pr-4 break-all max-sm:block max-sm:px-4 max-sm:py-0">
        <bdi>{visible(value)}</bdi>
        {unfolded(came) !== value && (
          <pre className="mt-0.5 whitespace-pre-wrap text-ink-2">
            {visible(came.replaceAll('\r\n', '\n'), { lines: true })}
          </pre>
        )}
      </td>
    </tr>
  );
}
