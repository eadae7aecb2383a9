import type { SendingPreview } from '../../../api/types';
import { BeforeAfter } from '../../../parts/charts/before-after';
import { Panel } from '../../../parts/panel';
import { Untrusted } from '../../../parts/untrusted';
import { dateWords } from '../../../time/dates';

/** What waits, by day, as it would leave now and as it would then. */
export function Effect({
  preview,
  changed,
}: {
  readonly preview: SendingPreview;
  readonly changed: boolean;
}) {
  if (preview.days.length === 0)
    return (
      <Panel title="What it would move">
        <p className="px-3.5 py-3 text-ink-2">
          Nothing that keeps these hours waits now, so nothing would move.
        </p>
      </Panel>
    );
  return (
    <BeforeAfter
      narrow
      title={changed ? 'What it would move' : 'What waits'}
      note="mails a day"
      days={preview.days}
      words={['now', 'then']}
    >
      {preview.campaigns.length > 0 && (
        <table className="w-full text-table">
          <tbody>
            {preview.campaigns.map(({ id, name, endsAt, wouldEndAt }) => (
              <tr key={id} className="border-t border-line">
                <th scope="row" className="px-3.5 py-1 text-left font-normal">
                  <Untrusted text={name} />
                </th>
                <td className="px-3.5 py-1 text-right">
                  {dateWords(endsAt.slice(0, 10))}
                  {wouldEndAt === null ? (
                    <strong className="text-retry"> → never</strong>
                  ) : endsAt.slice(0, 10) === wouldEndAt.slice(0, 10) ? (
                    <span className="text-ink-2"> as before</span>
                  ) : (
                    <>
                      {' → '}
                      <strong className={wouldEndAt > endsAt ? 'text-retry' : ''}>
                        {dateWords(wouldEndAt.slice(0, 10))}
                      </strong>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </BeforeAfter>
  );
}
