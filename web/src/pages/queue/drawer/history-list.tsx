import { useQuery } from '@tanstack/react-query';
import { ofEntriesAbout } from '../../../api/queries';
import type { MessageDetail } from '../../../api/types';
import { visible } from '../../../parts/visible';
import { useMay } from '../../../session';
import { Time } from '../../../time/time';
import { useZone } from '../../../time/zone';
import { historyOf } from './history';

export function History({ message }: { readonly message: MessageDetail }) {
  const admin = useMay('admin');
  const zone = useZone();
  const { data } = useQuery({ ...ofEntriesAbout(message.id), enabled: admin });
  return (
    <>
      <ol>
        {historyOf(message, data?.items ?? [], zone).map((event, n) => (
          <li
            key={n}
            className="grid grid-cols-[104px_minmax(0,1fr)] gap-3 border-b border-line py-2 last:border-0"
          >
            <span className="text-note text-ink-2">
              <Time at={event.at} />
            </span>
            <span className="min-w-0 break-words">
              <strong className="font-semibold">{visible(event.what)}</strong>
              {event.detail !== undefined && event.detail !== '' && (
                <span className="block text-note text-ink-2">{visible(event.detail)}</span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {!admin && (
        <p className="mt-2 text-note text-ink-2">What people did is in the audit log, which admins read.</p>
      )}
    </>
  );
}
