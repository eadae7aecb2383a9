import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowLeft, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/client';
import { ofCaught, ofMessages } from '../../api/queries';
import type { CaughtMail } from '../../api/types';
import { buttonLook } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { sizeWords } from '../../parts/mail/size-words';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { useMe } from '../../session';
import { Time } from '../../time/time';
import { MailTabs } from './mail-tabs';

interface Props {
  readonly id: string;
  readonly part: string | undefined;
  readonly cursor: string | undefined;
}

/** One mail, as its recipient would have got it. */
export function CaughtMailView({ id, part, cursor }: Props) {
  const navigate = useNavigate();
  const { data: mail, error, refetch } = useQuery(ofCaught(id));
  const within = cursor === undefined ? {} : { cursor };
  const isGone = error instanceof ApiError && error.status === 404;
  return (
    <article className="flex min-h-0 flex-1 flex-col" aria-label="The mail">
      <Link
        to="/inbox"
        search={within}
        className="flex min-h-11 items-center gap-2 border-b border-line bg-surface px-3.5 no-underline lg:hidden"
      >
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden />
        All mails
      </Link>
      {mail ? (
        <>
          <Head mail={mail} />
          <MailTabs
            key={id}
            mail={mail}
            asked={part}
            onPart={(next) =>
              void navigate({
                to: '/inbox/$caughtId',
                params: { caughtId: id },
                search: { ...within, part: next },
                replace: true,
              })
            }
          />
        </>
      ) : isGone ? (
        <Empty title="This mail is gone.">The inbox was emptied, or newer mails took its place.</Empty>
      ) : error ? (
        <div className="p-5">
          <Failure error={error} what="the mail" onRetry={() => void refetch()} />
        </div>
      ) : (
        <SkeletonRows />
      )}
    </article>
  );
}

function Head({ mail }: { readonly mail: CaughtMail }) {
  const { workspaceId } = useMe();
  const valueOf = (name: string) => mail.headers.find((header) => header.name.toLowerCase() === name)?.value;
  const messageId = valueOf('message-id');
  return (
    <header className="bg-surface px-5 pt-3 pb-2 max-sm:px-3.5">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <h2 className="min-w-0 flex-1 basis-64 text-[18px]/[24px] font-[680] break-words">
          <bdi>{visible(mail.subject) || 'Without a subject'}</bdi>
        </h2>
        <div className="flex flex-wrap items-center gap-1">
          {messageId !== undefined && <OwnMessage messageId={messageId} />}
          <a
            href={`/api/inbox/${encodeURIComponent(mail.id)}/raw?workspace=${encodeURIComponent(workspaceId)}`}
            download
            aria-label="Download the mail as .eml"
            className={buttonLook('quiet')}
          >
            <Download size={16} strokeWidth={1.75} aria-hidden />
            .eml
          </a>
        </div>
      </div>
      <dl className="mt-1.5 grid grid-cols-[auto_1fr] gap-x-8 gap-y-0.5 text-table max-sm:gap-x-4">
        <Fact name="From">{visible(valueOf('from') ?? mail.sender)}</Fact>
        <Fact name="To">{visible(valueOf('to') ?? mail.recipients.join(', '))}</Fact>
        <dt className="text-ink-2">Caught</dt>
        <dd className="min-w-0 break-words">
          <Time at={mail.receivedAt} label="Caught" /> ·{' '}
          <span className="figures">{sizeWords(mail.size)}</span>
          {messageId !== undefined && (
            <>
              {' · '}
              <bdi className="font-mono text-mono break-all text-ink-2">{visible(messageId)}</bdi>
            </>
          )}
        </dd>
      </dl>
    </header>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt className="text-ink-2">{name}</dt>
    <dd className="min-w-0 break-words">
      <bdi>{children}</bdi>
    </dd>
  </>
);

/** Only for a mail that this service sent: other programs may use the catcher, too. */
function OwnMessage({ messageId }: { readonly messageId: string }) {
  const { data } = useQuery(ofMessages({ q: messageId }, 1));
  const [message] = data?.items ?? [];
  if (!message || bare(message.messageId) !== bare(messageId)) return null;
  return (
    <Link to="/queue/$messageId" params={{ messageId: message.id }} search={{}} className={buttonLook()}>
      Open its message
    </Link>
  );
}

const bare = (messageId: string): string => messageId.trim().replace(/^<(.*)>$/, '$1');
