import type { ReactNode } from 'react';
import type { WorkForce } from '../../api/types';
import { LevelGlyph } from '../../parts/glyphs';
import { numberWords } from '../../parts/number-words';
import { Panel } from '../../parts/panel';
import { Untrusted } from '../../parts/untrusted';
import { secondsOf } from '../../time/words';
import { useZone } from '../../time/zone';

type Broker = NonNullable<WorkForce['broker']>;
type Queue = Broker['queues'][number];

interface Props {
  readonly broker: Broker;
  readonly lastDay: WorkForce['lastDay'];
}

/** What answers, what lies in it, and what came of it within a day. It holds hints: the mail is in the database. */
export function BrokerPanel({ broker, lastDay }: Props) {
  const { queues, prefetch, directAfterSeconds } = broker;
  const send = queues.find(({ name }) => name.endsWith('.send'));
  return (
    <Panel title="Broker" note="may be emptied at any time">
      <dl className="text-table">
        <Line name={<Untrusted text={broker.product ?? 'RabbitMQ'} />}>
          <Contact broker={broker} />
        </Line>
        {queues.map((queue) => (
          <Line key={queue.name} name={<code className="wrap-anywhere">{queue.name}</code>}>
            <Held queue={queue} broker={broker} />
          </Line>
        ))}
        <Line name="Consumers, prefetch">
          {numberWords(send?.consumers ?? 0)}, of {numberWords(prefetch)} each
        </Line>
        <Line name="Claimed past it">
          {directAfterSeconds === 0 ? 'never' : `after ${numberWords(directAfterSeconds)} s`}
        </Line>
        <Line name="Published again">{numberWords(lastDay.again)} in 24 h</Line>
        <Line name="Stale or seen before, dropped">{numberWords(lastDay.dropped)} in 24 h</Line>
        <Line name="Not confirmed, put back">{numberWords(lastDay.returned)} in 24 h</Line>
      </dl>
    </Panel>
  );
}

const Line = ({ name, children }: { readonly name: ReactNode; readonly children: ReactNode }) => (
  <div className="flex min-h-[31px] items-center gap-3 border-t border-line px-3.5 py-1.5 first:border-t-0">
    <dt className="min-w-0 flex-1 text-ink-2">{name}</dt>
    <dd className="figures text-right">{children}</dd>
  </div>
);

function Contact({ broker: { standing, host, upSince, trouble } }: { readonly broker: Broker }) {
  const zone = useZone();
  if (standing === 'up')
    return (
      <span className="inline-flex items-center gap-1.5">
        <LevelGlyph level="fine" size={13} />
        {upSince === null ? 'connected' : `connected since ${secondsOf(Date.parse(upSince), zone)}`}
      </span>
    );
  return (
    <span className="inline-flex flex-col items-end font-semibold text-retry">
      <span className="inline-flex items-center gap-1.5">
        <LevelGlyph level="look" size={13} />
        <Untrusted text={host} /> {standing === 'blocked' ? 'takes nothing' : 'does not answer'}
      </span>
      {trouble && (
        <span className="text-note font-normal wrap-anywhere text-ink-2">
          <Untrusted text={trouble.why} />
        </span>
      )}
    </span>
  );
}

function Held({
  queue: { name, messages, consumers },
  broker,
}: {
  readonly queue: Queue;
  readonly broker: Broker;
}) {
  const zone = useZone();
  const { standing, queuesAt } = broker;
  if (standing === 'down')
    return (
      <>
        {numberWords(messages)}
        <span className="block text-note text-ink-2">
          {queuesAt !== null && `as known at ${secondsOf(Date.parse(queuesAt), zone)}`}
        </span>
      </>
    );
  // What is sent from is taken by our own senders; the others are for somebody else's programs.
  if (name.endsWith('.send') || messages === 0 || consumers > 0) return <>{numberWords(messages)} ready</>;
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold text-retry">
      <LevelGlyph level="look" size={13} />
      {numberWords(messages)}, nobody reads it
    </span>
  );
}
