import { askCompiled, ask, type Script } from '../script.js';
import type { ClaimedMessage, Store } from '../store.js';

export interface ThreadPart {
  readonly id: number;
  readonly step: number | null;
  readonly sender: string;
  /** As it was sent. */
  readonly subject: string | null;
  /** The provider's own name of the conversation. */
  readonly threadId: string | null;
}

/** The mails of a person's sequence that have left, from one step up to another and without it, in their order. */
export function* readThread(
  { db }: Store,
  { contactId, sequenceId, workspaceId }: ClaimedMessage,
  from: number,
  before: number,
): Script<readonly ThreadPart[]> {
  return yield* ask(
    db
      .selectFrom('messages as m')
      .innerJoin('outcomes as o', 'o.message_id', 'm.id')
      .select(['m.id', 'm.step_number as step', 'm.sender', 'm.subject', 'm.thread_id as threadId'])
      .where('m.contact_id', '=', contactId)
      .where('m.sequence_id', '=', sequenceId)
      .where('m.workspace_id', '=', workspaceId)
      .where('m.action', '=', 'email')
      .where('m.step_number', '>=', from)
      .where('m.step_number', '<', before)
      .where('o.state', '=', 'sent')
      .orderBy('m.step_number'),
  );
}

/** What mails say in their subject, now that it was made. */
export function* noteSubjects(
  store: Store,
  subjects: readonly { readonly id: number; readonly subject: string }[],
): Script<void> {
  if (subjects.length === 0) return;
  const values = JSON.stringify(subjects.map(({ id, subject }) => [id, subject]));
  const table = store.at('messages');
  yield* askCompiled({
    sql:
      store.dialect === 'postgres'
        ? `update ${table} m set subject = j.value ->> 1 from json_array_elements($1::json) j
           where m.id = (j.value ->> 0)::bigint and m.subject is distinct from j.value ->> 1`
        : `update ${table} set subject = j.value ->> 1 from json_each(?1) j
           where ${table}.id = j.value ->> 0 and ${table}.subject is not j.value ->> 1`,
    parameters: [values],
  });
}
