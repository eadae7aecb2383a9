import type { WorkspaceProfile } from '../../core/delivery-settings.js';
import { isOutage, PillarboxError } from '../../core/errors.js';
import { listWorkspaces } from '../../store/scripts/workspaces.js';
import { perService } from '../per-service.js';
import type { Service } from '../service.js';

/** Whose page it is; undefined: nobody can know, or nobody can be asked. */
export type Sender = Pick<WorkspaceProfile, 'name' | 'postalAddress'>;

/** However often strangers knock, the database is asked so often. */
const KNOWN_MS = 1_000;

/**
 * Who sends, where the link does not say it: whoever is the only sender here. Of several none is named, as nobody is to
 * learn here who else sends.
 */
class OnlySender {
  #known: { readonly until: number; readonly sender: Promise<Sender | undefined> } | undefined;

  constructor(private readonly service: Service) {}

  ask(): Promise<Sender | undefined> {
    const at = performance.now();
    if (!this.#known || this.#known.until <= at)
      this.#known = { until: at + KNOWN_MS, sender: this.#look().catch(unlessAway) };
    return this.#known.sender;
  }

  async #look(): Promise<Sender | undefined> {
    const { store } = this.service.box;
    const [only, another] = await store.read(listWorkspaces(store, { after: 0, limit: 2 }));
    return only && !another ? profileOf(this.service, only.id) : undefined;
  }
}

const profileOf = async ({ box }: Service, workspaceId: number): Promise<Sender> =>
  (await box.workspace(workspaceId)).settings.profile();

/** A page is shown in any case: without a database, and also where a restored one does not know the workspace. */
function unlessAway(error: unknown): undefined {
  const isUnknown = error instanceof PillarboxError && error.code === 'not_found';
  if (!isOutage(error) && !isUnknown) throw error;
}

const onlySenderOf = perService((service) => new OnlySender(service));

/** Of a link that leads nowhere any more, or of none. */
export async function senderOf(service: Service, token?: string): Promise<Sender | undefined> {
  const workspaceId = token === undefined ? undefined : service.box.links.workspaceOf(token);
  if (workspaceId === undefined) return onlySenderOf(service).ask();
  return profileOf(service, workspaceId).catch(unlessAway);
}
