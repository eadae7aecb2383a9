import type { Principal } from '../access/gatekeeper.js';
import { redact } from '../core/redaction.js';
import { noteDeed, type Deed } from '../store/scripts/audit.js';
import type { Script } from '../store/script.js';
import { Answer } from './answers.js';
import type { KnownCall, Route } from './route.js';

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
  return route.method === 'POST' ? undefined : look(shows, call);
}

/** One row for a deed that was done; another one where it was done, if that is not where he who did it belongs. */
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
  const deed = {
    actor: principal.actor,
    action: actionOf(route),
    target: targetOf(call, answer),
    details: detailsOf(route, call.body, before, await lookAfter(route, shows, call)),
  };
  const { store } = service.box;
  try {
    await store.transaction(noteIn(placesOf(principal, request.concerns), deed, await store.now()));
  } catch (error) {
    // It is done and can't be taken back: what the table can't keep, the log does.
    service.log.error({ err: error, deed }, 'a deed could not be written into the audit log');
  }

  function* noteIn(places: readonly number[], what: Omit<Deed, 'workspaceId'>, now: number): Script<void> {
    for (const workspaceId of places) yield* noteDeed(store, { workspaceId, ...what }, now);
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
  const data = answer instanceof Answer ? answer.data : answer;
  const made = isFields(data) ? data['id'] : undefined;
  const target = named ?? made;
  return typeof target === 'string' ? target.slice(0, LONGEST_TARGET) : null;
}

const LONGEST_TARGET = 200;

function detailsOf({ method }: Route, body: unknown, before: unknown, after: unknown): unknown {
  const details = {
    ...(body !== undefined && body !== null && { body: redact(body) }),
    ...(method === 'DELETE' && before !== undefined && { was: redact(before) }),
    ...(isFields(before) && isFields(after) && { changed: changesOf(before, after) }),
  };
  return Object.keys(details).length > 0 ? details : undefined;
}

/** Each field that is not what it was: from what, to what. */
function changesOf(before: Fields, after: Fields): Fields {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter(
    (name) => name !== 'updatedAt' && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const named = changed.map((name) => [name, { [name]: before[name] }, { [name]: after[name] }] as const);
  return Object.fromEntries(
    named.map(([name, from, to]) => [name, { from: only(redact(from), name), to: only(redact(to), name) }]),
  );
}

/** Redacted under its own name: a secret is known by it. */
const only = (fields: unknown, name: string): unknown => (fields as Fields)[name] ?? null;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
