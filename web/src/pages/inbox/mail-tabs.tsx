import { useQuery } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import type { CaughtMail } from '../../api/types';
import { Failure } from '../../parts/failure';
import { Attachments } from '../../parts/mail/attachments';
import { HeadersTable } from '../../parts/mail/headers-table';
import { PreviewFrame, type PreviewWidth } from '../../parts/mail/preview-frame';
import { ofRaw } from '../../parts/mail/raw-text';
import { RawView } from '../../parts/mail/raw-view';
import { WidthSwitch } from '../../parts/mail/width-switch';
import { SkeletonRows } from '../../parts/skeleton';
import { visible } from '../../parts/visible';
import { filesOf, MailCards } from './mail-cards';
import { partsOf, partToShow, type Part } from './parts-of';

interface Props {
  readonly mail: CaughtMail;
  readonly asked: string | undefined;
  readonly onPart: (part: Part) => void;
}

/** The mail from every side; its own look first. */
export function MailTabs({ mail, asked, onPart }: Props) {
  const [width, setWidth] = useState<PreviewWidth>('desktop');
  const part = partToShow(mail, asked);
  return (
    <Tabs.Root
      value={part}
      onValueChange={(next) => onPart(next as Part)}
      className="flex min-h-0 flex-1 flex-col"
    >
      <div className="flex flex-wrap items-center gap-x-4 border-b border-line bg-surface px-5 max-sm:px-3.5">
        <Tabs.List aria-label="Parts of the mail" className="-mb-px flex flex-1 flex-wrap gap-x-1">
          {partsOf(mail).map(({ part: each, label }) => (
            <Tabs.Trigger
              key={each}
              value={each}
              className="min-h-9 border-b-2 border-transparent px-2 text-table text-ink-2 hover:text-ink data-[state=active]:border-ink data-[state=active]:font-bold data-[state=active]:text-ink coarse:min-h-11"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {part === 'html' && (
          <div className="py-1 max-sm:hidden">
            <WidthSwitch value={width} onChange={setWidth} />
          </div>
        )}
      </div>
      <div className="flex flex-1 gap-4 p-5 max-xl:flex-col max-sm:p-3.5">
        <Tabs.Content value={part} className="flex min-w-0 flex-1 flex-col">
          <Shown mail={mail} part={part} width={width} />
        </Tabs.Content>
        <MailCards mail={mail} withoutFiles={part === 'files'} />
      </div>
    </Tabs.Root>
  );
}

function Shown({
  mail,
  part,
  width,
}: {
  readonly mail: CaughtMail;
  readonly part: Part;
  readonly width: PreviewWidth;
}) {
  const raw = `/api/inbox/${encodeURIComponent(mail.id)}/raw`;
  switch (part) {
    case 'html':
      return (
        <PreviewFrame
          path={`/api/inbox/${encodeURIComponent(mail.id)}/preview`}
          subject={visible(mail.subject)}
          remoteImages={mail.remoteImages}
          width={width}
          className="min-h-[60dvh] flex-1"
        />
      );
    case 'text':
      return (
        <Sheet>
          <pre className="px-4 py-3.5 font-sans text-body break-words whitespace-pre-wrap" dir="auto">
            {visible((mail.text ?? '').replaceAll('\r\n', '\n'), { lines: true })}
          </pre>
        </Sheet>
      );
    case 'headers':
      return (
        <Sheet>
          <HeadersTable headers={mail.headers} />
        </Sheet>
      );
    case 'raw':
      return (
        <Sheet>
          <Raw path={raw} />
        </Sheet>
      );
    case 'files':
      return <Attachments files={filesOf(mail)} />;
    case 'calendar':
      return (
        <Sheet>
          <RawView text={mail.calendar?.content ?? ''} label="The calendar part" />
        </Sheet>
      );
  }
}

const Sheet = ({ children }: { readonly children: ReactNode }) => (
  <div className="overflow-hidden rounded-panel border border-line bg-surface">{children}</div>
);

function Raw({ path }: { readonly path: string }) {
  const { data, error, refetch } = useQuery(ofRaw(path));
  if (data)
    return <RawView text={data.text} folded={data.folded} label="The mail as it came" download={path} />;
  return error ? <Failure error={error} what="the mail" onRetry={() => void refetch()} /> : <SkeletonRows />;
}
