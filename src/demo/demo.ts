import { PillarboxError } from '../core/errors.js';
import type { Logger } from '../log/log.js';
import type { Pillarbox } from '../library/pillarbox.js';
import type { Confinement } from '../accounts/transports.js';
import { setCampaigns } from './campaigns.js';
import { CONFINED } from './confinement.js';
import type { MessageCounts } from './count-messages.js';
import { follow, rest } from './demo-accounts.js';
import { loadDemo } from './load.js';
import { claimPart, moveTo, readMark, whyNotEmpty, type DemoMark } from './mark.js';
import { dropNotices, setNotices } from './notices.js';
import type { Provider } from './provider.js';
import { Traffic } from './traffic.js';

export interface DemoOptions {
  readonly box: Pillarbox;
  /** Undefined: this service sends real mail, so there can be no demo. */
  readonly provider: Provider | undefined;
  readonly databaseUrl: string;
  readonly databaseDirectUrl?: string | undefined;
  readonly clock: string | undefined;
  readonly leaseSeconds: number;
  readonly patienceMs: number | undefined;
  readonly log: Logger;
}

/** The demo in a service: loaded into an empty database, and going on in one that it has made. */
export class Demo {
  #confinement: Confinement | undefined;
  #traffic: Traffic | undefined;

  constructor(private readonly options: DemoOptions) {}

  /** While it is, the whole installation reaches nothing but this machine. */
  get inUse(): boolean {
    return this.#confinement !== undefined;
  }

  get confinement(): Confinement | undefined {
    return this.#confinement;
  }

  /**
   * At the start of a service, before its worker runs. `wanted`: load into an empty database; false: leave alone
   * what is there; undefined: go on with what is there.
   */
  async begin(wanted: boolean | undefined): Promise<void> {
    const { provider, log } = this.options;
    if (!provider || wanted === false) {
      await this.#leaveAlone();
      return;
    }
    if (wanted === true && (await this.#isEmpty())) {
      // A service that has real work to do must not fail for want of a demo.
      await this.#load(provider, true).catch((error: unknown) => {
        log.error({ err: error }, 'the demo data could not be loaded');
      });
    }
    await this.#goOn(provider);
  }

  /** On somebody's word, while everything runs. Throws `conflict` if the database is not empty. */
  async load(): Promise<MessageCounts> {
    const { provider } = this.options;
    if (!provider) {
      throw new PillarboxError(
        'conflict',
        'demo mails never leave this machine, and this service sends by SMTP_URL: start it without',
      );
    }
    const report = await this.#load(provider, false);
    await this.#goOn(provider);
    return report;
  }

  /** Nothing more is posted. The provider stays, for what is being sent. */
  async stop(): Promise<void> {
    await this.#traffic?.stop();
  }

  async #load(provider: Provider, alone: boolean): Promise<MessageCounts> {
    const { databaseUrl, databaseDirectUrl, clock, leaseSeconds, patienceMs, log } = this.options;
    const handOverTo = await provider.open();
    return loadDemo({
      databaseUrl,
      databaseDirectUrl,
      clock,
      leaseSeconds,
      alone,
      handOverTo,
      patienceMs,
      log,
    });
  }

  async #goOn(provider: Provider): Promise<void> {
    const { box, log } = this.options;
    const mark = await this.#mark();
    if (!mark || this.#traffic) return;
    const { bornAt, accounts } = mark;
    const providerUrl = await provider.open();
    this.#confinement = { why: CONFINED, ownServer: providerUrl };
    provider.behaveAsAt((await box.now()) - bornAt);
    if (!accounts) {
      log.warn({}, 'the demo data is not complete; remove the database and start again');
      return;
    }
    await follow(box.home, mark, providerUrl);
    await box.store.transaction(() => moveTo(box.store, box.home.id, providerUrl));
    await this.#add('notices', () => setNotices(box));
    await this.#add('campaigns', () => setCampaigns(box, accounts));
    this.#traffic = new Traffic({ box, provider, bornAt, accounts, log });
    this.#traffic.start();
  }

  /** By whoever serves it: he has the secret that signs the links of their mails. */
  async #add(part: 'campaigns' | 'notices', make: () => Promise<void>): Promise<void> {
    const { box, log } = this.options;
    const { store, home } = box;
    try {
      if (await store.transaction(() => claimPart(store, home.id, part))) await make();
    } catch (error) {
      log.warn({ err: error, part }, 'a part of the demo could not be made');
    }
  }

  async #leaveAlone(): Promise<void> {
    const mark = await this.#mark();
    if (!mark) return;
    await rest(this.options.box.home, mark);
    await dropNotices(this.options.box);
  }

  async #isEmpty(): Promise<boolean> {
    const { store, home } = this.options.box;
    return (await store.read(whyNotEmpty(store, home.id))) === undefined;
  }

  #mark(): Promise<DemoMark | undefined> {
    const { store, home } = this.options.box;
    return store.read(readMark(store, home.id));
  }
}
