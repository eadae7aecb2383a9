import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ofMessages } from '../../api/queries';
import type { Contact, Message } from '../../api/types';
import { Failure } from '../../parts/failure';
import { StateChip } from '../../parts/glyphs';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { Time } from '../../time/time';

const SHOWN = 20;
const LANES: Record<Message['lane'], string> = {
  ...{ outbox: 'single mail', campaign: 'campaign', notification: 'notification' },
};

/** What went to this person in every lane, by mail and on LinkedIn: the newest. */
export function MailHistory({ contact: { email, linkedinId } }: { readonly contact: Contact }) {
  const mails = useQuery({ ...ofMessages({ to: email ?? '' }, SHOWN), enabled: email !== null });
  const notes = useQuery({ ...ofMessages({ to: linkedinId ?? '' }, SHOWN), enabled: linkedinId !== null });
  const error = mails.error ?? notes.error;
  const found = [mails, notes].flatMap(({ data, isEnabled }) => (isEnabled ? (data?.items ?? []) : []));
  const items = found.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, SHOWN);
  const more =
    found.length > items.length || mails.data?.nextCursor != null || notes.data?.nextCursor != null;
  const loaded = (email === null || mails.data) && (linkedinId === null || notes.data);
  return (
    <Panel
      title="Mail"
      note="every lane, newest first"
      {...(email !== null && {
        aside: (
          <Link to="/queue" search={{ to: email }} className="text-table">
            {more ? 'All of it in the queue' : 'In the queue'}
          </Link>
        ),
      })}
    >
      {error ? (
        <div className="p-3.5">
          <Failure
            error={error}
            what="the mail"
            onRetry={() => void Promise.all([mails.refetch(), notes.refetch()])}
          />
        </div>
      ) : loaded && items.length === 0 ? (
        <p className="px-3.5 py-3 text-table text-ink-2">Nothing was written yet.</p>
      ) : (
        <ul>
          {items.map((message) => (
            <li
              key={message.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-0.5 border-t border-line px-3.5 py-1.5 text-table first:border-t-0"
            >
              <StateChip state={message.state} />
              <Link
                to="/queue/$messageId"
                params={{ messageId: message.id }}
                search={{}}
                className="min-w-0 flex-1 basis-40 truncate"
              >
                <Untrusted
                  text={message.subject === null || message.subject === '' ? 'No subject' : message.subject}
                />
              </Link>
              <span className="text-note text-ink-2">
                {LANES[message.lane]}
                {message.action !== 'email' && ', LinkedIn'} ·{' '}
                <Time at={message.sentAt ?? message.createdAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
