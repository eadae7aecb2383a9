import { OFFLINE_AFTER_MS, useConnection } from '../api/connection';
import { useOwnNow } from '../time/clock';
import { secondsOf } from '../time/words';
import { useZone } from '../time/zone';

/** Dot, ring or square: live, reconnecting, offline. */
export function LiveIndicator() {
  const now = useOwnNow();
  const connection = useConnection();
  const zone = useZone();
  if (connection.kind === 'live') {
    return (
      <Shown word="Live">
        <span className="block size-2 rounded-full bg-sent" />
      </Shown>
    );
  }
  const ring = <span className="block size-2 rounded-full border-2 border-retry" />;
  if (connection.kind === 'connecting') return <Shown word="Connecting">{ring}</Shown>;
  if (isLongAgo(connection.since, now)) {
    return (
      <Shown word={`Offline since ${secondsOf(connection.since, zone)}`}>
        <span className="block size-2 bg-dead" />
      </Shown>
    );
  }
  const wait = Math.max(0, Math.ceil((connection.retryAt - now) / 1_000));
  return <Shown word={wait > 0 ? `Reconnecting, ${wait} s` : 'Reconnecting'}>{ring}</Shown>;
}

const Shown = ({ word, children }: { readonly word: string; readonly children: React.ReactNode }) => (
  <span data-live={word} className="figures flex items-center gap-1.5 text-note whitespace-nowrap">
    <span aria-hidden>{children}</span>
    {word}
  </span>
);

const isLongAgo = (since: number, now: number): boolean => now - since > OFFLINE_AFTER_MS;

/** The server has not answered for a while: what is shown is what was, and nothing can be done from here. */
export function useOffline(): number | undefined {
  const now = useOwnNow();
  const connection = useConnection();
  return connection.kind === 'down' && isLongAgo(connection.since, now) ? connection.since : undefined;
}
