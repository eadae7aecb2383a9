import { useQuery } from '@tanstack/react-query';
import { ShieldCheck } from 'lucide-react';
import { ToggleGroup } from 'radix-ui';
import { useState } from 'react';
import { ofContent } from '../../../api/queries';
import type { Content } from '../../../api/types';
import { Attachments } from '../../../parts/mail/attachments';
import { CalendarCard } from '../../../parts/mail/calendar-card';
import { PreviewFrame } from '../../../parts/mail/preview-frame';
import { visible } from '../../../parts/visible';
import { Gone } from './gone';

const PARTS = ['html', 'text', 'invite'] as const;
type Part = (typeof PARTS)[number];
const LABELS: Record<Part, string> = { html: 'HTML', text: 'Text', invite: 'Invite' };

/** A frame would choke on more; its text comes first then. */
const LARGE_HTML = 1_000_000;

const has = ({ html, text, calendar }: Content): Record<Part, boolean> => ({
  html: html !== null,
  text: text !== null,
  invite: calendar !== null,
});

const firstPart = (content: Content): Part => {
  const { html, text } = content;
  if (html !== null && (html.length <= LARGE_HTML || text === null)) return 'html';
  return text === null && content.calendar !== null ? 'invite' : 'text';
};

/** What the recipient sees, and nothing that it could do. */
export function Preview({ id }: { readonly id: string }) {
  const { data, error } = useQuery(ofContent(id));
  const [chosen, choose] = useState<Part>();
  if (error) return <Gone error={error} />;
  if (!data) return <div className="h-64" />;
  const there = has(data);
  const part = chosen ?? firstPart(data);
  const blocked =
    data.remoteImages > 0
      ? `, ${String(data.remoteImages)} remote ${data.remoteImages === 1 ? 'image' : 'images'} blocked`
      : '';
  return (
    <section aria-label="Safe preview" className="overflow-hidden rounded-panel border border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-2 border-b border-line bg-sunken px-3 py-1 text-note">
        <ShieldCheck size={15} strokeWidth={1.75} aria-hidden className="shrink-0" />
        <span className="mr-auto text-ink-2">Safe preview: scripts off{blocked}</span>
        <ToggleGroup.Root
          type="single"
          value={part}
          aria-label="Part of the mail"
          onValueChange={(value) => {
            if (PARTS.some((each) => each === value)) choose(value as Part);
          }}
          className="flex overflow-hidden rounded-control border border-line-strong bg-surface font-semibold"
        >
          {PARTS.filter((each) => there[each]).map((each) => (
            <ToggleGroup.Item
              key={each}
              value={each}
              className="min-h-6 px-2.5 hover:bg-hover data-[state=on]:bg-primary data-[state=on]:text-on-primary coarse:min-h-11"
            >
              {LABELS[each]}
            </ToggleGroup.Item>
          ))}
        </ToggleGroup.Root>
      </div>
      <Shown content={data} part={part} />
      {data.attachments.length > 0 && (
        <div className="border-t border-line p-3">
          <Attachments files={data.attachments} />
        </div>
      )}
    </section>
  );
}

function Shown({ content, part }: { readonly content: Content; readonly part: Part }) {
  if (part === 'html')
    return (
      <PreviewFrame
        path={`/api/messages/${encodeURIComponent(content.id)}/preview`}
        subject={visible(content.subject)}
        remoteImages={0}
        className="p-px"
      />
    );
  if (part === 'invite' && content.calendar)
    return (
      <div className="p-3">
        <CalendarCard {...content.calendar} />
      </div>
    );
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Text of the mail"
      className="max-h-[480px] overflow-y-auto px-4 py-3"
    >
      <pre className="font-sans text-body break-words whitespace-pre-wrap">
        <bdi>{content.text === null ? 'It has no text.' : visible(content.text, { lines: true })}</bdi>
      </pre>
    </div>
  );
}
