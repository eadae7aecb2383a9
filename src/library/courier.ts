import { SecretBox } from '../access/secret-box.js';
import { Transports } from '../accounts/transports.js';
import { campaignContents } from '../campaigns/content.js';
import { Planning } from '../campaigns/planning.js';
import type { RetryPolicy } from '../core/retry.js';
import { Dispatch } from '../engine/dispatch.js';
import { Links } from '../links/links.js';
import { FanOut } from '../notifications/fan-out.js';
import { mailroom } from '../notifications/mailroom.js';
import { InlineSender } from '../outbox/inline.js';
import type { Courier } from '../outbox/outbox.js';
import { PersonHash } from '../privacy/person-hash.js';
import { Simulator } from '../simulate/simulator.js';
import type { Account } from '../store/scripts/accounts.js';
import type { Store } from '../store/store.js';
import { TemplateLibrary } from '../templates/library.js';
import { RenderPool } from '../templates/render-pool.js';
import type { Transport } from '../transport/transport.js';
import { CONCURRENCY, LEASE_SECONDS, type Options } from './options.js';
import type { WorkspaceOptions } from './workspace.js';

const PUBLIC_URL = 'http://127.0.0.1:8025';

/** What of a process that sends can fail by itself. */
export interface Condition {
  /** Whether the leases of what is in hand are renewed. Nothing is claimed while they are not. */
  readonly renewal: boolean;
  /** How many results the database refuses; they are kept and tried again. */
  readonly unstored: number;
}

/** How this process sends; made when it is first needed, because those who only enqueue need none of it. */
export class ProcessCourier implements Courier {
  readonly secrets: SecretBox;
  readonly hash: PersonHash;
  readonly links: Links;
  readonly pool = new RenderPool();
  /** What notifications say, of all workspaces. */
  readonly library: TemplateLibrary;
  readonly planning: Planning;
  readonly simulator: Simulator;
  readonly fanOut: FanOut;
  readonly workspaceOptions: WorkspaceOptions;
  readonly #transports: Transports;
  #dispatch: Dispatch | undefined;
  #inline: InlineSender | undefined;

  constructor(
    private readonly store: Store,
    private readonly options: Options,
  ) {
    const { secret = [], retentionDays, publicUrl = PUBLIC_URL } = options;
    const secrets = typeof secret === 'string' ? [secret] : secret;
    this.secrets = new SecretBox(secrets, store.installation);
    this.links = new Links(secrets, store.installation, publicUrl);
    this.#transports = new Transports(options, this.secrets);
    const { log } = options;
    this.hash = new PersonHash(store, this.secrets);
    this.planning = new Planning(store, log, this.links, (options.leaseSeconds ?? LEASE_SECONDS) * 1_000);
    const { databaseUrl, databaseDirectUrl, schema } = options;
    this.simulator = new Simulator({ databaseUrl, databaseDirectUrl, schema });
    this.library = new TemplateLibrary(store, this.pool);
    this.fanOut = new FanOut(store, log);
    this.workspaceOptions = {
      courier: this,
      transports: this.#transports,
      retentionDays,
      hash: this.hash,
      pool: this.pool,
      library: this.library,
      links: this.links,
      planning: this.planning,
      simulator: this.simulator,
      log,
    };
  }

  get dispatcherPolicy(): RetryPolicy | undefined {
    return this.options.dispatcherPolicy;
  }

  get dispatch(): Dispatch {
    const { leaseSeconds = LEASE_SECONDS, graceSeconds = 30, log, observer, probe } = this.options;
    // Whoever is to send must say how, before the first mail finds out.
    const lasting = this.#transports.own();
    this.#dispatch ??= new Dispatch({
      store: this.store,
      transports: (account) => this.transportOf(account),
      lasting,
      contents: {
        campaign: campaignContents(this.store, this.pool, this.links),
        notification: mailroom({
          ...{ store: this.store, library: this.library, links: this.links },
          leaseMs: leaseSeconds * 1_000,
        }),
      },
      leaseMs: leaseSeconds * 1_000,
      graceMs: graceSeconds * 1_000,
      log,
      observer,
      probe,
    });
    return this.#dispatch;
  }

  inline(): InlineSender {
    const { inlineSeconds = 2, concurrency = CONCURRENCY } = this.options;
    this.#inline ??= new InlineSender(this.store, this.dispatch, {
      budgetMs: inlineSeconds * 1_000,
      concurrency,
    });
    return this.#inline;
  }

  transportOf(account: Account): Transport {
    return this.#transports.of(account);
  }

  /** Undefined: nothing was sent in this process so far. */
  get condition(): Condition | undefined {
    const dispatch = this.#dispatch;
    return dispatch && { renewal: dispatch.renewer.alive, unstored: dispatch.settler.unstored };
  }

  async stop(): Promise<void> {
    this.simulator.close();
    await this.planning.stop();
    await this.fanOut.stop();
    if (this.#dispatch?.stopping === false) await this.#dispatch.stop();
    await this.pool.close();
  }
}
