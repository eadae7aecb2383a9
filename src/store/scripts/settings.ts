import type { DeliverySettings } from '../../core/delivery-settings.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** What was saved, as it was; undefined: nothing yet. */
export function* readSettings({ db }: Store, workspaceId: number, name: string): Script<unknown> {
  const row = yield* askOne(
    db
      .selectFrom('settings')
      .select('value')
      .where('workspace_id', '=', workspaceId)
      .where('name', '=', name),
  );
  return row && (JSON.parse(row.value) as unknown);
}

/** The zone that a workspace lives in: "today" is its day, and times are said as people there say them. */
export function* readTimezone(store: Store, workspaceId: number): Script<string> {
  const settings = (yield* readSettings(store, workspaceId, 'sending')) as { timezone?: unknown } | undefined;
  return typeof settings?.timezone === 'string' ? settings.timezone : 'UTC';
}

export function* writeSettings(
  { db }: Store,
  workspaceId: number,
  name: string,
  settings: object,
): Script<void> {
  const value = JSON.stringify(settings);
  yield* ask(
    db
      .insertInto('settings')
      .values({ workspace_id: workspaceId, name, value })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doUpdateSet({ value })),
  );
}

/** For how many days a workspace keeps things, as far as it has said so. */
export type KeptDays = Partial<Pick<DeliverySettings, 'retentionDays' | 'auditDays'>>;

export function* readKeptDays(store: Store, workspaceId: number): Script<KeptDays> {
  return (yield* readSettings(store, workspaceId, 'delivery')) ?? {};
}
