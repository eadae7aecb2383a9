import type { Pillarbox } from '#pillarbox/library/pillarbox';
import { formatId } from '#pillarbox/core/ids';
import { askOne } from '#pillarbox/store/script';

export interface SomePerson {
  readonly email?: string | null;
  readonly name?: string | null;
  readonly linkedinId?: string | null;
  readonly timezone?: string | null;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Puts somebody into a workspace, whatever doors there are. Answers the public id. */
export async function addPerson(
  { store, home }: Pillarbox,
  person: SomePerson,
  workspaceId = home.id,
): Promise<string> {
  const { email = null, name = null, linkedinId = null, timezone = null, attributes = {} } = person;
  const now = await store.now();
  const row = await store.transaction(() =>
    askOne(
      store.db
        .insertInto('contacts')
        .values({
          ...{ workspace_id: workspaceId, email, name, linkedin_id: linkedinId, timezone },
          ...{ attributes: JSON.stringify(attributes), created_at: now, updated_at: now },
        })
        .returning('id'),
    ),
  );
  return formatId('contact', row?.id ?? 0);
}
