import { ShieldCheck } from 'lucide-react';
import type { CaughtMail } from '../../api/types';
import { StateGlyph } from '../../parts/glyphs';
import { Attachments, type MailFile } from '../../parts/mail/attachments';
import { CalendarCard } from '../../parts/mail/calendar-card';
import { MailCard } from '../../parts/mail/mail-card';
import { checksOf } from './checks';

export const filesOf = ({ attachments }: CaughtMail): readonly MailFile[] =>
  attachments.map(({ filename, contentType, size, contentBase64 }) => ({
    ...{ filename, contentType, bytes: size, contentBase64 },
  }));

interface Props {
  readonly mail: CaughtMail;
  /** The files are what is looked at. */
  readonly withoutFiles: boolean;
}

/** What a look at the mail itself does not show. */
export const MailCards = ({ mail, withoutFiles }: Props) => (
  <div className="flex w-[286px] shrink-0 flex-col gap-3 max-xl:w-full">
    {mail.calendar && <CalendarCard content={mail.calendar.content} method={mail.calendar.method} />}
    {!withoutFiles && mail.attachments.length > 0 && <Attachments files={filesOf(mail)} />}
    <MailCard icon={ShieldCheck} title="Checks">
      <ul className="space-y-1">
        {checksOf(mail).map(({ passed, words }) => (
          <li key={words} className="flex items-center gap-1.5">
            <StateGlyph state={passed ? 'sent' : 'retry_scheduled'} size={12} />
            <span className="sr-only">{passed ? 'Good: ' : 'Look at this: '}</span>
            {words}
          </li>
        ))}
      </ul>
    </MailCard>
  </div>
);
