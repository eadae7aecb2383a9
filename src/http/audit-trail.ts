import type { Principal } from '../access/gatekeeper.js';
import { anonymous, anonymousTarget, bounded, cutTexts, type Mask } from '../core/audit-details.js';
import { redact } from '../core/redaction.js';
import { writeAudit, type AuditedAction } from '../store/scripts/audit.js';
import type { Script } from '../store/script.js';
import { Answer } from './answers.js';
import { knownPart } from './known-part.js';
import type { KnownCall, Route } from './route.js';
import type { Service } from './service.js';

type AnyCall = KnownCall<unknown, unknown, unknown>;
type Fields = Readonly<Record<string, unknown>>;

/** Whatever decides something for others is written down, without its route having to think of it. */
export const isAudited = ({ method, rule, action }: Route): boolean =>
  method !== 'GET' && (rule === 'operate' || rule === 'admin' || action !== undefined);

const VERBS = { GET: 'read', POST: 'create', PUT: 'update', PATCH: 'update', DELETE: 'delete' } as const;

/** `PATCH /api/accounts/:id` is `account.update`, `POST /api/messages/:id/retry` is `message.retry`. */
export function actionOf({ method, url, action }: Pick<Route, 'method' | 'url' | 'action'>): string {
  if (action !== undefined) return action;
  const words = url.split('/').filter((part) => !/^(?:|api|admin|:.*)$/.test(part));
  const last = words.at(-1) ?? '';
  // A POST to something that is no collection says what to do in its last word.
  const saysWhat = method === 'POST' && words.length > 1 && singular(last) === last;
  const named = words.map(singular);
  return (saysWhat ? named : [...named, VERBS[method]]).join('.');
}

const singular = (word: string): string => word.replace(/ies$/, 'y').replace(/(?<!s)s$/, '');

/** What stood there before: for a change or a removal, what the route of the same address shows. */
export async function lookBefore(route: Route, shows: Route | undefined, call: AnyCall): Promise<unknown> {
  return route.method === 'POST' || route.details === false ? undefined : look(shows, call);
}

/** One row for an action that was done; another one where it was done, if that is not where he who did it belongs. */
export async function noteSuccess(
  route: Route,
  shows: Route | undefined,
  call: AnyCall,
  answer: unknown,
  before: unknown,
): Promise<void> {
  const { service, request } = call;
  // Of one who has just logged in as much as of one who was known before.
  const { principal } = request;
  if (!principal) return;
  const hashOf = await maskOf(service);
  const target = targetOf(call, answer);
  const action = {
    actor: principal.actor,
    action: actionOf(route),
    target: target === null ? null : anonymousTarget(target, hashOf),
    details: detailsOf(route, call.body, before, await lookAfter(route, shows, call), hashOf),
  };
  const { store } = service.box;
  try {
    const now = await store.now();
    await store.transaction(() => noteIn(placesOf(principal, request.concerns), action, now));
  } catch (error) {
    // It is done and can't be taken back: what the table can't keep, the log does.
    service.log.error({ err: error, action }, 'an action could not be written into the audit log');
  }

  function* noteIn(
    places: readonly number[],
    what: Omit<AuditedAction, 'workspaceId'>,
    now: number,
  ): Script<void> {
    for (const workspaceId of places) yield* writeAudit(store, { workspaceId, ...what }, now);
  }
}

/** Addresses and free texts become keyed hashes; where none can be made, nothing is left of them. */
async function maskOf({ box, log }: Service): Promise<Mask> {
  try {
    return await box.personHash.tryMake();
  } catch (error) {
    log.warn({ err: error }, 'no hash could be made for the audit log');
    return undefined;
  }
}

const placesOf = ({ workspaceId }: Principal, concerns = workspaceId): readonly number[] => [
  ...new Set([workspaceId, concerns]),
];

const lookAfter = (route: Route, shows: Route | undefined, call: AnyCall): Promise<unknown> =>
  route.method === 'PUT' || route.method === 'PATCH' ? look(shows, call) : Promise.resolve(undefined);

async function look(shows: Route | undefined, call: AnyCall): Promise<unknown> {
  if (!shows) return undefined;
  // A body may name another workspace, which a look has to name in its address.
  const named = isFields(call.body) ? call.body['workspaceId'] : undefined;
  const query = { ...(call.query as object), ...(named !== undefined && { workspaceId: named }) };
  try {
    return await shows.handle({ ...call, query, body: undefined } as never);
  } catch {
    // It is not there, or not in this workspace: whoever asks is told so by the route itself.
    return undefined;
  }
}

/** The object that the address names, else the one that was made. */
function targetOf({ params }: AnyCall, answer: unknown): string | null {
  const [named] = Object.values((params ?? {}) as Fields);
  const data: unknown = answer instanceof Answer ? answer.data : answer;
  const made = isFields(data) ? data['id'] : undefined;
  const target = named ?? made;
  return typeof target === 'string' ? target.slice(0, LONGEST_TARGET) : null;
}

const LONGEST_TARGET = 200;

function detailsOf(
  { method, details: wanted, body: schema }: Route,
  body: unknown,
  before: unknown,
  after: unknown,
  mask: Mask,
): unknown {
  if (wanted === false) return undefined;
  const given = body === undefined || body === null ? undefined : knownPart(schema, body);
  const kept = (value: unknown) => anonymous(redact(cutTexts(value)), mask);
  const details = {
    ...(given !== undefined && { body: kept(given) }),
    ...(method === 'DELETE' && before !== undefined && { was: kept(before) }),
    ...(isFields(before) && isFields(after) && { changed: changesOf(before, after, kept) }),
  };
  return Object.keys(details).length > 0 ? bounded(details) : undefined;
}

/** Each field that is not what it was: from what, to what. */
function changesOf(before: Fields, after: Fields, kept: (value: unknown) => unknown): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(
    (name) => name !== 'updatedAt' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const named = changed.map((name) => [name, { [name]: before[name] }, { [name]: after[name] }] as const);
  return Object.fromEntries(
    named.map(([name, from, to]) => [name, { from: only(kept(from), name), to: only(kept(to), name) }]),
  );
}

/** Redacted under its own name: a secret is known by it. */
const only = (fields: unknown, name: string): unknown => (fields as Fields)[name] ?? null;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
