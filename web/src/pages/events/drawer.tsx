import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { ApiError } from '../../api/client';
import { ofEvent } from '../../api/notifications';
import type { EventDetail, State } from '../../api/types';
import { Button, buttonLook } from '../../parts/button';
import { CopyButton } from '../../parts/copy';
import { DrawerFrame, DrawerHead, DrawerTabs, type DrawerWays } from '../../parts/drawer';
import { Empty } from '../../parts/empty';
import { Failure } from '../../parts/failure';
import { STATE_LABELS, StateGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { Plate } from '../../parts/plate';
import { SkeletonRows } from '../../parts/skeleton';
import { Untrusted } from '../../parts/untrusted';
import { visible } from '../../parts/visible';
import { Time } from '../../time/time';
import { untilWords } from '../../time/until';
import { Door } from '../campaigns/hold-up';
import { EventActions } from './actions';
import { Counts } from './counts';
import { EventHistory } from './history';
import { publisherWords } from './publisher';
import { Mails } from './mails';
import { Payload, PayloadBox } from './payload';
import { Why } from './why';

interface Props {
  readonly id: string;
  readonly tab: string | undefined;
  readonly onTab: (tab: string | undefined) => void;
  readonly ways: DrawerWays;
}

/** One event: who was told, who not, why, and what it said. */
export function Drawer({ id, tab, onTab, ways }: Props) {
  const { data, error, refetch } = useQuery(ofEvent(id));
  const heading = useId();
  return (
    <DrawerFrame id={id} label="Event" labelledBy={data ? heading : undefined}>
      {data ? (
        <Opened key={data.id} event={data} heading={heading} tab={tab} onTab={onTab} ways={ways} />
      ) : error instanceof ApiError && error.status === 404 ? (
        <Empty
          title="There is no such event here."
          actions={<Button onClick={ways.onClose}>Back to the list</Button>}
        >
          Events are forgotten with their mails.
        </Empty>
      ) : error ? (
        <Failure error={error} what="this event" onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={6} />
      )}
    </DrawerFrame>
  );
}

interface OpenedProps extends Omit<Props, 'id'> {
  readonly event: EventDetail;
  readonly heading: string;
}

function Opened({ event, heading, tab, onTab, ways }: OpenedProps) {
  const { plate, counts } = event;
  const mails = Object.values(counts).reduce((sum, n) => sum + n, 0) - leftOut(event);
  return (
    <>
      <DrawerHead
        {...ways}
        id={event.id}
        headingId={heading}
        chip={<Chip event={event} />}
        aside={
          <>
            <span className="truncate">
              <Untrusted text={event.type} /> · <code className="text-[12px]">{event.id}</code>
            </span>
            <CopyButton text={event.id} name="the id" />
          </>
        }
        title={<Untrusted text={event.title} />}
      >
        <p className="text-table wrap-anywhere text-ink-2">
          topic <Untrusted text={event.topic} /> · template <Untrusted text={event.template.id} />
          {event.template.version !== null && (
            <>
              {' '}
              <Untrusted text={event.template.version} />
            </>
          )}{' '}
          ·{event.publishedBy !== null && <> from {publisherWords(event.publishedBy)},</>}{' '}
          <Time at={event.eventAt} label="Happened" />
        </p>
      </DrawerHead>
      <div className="my-3">
        <EventActions event={event} />
      </div>
      <Plate
        small
        level={plate.level}
        sentence={visible(plate.sentence)}
        evidence={plate.evidence === undefined ? undefined : visible(plate.evidence)}
        {...(plate.action && {
          action: (
            <Door to={plate.action.to} className={buttonLook()}>
              {plate.action.verb}
            </Door>
          ),
        })}
      />
      <Counts event={event} />
      <DrawerTabs
        label="About this event"
        shown={tab}
        onShow={onTab}
        tabs={[
          {
            ...{ value: 'why', label: 'Why' },
            content: (
              <>
                <Why event={event} />
                <PayloadBox event={event} />
                <Life event={event} />
              </>
            ),
          },
          {
            ...{ value: 'mails', label: `Mails ${numberWords(mails)}` },
            content: <Mails eventId={event.id} count={mails} />,
          },
          { value: 'payload', label: 'Payload', content: <Payload event={event} /> },
          { value: 'history', label: 'History', content: <EventHistory event={event} /> },
        ]}
      />
    </>
  );
}

const PREFERENCES = ['notify_on', 'max_notifications', 'snoozed', 'window'];

/** Whom their own preferences left out: of those there is no mail. */
const leftOut = ({ reasons }: EventDetail): number =>
  reasons
    .filter(({ state, reason }) => state === 'skipped' && PREFERENCES.includes(reason))
    .reduce((sum, { count }) => sum + count, 0);

/** What is another word of an event than of a mail. */
const WORDS: Partial<Record<State, string>> = { sent: 'Told', scheduled: 'Waiting' };

function Chip({ event: { progress, cancelledAt, summary } }: { readonly event: EventDetail }) {
  const telling = !progress.done && cancelledAt === null;
  const state = telling ? 'sending' : summary.state;
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold whitespace-nowrap">
      <StateGlyph state={state} />
      {telling ? 'Fanning out' : (WORDS[state] ?? STATE_LABELS[state])}
    </span>
  );
}

const Life = ({ event: { dedupeKey, expiresAt } }: { readonly event: EventDetail }) => (
  <p className="mt-2 text-note wrap-anywhere text-ink-2">
    {dedupeKey !== null && (
      <>
        The same key, <code className="text-[12px]">{visible(dedupeKey)}</code>, within 3 minutes is taken
        once: nobody was told twice.{' '}
      </>
    )}
    {expiresAt === null ? (
      'Its mails never expire.'
    ) : (
      <>
        Its mails live until <Time at={expiresAt} label="Expires" words={untilWords} />, then they expire.
      </>
    )}
  </p>
);
