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

/** How many days each workspace keeps what is finished, of those that have said so. */
export function* readRetentionDays({ db }: Store): Script<ReadonlyMap<number, number>> {
  const rows = yield* ask(
    db.selectFrom('settings').select(['workspace_id', 'value']).where('name', '=', 'delivery'),
  );
  return new Map(
    rows.map((row) => [row.workspace_id, (JSON.parse(row.value) as DeliverySettings).retentionDays]),
  );
}
