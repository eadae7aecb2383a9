import pg from 'pg';
import { expect, test } from 'vitest';
import { readConfig } from '#pillarbox/service/config';
import { silent } from '#pillarbox/log/log';
import { startService } from '#pillarbox/service/serve';
import { PATIENCE_MS } from '../patience.js';
import { privatePostgres } from '../postgres.js';
import { MailServer } from './mail-server.js';

const KEY = 'a-key-of-twenty-four-characters';
const MOST = 20;

/** Somebody else on the same server, who takes every connection that can be had and gives none back. */
class Hog {
  readonly #held: pg.Client[] = [];
  #full = false;
  #greedy = true;
  #grabbing: Promise<void> | undefined;

  constructor(private readonly url: string) {}

  /** One that can still speak when the server is full. */
  #first: pg.Client | undefined;

  /** Resolves when the server has refused him: then all others are refused too. */
  async begin(): Promise<void> {
    this.#first = await this.#connect();
    this.#grabbing = this.#grab();
    await this.sendAway();
  }

  /** Sends the others away until none of them is left. One who was just coming in may slip through. */
  async sendAway(): Promise<void> {
    const first = this.#first;
    const others = `from pg_stat_activity where application_name like 'pillarbox%'`;
    // Refused after they were sent away, and none of them back: from here on nobody gets in.
    const left = async () => {
      await first!.query(`select pg_terminate_backend(pid) ${others}`);
      this.#full = false;
      await expect.poll(() => this.#full, { interval: 5 }).toBe(true);
      const { rows } = await first!.query<{ n: number }>(`select count(*)::int as n ${others}`);
      return rows[0]!.n;
    };
    await expect.poll(left, { interval: 10 }).toBe(0);
  }

  async end(): Promise<void> {
    this.#greedy = false;
    await this.#grabbing;
    await Promise.all(this.#held.map((client) => client.end()));
  }

  async #grab(): Promise<void> {
    while (this.#greedy) {
      if (await this.#connect()) continue;
      this.#full = true;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async #connect(): Promise<pg.Client | undefined> {
    const client = new pg.Client({ connectionString: this.url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      this.#held.push(client);
      return client;
    } catch {
      return undefined;
    }
  }
}

test('PostgreSQL has no connection left: 503, no storm, nothing lost, and all goes on by itself [F23]', async () => {
  const server = await privatePostgres(['-c', `max_connections=${String(MOST)}`]);
  const mailServer = await MailServer.start('hunter2');
  let failedClaims = 0;
  const outages: { readonly failures: number; readonly seconds: number }[] = [];
  // It is said once that claims fail, and when they work again how often they have.
  const warn = (_: object, text: string) => {
    if (text === 'could not claim mail; trying again') failedClaims += 1;
  };
  const info = (facts: object, text: string) => {
    if (text.startsWith('claims of mail work again')) outages.push(facts as (typeof outages)[number]);
  };
  const config = readConfig({
    ...{ DATABASE_URL: server.url, PORT: '0', SMTP_URL: mailServer.url(), MAIL_FROM: 'box@example.org' },
    ...{ PILLARBOX_SECRET: 'a secret for tests that is long enough', PILLARBOX_API_KEY: KEY },
  });
  const onMade = () => undefined;
  const serving = await startService({ config, worker: true, log: { ...silent, warn, info }, onMade });
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(serving.url + path, {
      method,
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const json = (await response.json()) as {
      data?: { id?: string; state?: string; items?: { id: string; state: string }[] };
      error?: { code: string };
    };
    return { status: response.status, retryAfter: response.headers.get('retry-after'), ...json };
  };
  const put = (mode: 'queue' | 'inline') =>
    call('POST', '/api/outbox', { to: 'ada@example.org', subject: 'Booked', text: 'Hello.', mode });
  const accepted: string[] = [];
  for (let n = 0; n < 5; n += 1) accepted.push((await put('queue')).data!.id!);

  const hog = new Hog(server.url);
  await hog.begin();
  await expect.poll(async () => (await put('queue').then(noted)).status).toBe(503);
  const deadline = performance.now() + PATIENCE_MS;
  for (let refused = 0; refused < 20;) {
    const { status, error, retryAfter } = await put(refused % 2 === 0 ? 'queue' : 'inline').then(noted);
    if (status === 503) {
      expect({ code: error?.code, retryAfter }).toEqual({ code: 'store_unavailable', retryAfter: '5' });
      refused += 1;
      continue;
    }
    expect(performance.now(), 'somebody gets in all the time').toBeLessThan(deadline);
    refused = 0;
    await hog.sendAway();
  }
  await expect.poll(async () => (await call('GET', '/readyz')).status).toBe(503);
  await expect.poll(() => failedClaims).toBeGreaterThan(0);

  await hog.end();
  await expect.poll(async () => (await put('queue').then(noted)).status).toBe(202);
  const state = async (id: string) => (await call('GET', `/api/messages/${id}`)).data?.state;
  for (const id of accepted) await expect.poll(() => state(id)).toBe('sent');
  // It waits between its tries: half a second each, so a quarter would already be too eager.
  for (const { failures, seconds } of outages) expect(failures).toBeLessThanOrEqual(seconds * 4 + 4);
  expect(outages.length).toBeGreaterThan(0);
  // What was refused is not there.
  const { data } = await call('GET', '/api/messages?limit=200');
  expect(data!.items!.map(({ id }) => id).sort()).toEqual([...accepted].sort());
  await serving.stop();
  await mailServer.close();
  await server.stop();

  function noted<Answer extends { status: number; data?: { id?: string } }>(answer: Answer): Answer {
    if (answer.status < 300) accepted.push(answer.data!.id!);
    return answer;
  }
});
