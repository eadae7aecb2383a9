import { CalendarCheck } from 'lucide-react';
import { visible } from '../visible';
import { Untrusted } from '../untrusted';
import { readCalendar, type CalendarEvent } from './calendar';
import { eventWords } from './calendar-words';
import { MailCard } from './mail-card';

/** What a calendar program would ask the recipient. */
export function CalendarCard({
  content,
  method,
}: {
  readonly content: string;
  readonly method?: string | undefined;
}) {
  const calendar = readCalendar(content);
  const [first] = calendar.events;
  return (
    <MailCard icon={CalendarCheck} title="Calendar part">
      {calendar.events.map((event, n) => (
        <Event key={n} event={event} />
      ))}
      {!first && <p>No event can be read from it. Raw shows what is there.</p>}
      <p className="mt-0.5 font-mono text-mono break-words">
        {visible(`METHOD:${calendar.method ?? method ?? 'none'}`)}
        {first?.sequence != null && ` ${visible(`SEQUENCE:${first.sequence}`)}`}
      </p>
    </MailCard>
  );
}

const Event = ({ event }: { readonly event: CalendarEvent }) => (
  <div className="mb-1.5 break-words">
    <strong className="block">
      <Untrusted text={event.summary ?? 'Without a title'} />
    </strong>
    <span className="figures block">
      {eventWords(event)}
      {event.repeats && ', repeated'}
      {event.cancelled && ', cancelled'}
    </span>
    {event.start?.zone != null && (
      <span className="block text-ink-2">
        <Untrusted text={event.start.zone} />
      </span>
    )}
    {event.location !== null && (
      <span className="block text-ink-2">
        <Untrusted text={event.location} />
      </span>
    )}
  </div>
);
