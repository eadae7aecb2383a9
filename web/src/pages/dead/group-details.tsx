import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DeadGroup } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { fullWords } from '../../time/words';
import { useZone } from '../../time/zone';

/** What was said last, about whom, and what a retry would set going. */
export function GroupDetails({ group }: { readonly group: DeadGroup }) {
  const zone = useZone();
  const said = group.lastReply.startsWith(group.code) ? group.lastReply : `${group.code} ${group.lastReply}`;
  return (
    <div className="grid grid-cols-3 gap-x-6 gap-y-4 py-1 text-table max-lg:grid-cols-1">
      <Part title={`Last reply, ${fullWords(Date.parse(group.lastAt), zone)}`}>
        <pre className="max-h-40 overflow-y-auto rounded-control border border-line bg-surface px-2.5 py-1.5 break-words whitespace-pre-wrap">
          {visible(said.trim(), { lines: true })}
        </pre>
        <p className="mt-1.5 text-ink-2">Grouped by transport, class, code and text without addresses.</p>
      </Part>
      <Part title="Newest letters">
        <ul>
          {group.newest.map((letter) => (
            <li key={letter.id} className="flex min-h-6 items-center coarse:min-h-11">
              <Link
                to="/queue/$messageId"
                params={{ messageId: letter.id }}
                search={{ state: 'dead', fingerprint: group.fingerprint }}
                className="min-w-0 truncate text-ink no-underline hover:underline"
              >
                <Untrusted text={letter.to.email} />,{' '}
                <Untrusted text={letter.subject || 'without a subject'} />
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to="/queue"
          search={{ state: 'dead', fingerprint: group.fingerprint }}
          className="inline-flex min-h-6 items-center no-underline hover:underline coarse:min-h-11"
        >
          {group.count === 1 ? 'Show it in the queue' : `Show all ${numberWords(group.count)} in the queue`}
        </Link>
      </Part>
      <Part title="What happens on retry">
        <p className="max-w-prose">
          <bdi>{visible(group.onRetry)}</bdi>
        </p>
        {group.successesSince > 0 && (
          <p className="mt-1.5 text-ink-2">
            Counted by account: {counted(group.successesSince, 'mail')} left the same way since the last of
            these died, in the last 24 hours.
          </p>
        )}
      </Part>
    </div>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="figures mb-1.5 text-note font-semibold text-ink-2">{title}</h3>
    {children}
  </section>
);
