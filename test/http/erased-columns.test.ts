import { describe, expect, test } from 'vitest';
import { askCompiled } from '#pillarbox/store/script';
import { writeAudit } from '#pillarbox/store/scripts/audit';
import { keepCaught } from '#pillarbox/store/scripts/caught';
import { noteSoftBounce, suppress } from '#pillarbox/store/scripts/suppressions';
import type { Store } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { Carrier, failed, type Conduct } from '../engine/carrier.js';
import { PATIENCE_MS } from '../patience.js';
import type { Office } from './office.js';
import { officesOn } from './offices.js';

const PERSON = 'erasme.rotterdam@example.org';
/** Nobody else's address, name or key has it. */
const CANARY = 'erasme';

/** Where a person may stand. Each of these is filled below, and empty of him afterwards. */
const PERSONAL = [
  ...['accounts.cooldown_reason', 'accounts.pause_reason', 'announcements.error', 'attempts.error'],
  ...['audit.actor', 'audit.details', 'audit.target', 'caught.recipients'],
  ...['channels.blocked_reason', 'contact_words.word', 'contacts.attributes', 'contacts.email'],
  ...['contacts.email_given', 'contacts.name', 'contents.mail', 'dead_causes.sample'],
  ...['import_pieces.records', 'import_rejects.cells', 'imports.columns', 'messages.error'],
  ...[
    'messages.idempotency_key',
    'messages.recipient',
    'messages.recipient_given',
    'messages.recipient_name',
  ],
  ...['messages.subject', 'messages.trace_id', 'ready_messages.idempotency_key', 'ready_messages.mail'],
  ...['ready_messages.subject', 'soft_bounces.address', 'subscription_events.actor'],
  ...['subscription_events.details', 'subscriptions.contact', 'subscriptions.contact_given'],
  ...['subscriptions.name', 'suppressions.actor', 'suppressions.address', 'suppressions.note'],
];
/** What others were told of as well: the erasure says which events these are, and changes nothing of them. */
const REPORTED = ['dedupe_windows.dedupe_key', 'events.dedupe_key', 'events.payload', 'events.trace_id'];
/** Encoded, so that nobody finds him there; it goes with its row. */
const ENCODED = ['caught.raw'];
/** Words of the program, names that the senders' side gives to its own things, and hashes. */
const NOT_OF_RECIPIENTS = new Set([
  ...['account_days', 'account_harm', 'api_keys', 'campaign_days', 'campaigns', 'clocks', 'counts', 'deaths'],
  ...['enrolments', 'erased', 'event_counts', 'facts', 'fan_outs', 'inbound', 'invitations', 'leases'],
  ...['login_failures', 'memberships', 'migration_parts', 'migrations', 'minutes', 'openings', 'outcomes'],
  ...['own_openings', 'planners', 'reservations', 'sequence_versions', 'sequences', 'sessions', 'settings'],
  ...['tallies', 'template_versions', 'templates', 'totals', 'users', 'workers', 'workspace_days'],
  ...['workspaces'],
  ...[
    'accounts.dkim',
    'accounts.display_name',
    'accounts.email_address',
    'accounts.name',
    'accounts.sending',
  ],
  ...['accounts.transport', 'accounts.type', 'announcements.dead_reason', 'announcements.error_class'],
  ...['announcements.error_code', 'attempts.error_class', 'attempts.error_code', 'attempts.outcome'],
  ...['attempts.provider_message_id', 'attempts.worker', 'audit.action', 'caught.sender', 'caught.subject'],
  ...[
    'channels.action',
    'channels.lane',
    'contacts.import_did',
    'contacts.linkedin_id',
    'contacts.timezone',
    'dead_causes.class',
  ],
  ...['dead_causes.code', 'dead_causes.fingerprint', 'dead_causes.transport', 'events.cancelled_by'],
  'events.published_by',
  ...['events.snapshot', 'events.status_after', 'events.template_id', 'events.template_version'],
  ...['events.topic', 'events.type', 'import_rejects.code', 'import_rejects.reason', 'imports.encoding'],
  ...['imports.file_name', 'imports.mapping', 'imports.reasons', 'imports.separator', 'imports.state'],
  ...['messages.action', 'messages.body_hash', 'messages.doubt_policy', 'messages.error_class'],
  ...[
    'messages.error_code',
    'messages.lane',
    'messages.retry_policy',
    'messages.sender',
    'messages.thread_id',
  ],
  ...['ready_messages.action', 'ready_messages.body_hash', 'subscription_events.kind'],
  ...[
    'subscriptions.contact_type',
    'subscriptions.locale',
    'subscriptions.notify_on',
    'subscriptions.status',
  ],
  ...['subscriptions.timezone', 'subscriptions.topic', 'suppressions.lanes', 'suppressions.reason'],
]);

