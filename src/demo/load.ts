import type { Logger } from '../log/log.js';
import { createPillarbox, type Pillarbox } from '../library/pillarbox.js';
import { openStore } from '../store/open.js';
import { CONFINED } from './confinement.js';
import { countMessages, type MessageCounts } from './count-messages.js';
import { follow } from './demo-accounts.js';
import { claimEmpty, writeMark, type DemoMark } from './mark.js';
import { Provider } from './provider.js';
import { setStage } from './stage.js';
import { tellPast } from './tell.js';

export interface LoadOptions {
  readonly databaseUrl: string;
  readonly databaseDirectUrl?: string | undefined;
  readonly clock?: string | undefined;
  readonly leaseSeconds: number;
  /** Nobody else works on this database. */
  readonly alone: boolean;
  /** The provider that the accounts belong to afterwards; without it, whoever serves the database brings one. */
  readonly handOverTo?: string | undefined;
  /** How long it may take, about; what is not told by then is left out. Default 8 s; tests have less. */
  readonly patienceMs?: number | undefined;
  readonly log: Logger;
}

const MINUTE_MS = 60_000;
const PATIENCE_MS = 8_000;
/** A little before the first thing that happens. */
const STAGE_SET_AGO_MS = 8_700 * MINUTE_MS;
/** Nobody waits at a page here: a try is waited for. */
const INLINE_SECONDS = 10;

/**
 * Fills an empty database with the week of a small guest house. Throws `conflict` if it is not empty. Uses
 * connections and a provider of its own, because their clocks are set.
 */
export async function loadDemo(options: LoadOptions): Promise<MessageCounts> {
  const { databaseUrl, databaseDirectUrl, clock, leaseSeconds, log } = options;
  const store = await openStore({
    databaseUrl,
    databaseDirectUrl,
    clock,
    leaseMs: leaseSeconds * 1_000,
    log,
  });
  const provider = new Provider(store, log);
  try {
    const providerUrl = await provider.open();
    const box = await createPillarbox({
      ...{ databaseUrl, databaseDirectUrl, clock, leaseSeconds, log },
      smtpUrl: providerUrl,
      inlineSeconds: INLINE_SECONDS,
      // Whatever else is allowed here, this box reaches only the providers of the demo.
      allowPrivateHosts: true,
      confined: () => ({ why: CONFINED, ownServer: providerUrl }),
    });
    try {
      return await load(box, provider, options, async (instant) => {
        for (const each of [box.store, store]) await each.setClock(instant);
      });
    } finally {
      await box.stop();
    }
  } finally {
    await provider.close();
    await store.close();
  }
}

async function load(
  box: Pillarbox,
  provider: Provider,
  { alone, handOverTo, patienceMs = PATIENCE_MS }: LoadOptions,
  setClock: (instant: number) => Promise<void>,
): Promise<MessageCounts> {
  const { store, home } = box;
  const providerUrl = await provider.open();
  const bornAt = await box.now();
  const claimed: DemoMark = { bornAt, providerUrl, accounts: null };
  await store.transaction(() => claimEmpty(store, home.id, claimed));
  await setClock(bornAt - STAGE_SET_AGO_MS);
  const accounts = await setStage(box, providerUrl);
  await tellPast({ box, provider, setClock, bornAt, accounts, alone, patienceMs });
  const mark = { ...claimed, accounts };
  if (handOverTo !== undefined) await follow(home, mark, handOverTo);
  const last = { ...mark, providerUrl: handOverTo ?? providerUrl };
  await store.transaction(() => writeMark(store, home.id, last));
  return countMessages(box);
}
