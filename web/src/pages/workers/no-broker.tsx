import { Panel } from '../../parts/panel';

/** Not a fault: most installations need none. */
export const NoBroker = () => (
  <Panel title="Broker" note="none: workers take mail from the database themselves">
    <div className="max-w-prose px-3.5 py-3 text-table text-ink-2">
      <p>
        That is enough for most. When senders run on many machines, RabbitMQ can carry the work; the database
        stays the truth, and nothing else changes.
      </p>
      <ol className="mt-2 list-decimal space-y-1 pl-5">
        <li>
          Set <code className="wrap-anywhere">AMQP_URL=amqp://user:password@host</code> for every process.
        </li>
        <li>
          Start a relay, better two: <code>pillarbox relay</code>
        </li>
        <li>
          Restart the workers, and see here how it goes. <code>pillarbox doctor</code> checks the queues.
        </li>
      </ol>
    </div>
  </Panel>
);