const rows = <Row>(store: Store, sql: string) => store.read(askCompiled<Row>({ sql, parameters: [] }));

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/** Every column of every table that can hold a text or bytes. */
const columnsOf = (store: Store): Promise<readonly Column[]> =>
  rows(
    store,
    store.dialect === 'postgres'
      ? `select c.table_name as "table", c.column_name as name, c.data_type as type from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
         where c.table_schema = 'pillarbox' and t.table_type = 'BASE TABLE'
           and c.data_type in ('text', 'bytea', 'json', 'jsonb', 'character varying')`
      : `select m.name as "table", c.name, lower(c.type) as type from sqlite_master m join pragma_table_info(m.name) c
         where m.type = 'table' and lower(c.type) in ('text', 'blob', 'json')`,
  );

async function standsIn(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { table, name, type } of await columnsOf(store)) {
    const text = type === 'bytea' ? `encode(${name}, 'escape')` : `cast(${name} as text)`;
    const [row] = await rows<{ n: number }>(
      store,
      `select count(*) as n from ${store.at(table)} where lower(${text}) like '%${CANARY}%'`,
    );
    if (Number(row?.n) > 0) found.push(`${table}.${name}`);
  }
  return found.sort();
}

/** What a server says of somebody quotes him. */
const quoting: Conduct = ({ mail }) =>
  Promise.resolve(
    mail.subject.startsWith('dead')
      ? failed({
          ...{ class: 'permanent', scope: 'message', code: '550 5.7.1' },
          message: `<${mail.to.email}>: go away`,
        })
      : undefined,
  );

describe.each(databases)('a person on $name', (database) => {
  const onOffice = officesOn(database);

  test('is erased from every column of every table that may hold him, and each is accounted for [F38]', () =>
    onOffice(
      async (office) => {
        const { store } = office.box;
        const known = (await columnsOf(store)).map(({ table, name }) => [table, `${table}.${name}`] as const);
        const accounted = new Set([...PERSONAL, ...REPORTED, ...ENCODED, ...NOT_OF_RECIPIENTS]);
        expect(known.filter((names) => !names.some((name) => accounted.has(name)))).toEqual([]);

        const eventId = await leaveTraces(office);
        expect(await standsIn(store)).toEqual([...PERSONAL, ...REPORTED].sort());
        const erased = await office.call(office.admin, 'DELETE', `/api/people/${PERSON}`);
        expect(erased).toMatchObject({ status: 200, data: { events: [eventId], suppressed: true } });
        expect(await standsIn(store)).toEqual(REPORTED);
        expect(await rows(store, `select id from ${store.at('caught')}`)).toEqual([]);
      },
      { carrier: new Carrier(quoting), secret: 'a secret for tests' },
    )());
});

