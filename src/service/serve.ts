import { prepareAccess, refuseWithoutAccess, type MadeAccess } from '../access/first-run.js';
import { Gatekeeper } from '../access/gatekeeper.js';
import { findSecrets } from '../access/secret.js';
import { startCatcher } from '../catcher/catcher.js';
import { Inbox } from '../catcher/inbox.js';
import { brokerOptionsOf, isLoopback, USUAL_PORT, type Config } from './config.js';
import { Demo } from '../demo/demo.js';
import { Provider } from '../demo/provider.js';
import { listen } from '../http/listen.js';
import { buildServer } from '../http/server.js';
import type { Logger } from '../log/log.js';
import { Metrics } from '../overview/metrics.js';
import { createPillarbox } from '../library/pillarbox.js';
import { openStore } from '../store/open.js';
import type { Store } from '../store/store.js';

export interface ServeOptions {
  readonly config: Config;
  /** Whether this process sends what is due; it sends its own callers' mail in any case. */
  readonly worker: boolean;
  readonly log: Logger;
  /** How long loading the demo may take, about. */
  readonly demoPatienceMs?: number | undefined;
  /** Told as soon as it is made, before anything can go wrong: nobody can read it a second time. */
  readonly onMade: (made: MadeAccess) => void;
}

/** A service that runs. */
export interface Serving {
  readonly url: string;
  /** Where the built-in catcher takes mail, if nothing else was set. */
  readonly catcherUrl: string | undefined;
  /** What is sent are the mails of the demo. */
  readonly demo: boolean;
  /** Whether the leases of what it has in hand are renewed, as far as it has any. */
  renews(): boolean;
  stop(): Promise<void>;
}

/** Puts everything together: database, catcher if needed, first admin and key, HTTP, worker. */
export async function startService(options: ServeOptions): Promise<Serving> {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    return { ...(await start(options, undo)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { config, worker, log, demoPatienceMs: patienceMs, onMade }: ServeOptions,
  undo: (() => Promise<unknown>)[],
): Promise<Omit<Serving, 'stop'>> {
  const { databaseUrl, databaseDirectUrl, clock, host, mailFrom: from, allowPrivateHosts } = config;
  const { leaseSeconds, concurrency, graceSeconds, inlineSeconds } = config;
  const secret = findSecrets(config, log);
  const catching = config.smtpUrl === undefined ? await startCatching(config, log, undo) : undefined;
  const smtpUrl = config.smtpUrl ?? catching?.url;
  const provider = catching && new Provider(catching.store, log);
  // After the box: it must still take what the engine is handing over.
  if (provider) undo.push(() => provider.close());

  const metrics = new Metrics();
  let demo: Demo | undefined = undefined;
  let publicUrl = config.publicUrl ?? '';
  const box = await createPillarbox({
    ...{ databaseUrl, databaseDirectUrl, clock, from, smtpUrl, secret, allowPrivateHosts },
    ...{ leaseSeconds, concurrency, graceSeconds, inlineSeconds },
    ...brokerOptionsOf(config),
    ...{ log, observer: metrics },
    publicUrl: () => publicUrl,
    confined: () => demo?.confinement,
  });
  undo.push(() => box.stop());

  if (!isLoopback(host)) await refuseWithoutAccess(box.store, box.home.id, config, host);
  onMade(await prepareAccess(box.store, box.home.id, config));
  demo = new Demo({ box, provider, databaseUrl, databaseDirectUrl, clock, leaseSeconds, patienceMs, log });
  undo.push(() => demo.stop());

  let starting = true;
  const service = {
    box,
    starting: () => starting,
    gatekeeper: new Gatekeeper(box.store, box.home.id),
    publicUrl,
    trustedProxies: config.trustedProxies,
    cronSecret: config.cronSecret,
    log,
    metrics,
    inbox: catching?.inbox,
    demo,
  };
  const { url, close } = await listen(await buildServer(service), host, config.port ?? USUAL_PORT);
  undo.push(close);
  // Only now is the port known for sure; no request has been answered yet.
  publicUrl ||= url;
  service.publicUrl = publicUrl;
  // Before the worker: what is told of the past must be sent at its time, not at once.
  await demo.begin(config.demo);
  if (worker) await box.start();
  else box.broker?.watch();
  starting = false;
  const renews = () => box.condition?.renewal !== false;
  return { url, catcherUrl: catching?.url, demo: demo.inUse, renews };
}

/** On a connection of its own: it must still take what the engine is handing over when that one closes. */
async function startCatching(
  { databaseUrl, databaseDirectUrl, clock, leaseSeconds }: Config,
  log: Logger,
  undo: (() => Promise<unknown>)[],
): Promise<{ readonly url: string; readonly inbox: Inbox; readonly store: Store }> {
  const store = await openStore({
    databaseUrl,
    databaseDirectUrl,
    clock,
    leaseMs: leaseSeconds * 1_000,
    log,
  });
  undo.push(() => store.close());
  const catcher = await startCatcher({ store, port: 0, log });
  undo.push(() => catcher.close());
  return { url: catcher.url, inbox: new Inbox(store, catcher.url), store };
}
