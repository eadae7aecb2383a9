import type { CaughtMail } from '../../api/types';

export const PARTS = ['html', 'text', 'headers', 'raw', 'files', 'calendar'] as const;
export type Part = (typeof PARTS)[number];

/** A frame of more than this is slow, and its text says the same. */
const LARGE_HTML = 1_000_000;

/** What a mail has to show, in the order of its tabs. */
export function partsOf({ html, text, headers, attachments, calendar }: CaughtMail): readonly {
  readonly part: Part;
  readonly label: string;
}[] {
  return [
    ...(html === undefined ? [] : [{ part: 'html' as const, label: 'HTML' }]),
    ...(text === undefined ? [] : [{ part: 'text' as const, label: 'Text' }]),
    { part: 'headers', label: `Headers ${String(headers.length)}` },
    { part: 'raw', label: 'Raw' },
    ...(attachments.length === 0
      ? []
      : [{ part: 'files' as const, label: `Attachments ${String(attachments.length)}` }]),
    ...(calendar === undefined ? [] : [{ part: 'calendar' as const, label: 'Calendar' }]),
  ];
}

/** The one that was asked for if the mail has it, else what its recipient would see first. */
export function partToShow(mail: CaughtMail, asked: string | undefined): Part {
  const there = partsOf(mail).map(({ part }) => part);
  const wanted = there.find((part) => part === asked);
  if (wanted) return wanted;
  if (mail.html !== undefined && (mail.html.length <= LARGE_HTML || mail.text === undefined)) return 'html';
  return mail.text === undefined ? 'raw' : 'text';
}