/** Through every door, and as servers and former days have left them. Answers the event that names him. */
async function leaveTraces(office: Office): Promise<string> {
  const { box } = office;
  const { store, home } = box;
  const post = async (url: string, body: object): Promise<Record<string, unknown>> => {
    const { status, data, text } = await office.call(office.admin, 'POST', url, body);
    expect(status, `${url}: ${text}`).toBeLessThan(300);
    return data;
  };
  const file = async (url: string, payload: string) => {
    const headers = { ...office.admin.headers, 'content-type': 'text/csv' };
    const { statusCode, body } = await office.app.inject({ method: 'POST', url, payload, headers });
    expect(statusCode, `${url}: ${body}`).toBeLessThan(300);
  };

  const to = { email: 'Erasme.Rotterdam@Example.org', name: 'Erasme' };
  const sendAt = new Date((await box.now()) + 86_400_000).toISOString();
  const later = { mode: 'queue', sendAt, idempotencyKey: `welcome:${PERSON}`, traceId: `trace:${PERSON}` };
  await post('/api/outbox', { to, subject: 'for Erasme', text: 'x', ...later });
  await post('/api/outbox', { to, subject: 'dead', text: 'x' });

  const contact = { email: to.email, name: 'Erasme', attributes: { mail: PERSON } };
  const { id: contactId } = await post('/api/contacts', contact);
  await file('/api/contacts/import', `email,note\nnobody,${PERSON}\n`);
  await file('/api/contacts/imports?fileName=guests.csv', `email\n${PERSON}\n`);
  const { data: accounts } = await office.call(office.admin, 'GET', '/api/accounts');
  const [account] = accounts['items'] as { id: string }[];
  const campaign = await post('/api/campaigns', { name: 'Spring', accountIds: [account!.id] });
  const ready = { contactId, subject: 'Erasme', body: 'Dear Erasme', idempotencyKey: `ready:${PERSON}` };
  await post(`/api/campaigns/${String(campaign['id'])}/messages`, { messages: [ready] });

  const subscription = { topic: 't', contactType: 'email', contactValue: to.email, name: 'Erasme' };
  await post('/api/subscriptions', subscription);
  await post('/api/templates', { id: 'note', version: 'v1', locale: 'en', subject: 'News', text: 'News.' });
  const payload = { about: PERSON };
  const named = { dedupeKey: `e:${PERSON}`, traceId: `e:${PERSON}` };
  const event = { type: 'told', topic: 't', template: { id: 'note' }, payload, ...named };
  const { id: eventId } = await post('/api/events', event);
  await box.start();
  const counts = async () => (await office.call(office.admin, 'GET', `/api/events/${String(eventId)}`)).data;
  await expect.poll(counts, { timeout: PATIENCE_MS }).toMatchObject({ counts: { sent: 1 } });

  const now = await store.now();
  await store.transaction(
    suppress(store, home.id, PERSON, 'manual', now, { note: `${PERSON} wrote`, actor: PERSON }),
  );
  await store.transaction(function* () {
    yield* noteSoftBounce(store, home.id, PERSON, 1, now);
    const raw = Buffer.from(`To: ${PERSON}\r\n`);
    const caught = { receivedAt: now, sender: 'box@example.org', subject: 'x', size: 1 };
    yield* keepCaught(store, { ...caught, recipients: [PERSON], raw });
    const action = { workspaceId: home.id, actor: PERSON, action: 'user.create', target: PERSON };
    yield* writeAudit(store, { ...action, details: { body: { email: PERSON } } }, now);
    // In the words of servers, which quote whom they refuse.
    const quoted = `'<${PERSON}>: go away'`;
    const plain = (sql: string) => askCompiled({ sql, parameters: [] });
    const { at } = store;
    yield* plain(`update ${at('accounts')} set pause_reason = ${quoted}, cooldown_reason = ${quoted}`);
    yield* plain(`update ${at('channels')} set blocked_reason = ${quoted}`);
    yield* plain(`insert into ${at('announcements')} (message_id, dead_reason, error, died_at)
      select id, 'permanent_error', ${quoted}, 1 from ${at('messages')} where subject = 'dead'`);
    yield* plain(
      `update ${at('subscription_events')} set actor = '${PERSON}', details = '{"by":"${PERSON}"}'`,
    );
  });
  return String(eventId);
}
