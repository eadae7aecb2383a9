import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import { isOutage } from '../../core/errors.js';
import { listWorkspaces } from '../../store/scripts/workspaces.js';
import { perService } from '../per-service.js';
import type { Service } from '../service.js';

/** Whose page it is. */
export type Sender = Pick<WorkspaceProfile, 'name' | 'postalAddress'>;

/** However often strangers knock, the database is asked so often. */
const KNOWN_MS = 1_000;

/**
 * Who sends, where no link says it: whoever is the only sender here. Of several none is named: nobody learns who else
 * sends, or that a link was once a good one.
 */
class OnlySender {
  #known: { readonly until: number; readonly sender: Promise<Sender | undefined> } | undefined;

  constructor(private readonly service: Service) {}

  /** Undefined: there are several, or nobody can be asked. */
  ask(): Promise<Sender | undefined> {
    const at = performance.now();
    if (!this.#known || this.#known.until <= at)
      this.#known = { until: at + KNOWN_MS, sender: this.#look().catch(unlessAway) };
    return this.#known.sender;
  }

  async #look(): Promise<Sender | undefined> {
    const { box } = this.service;
    const [only, another] = await box.store.read(listWorkspaces(box.store, { after: 0, limit: 2 }));
    return only && !another ? (await box.workspace(only.id)).settings.profile() : undefined;
  }
}

/** A page is shown in any case. */
function unlessAway(error: unknown): undefined {
  if (!isOutage(error)) throw error;
}

export const onlySenderOf = perService((service) => new OnlySender(service));
