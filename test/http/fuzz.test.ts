import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Route } from '#pillarbox/http/route';
import { routes } from '#pillarbox/http/routes/index';
import { databases, type FreshDatabase } from '../databases.js';
import { EXPECTED } from './expected.js';
import { anyBrokenBody, anyText, nearly } from './hostile.js';
import { CANARY, collectionOf, nameOf, Town } from './town.js';

/** Another seed is other requests: `FUZZ_SEED=7 npx vitest run test/http/fuzz.test.ts`. */
const seed = Number(process.env['FUZZ_SEED'] ?? 42);
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 40);

/** What removes something comes last, so that the others find it. */
const inOrder = [...routes].sort((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));

/** What is said of today is the same at the same minute of the same day. */
const LOOKED_AT = Date.parse('2027-06-07T12:00:00Z');

/** Longer than 20 s: that many requests to each of the routes, on both databases. */
describe.each(databases)('whatever a stranger of another workspace sends, on $name', ({ ready }) => {
  let database: FreshDatabase;
  let town: Town;
  let before: string;

  beforeAll(async () => {
    database = await ready();
    // Not long before: what is old enough is forgotten by itself, within a minute.
    town = await Town.build(database, LOOKED_AT - 60_000);
    before = await whatIsThere();
  });

  afterAll(async () => {
    await town.close();
    await database.drop();
  });

  /** All that the first workspace can see of itself, but for what changes by looking, by itself, or is everybody's. */
  async function whatIsThere(): Promise<string> {
    const texts: string[] = [];
    await town.office.box.store.setClock(LOOKED_AT);
    for (const route of routes.filter(({ method, rule }) => method === 'GET' && isScope(rule))) {
      if (/stream|dashboard|quota|cron|workers/.test(route.url)) continue;
      const { text } = await town.send(route, town.addressOf(route), town.office.admin.headers);
      texts.push(`${nameOf(route)} ${text.replace(/"lastUsedAt":"[^"]*"|^Date: .*$/gm, '')}`);
    }
    return texts.join('\n');
  }

  test.each(inOrder.map((route) => [nameOf(route), route] as const))(
    '%s neither fails nor tells anything of ours [F45] [F46] [T5] [T18]',
    async (_, route) => {
      const { headers } = await town.stranger();
      await fc.assert(
        fc.asyncProperty(requestsTo(route), async ({ url, payload, more }) => {
          const { status, text } = await town.send(route, url, { ...headers, ...more }, payload);
          expect({ status, text: text.slice(0, 300) }).toMatchObject({ status: below(500) });
          expect(text).not.toContain(CANARY);
          if (status >= 400) expect(text).not.toMatch(/node_modules|\.js:\d+|at \w+ \(/);
        }),
        { seed, numRuns },
      );
    },
  );

  test('and the first workspace is as it was', async () => {
    expect(before).toContain(CANARY);
    expect(await whatIsThere()).toBe(before);
  });

  const requestsTo = (route: Route): fc.Arbitrary<Request> => {
    const ids = [...Object.values(town.ids), ...Object.values(town.theirs)];
    const body = nearly(route.body, EXPECTED[nameOf(route)]?.body, ids).map((value) => JSON.stringify(value));
    const payload =
      route.method === 'GET'
        ? fc.constant(undefined)
        : fc.oneof(
            { weight: route.body ? 8 : 1, arbitrary: body },
            { weight: 1, arbitrary: anyBrokenBody },
            { weight: route.body ? 1 : 6, arbitrary: fc.constant(undefined) },
          );
    return fc.record({ url: addressesOf(route, ids), payload, more: headersOf });
  };

  const addressesOf = (route: Route, ids: readonly string[]): fc.Arbitrary<string> => {
    const collection = collectionOf(route.url);
    const known = [town.ids[collection], town.theirs[collection]].filter((id) => id !== undefined);
    const names = route.url.match(/:\w+/g) ?? [];
    const part = fc.oneof(anyText(ids), ...known.map((id) => fc.constant(id)));
    return fc.tuple(fc.tuple(...names.map(() => part)), queriesOf(route, ids)).map(([values, query]) => {
      const path = names.reduce((url, name, index) => url.replace(name, encoded(values[index]!)), route.url);
      return query === '' ? path : `${path}?${query}`;
    });
  };

  const queriesOf = ({ query }: Route, ids: readonly string[]): fc.Arbitrary<string> => {
    const names = Object.keys((query as { properties?: object } | undefined)?.properties ?? {});
    const name = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...names, 'limit', 'cursor', 'workspaceId') },
      { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'limit[]', '%', '') },
    );
    const value = fc.oneof(anyText(ids), fc.constantFrom('1', '200', '201', 'dead', 'dead,held,'));
    return fc
      .array(fc.tuple(name, value), { maxLength: 2 })
      .map((pairs) => pairs.map(([key, text]) => `${encoded(key)}=${encoded(text)}`).join('&'));
  };
});

interface Request {
  readonly url: string;
  readonly payload: string | undefined;
  readonly more: Readonly<Record<string, string>>;
}

const isScope = (rule: Route['rule']): boolean => rule === 'read' || rule === 'admin';

const below = (limit: number): unknown =>
  expect.toSatisfy((status: number) => status < limit, `is below ${limit}`);

/** As it may stand on a wire: halves of surrogate pairs have no bytes of their own there, so others take their place. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

const headersOf: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constantFrom('wsp_1', 'wsp_2', 'wsp_zzzzzzzzzz', 'default', '').map(workspace) },
  { weight: 1, arbitrary: fc.string({ maxLength: 300 }).map((key) => ({ 'idempotency-key': key })) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('text/plain', 'application/json; charset=utf-7', 'text/csv', 'x', 'application/xml')
      .map((type) => ({ 'content-type': type })),
  },
);

function workspace(id: string): Record<string, string> {
  return { 'x-workspace-id': id };
}
