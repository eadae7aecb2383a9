import { listenToStream, type StreamEvent } from './stream';
import { setConnection, type Connection } from './connection';

type Told = { readonly connection: Connection } | { readonly heard: StreamEvent };

/**
 * One stream for all tabs of a workspace: whoever holds the lock listens and tells the others. When that tab closes,
 * the browser gives the lock to the next.
 */
export function shareStream(workspaceId: string, hear: (event: StreamEvent) => void): () => void {
  const name = `pillarbox-stream-${workspaceId}`;
  const channel = new BroadcastChannel(name);
  const closing = new AbortController();
  /** What a tab must hear that comes later: how the line is, and how things stand. */
  const latest: { connection?: Told; counts?: Told } = {};
  const tell = (told: Told) => {
    channel.postMessage(told);
    take(told);
  };
  const take = (told: Told) => {
    if ('heard' in told) hear(told.heard);
    else setConnection(told.connection);
  };
  channel.onmessage = ({ data }: MessageEvent<Told | 'how is it?'>) => {
    if (data !== 'how is it?') take(data);
    else for (const told of Object.values(latest)) channel.postMessage(told);
  };
  channel.postMessage('how is it?');
  const connectionIs = (connection: Connection) => {
    latest.connection = { connection };
    tell(latest.connection);
  };
  let downSince: number | undefined;
  const lead = () =>
    listenToStream(closing.signal, {
      onOpen: () => {
        downSince = undefined;
        connectionIs({ kind: 'live' });
      },
      onEvent: (heard) => {
        if (heard.event !== 'message') latest.counts = { heard };
        tell({ heard });
      },
      onDown: (retryInMs) => {
        downSince ??= Date.now();
        connectionIs({ kind: 'down', since: downSince, retryAt: Date.now() + retryInMs });
      },
    });
  void navigator.locks.request(name, { signal: closing.signal }, lead).catch(() => undefined);
  return () => {
    closing.abort();
    channel.close();
  };
}
