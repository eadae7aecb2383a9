import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readConfig } from '#pillarbox/service/config';
import type { Role } from '#pillarbox/core/access';
import { silent } from '#pillarbox/log/log';
import { startService, type Serving } from '#pillarbox/service/serve';
import { freePorts } from '../../scripts/services/ports.mjs';
import { Cli, type Running } from '../cli/cli.js';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { theWorld, type World } from './browser.js';
import type { Trap } from './trap.js';
import type { Watch } from './watch.js';
import { Windows, type Cookies } from './windows.js';

const BUILT_UI = fileURLToPath(new URL('../../dist/web/index.html', import.meta.url));
const API_KEY = 'a-key-of-twenty-four-characters';
export const ADMIN = 'admin@localhost';
export const NOBODY = null;
export const PASSWORD = 'correct horse battery staple';

type Answer = Readonly<Record<string, unknown>>;

/** Someone with a window of his own. */
export interface Visitor {
  readonly page: Page;
  readonly watch: Watch;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The address of who is signed in; the administrator unless it is said. */
  readonly as?: string | null;
  /** False for a page that is not ours, and may do as it likes. */
  readonly watched?: false;
  /** In a window that nobody had before and nobody gets after: for who sets its clock, or counts what it loads. */
  readonly fresh?: true;
}

/** A whole service that people use with real browsers. */
export class Stage {
  #serving: Serving | undefined;
  readonly #apart: Running[] = [];
  readonly #windows: Windows;
  readonly #sessions = new Map<string, Cookies>();

  private constructor(
    readonly url: string,
    private readonly database: FreshDatabase,
    private readonly world: World,
    /** Beside what all have: a broker, or a time of its own. */
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.#windows = new Windows(world.browser, url);
  }

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Stage> {
    if (!existsSync(BUILT_UI)) throw new Error('the admin UI is not built: run the tests through `npm test`');
    const [port = 0] = await freePorts(1);
    const stage = new Stage(`http://127.0.0.1:${port}`, await freshSqlite(), await theWorld(), env);
    await stage.start();
    return stage;
  }

  /** On the port and the database that it had before. */
  async start(): Promise<void> {
    const config = readConfig(this.#settings());
    this.#serving = await startService({ config, worker: true, log: silent, onMade: () => undefined });
  }

  /** The same in a process of its own, which can be killed. Nothing else may serve meanwhile. */
  async startApart(): Promise<Running> {
    const server = new Cli(this.#settings()).start(['serve', '--json']);
    this.#apart.push(server);
    await server.said(/"url"/);
    return server;
  }

  #settings(): Readonly<Record<string, string>> {
    return {
      DATABASE_URL: this.database.url,
      PORT: new URL(this.url).port,
      MAIL_FROM: 'Harbour Rooms <box@example.org>',
      PILLARBOX_API_KEY: API_KEY,
      PILLARBOX_ADMIN_EMAIL: ADMIN,
      PILLARBOX_ADMIN_PASSWORD: PASSWORD,
      PILLARBOX_SECRET: 'a secret for tests, of some length',
      PILLARBOX_GRACE_SECONDS: '1',
      PILLARBOX_INLINE_SECONDS: '30',
      ...this.env,
    };
  }

  async stop(): Promise<void> {
    await this.#serving?.stop();
    this.#serving = undefined;
  }

  /** For another process of the same installation. */
  get databaseUrl(): string {
    return this.database.url;
  }

  /** Where the built-in catcher takes mail; another place after each start. */
  get catcherUrl(): string {
    return this.#serving!.catcherUrl!;
  }

  /** What everything else in the world was told by the browser. */
  get trap(): Trap {
    return this.world.trap;
  }

  /** What a program of the workspace does, with a key that may do everything. */
  async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${API_KEY}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Answer }).data;
  }

  /** The id of a file of contacts whose columns somebody has to choose. */
  async upload(fileName: string, text: string): Promise<string> {
    const response = await fetch(
      `${this.url}/api/contacts/imports?fileName=${encodeURIComponent(fileName)}`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'text/csv' },
        body: text,
      },
    );
    if (response.status !== 202) throw new Error(`${fileName} was refused: ${await response.text()}`);
    return ((await response.json()) as { data: { id: string } }).data.id;
  }

  /** What a file of subscriptions came to. */
  async importSubscriptions(text: string): Promise<Answer> {
    const response = await fetch(`${this.url}/api/subscriptions/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'text/csv' },
      body: text,
    });
    if (!response.ok) throw new Error(`subscriptions were refused: ${await response.text()}`);
    return ((await response.json()) as { data: Answer }).data;
  }

  /** The address of someone new in the first workspace. */
  async person(role: Role, name: string = role): Promise<string> {
    const email = `${name}@people.example`;
    await this.call('POST', '/api/users', { email, role, password: PASSWORD });
    return email;
  }

  /** A window with nothing in it but a session, on its way to that address. */
  async visit(path: string, { as = ADMIN, watched, fresh, ...options }: VisitOptions = {}): Promise<Visitor> {
    const cookies = as === NOBODY ? [] : await this.#sessionOf(as);
    const window = await this.#windows.take(options, fresh);
    if (watched === false) window.watch.allow(/./);
    return { page: await window.goTo(path, cookies), watch: window.watch };
  }

  /** One session a person, however many windows: a password takes long to check, on purpose. */
  async #sessionOf(email: string): Promise<Cookies> {
    const known = this.#sessions.get(email);
    if (known) return known;
    const context = await this.world.browser.newContext();
    const reply = await context.request.post(`${this.url}/api/auth/login`, {
      data: { email, password: PASSWORD },
    });
    if (!reply.ok()) throw new Error(`${email} could not sign in: ${await reply.text()}`);
    const cookies = await context.cookies();
    await context.close();
    this.#sessions.set(email, cookies);
    return cookies;
  }

  /** The end of a test for everybody who came. Answers what their pages did that no page may do. */
  leave(): Promise<string[]> {
    return this.#windows.clear();
  }

  async close(): Promise<void> {
    await this.#windows.close();
    await this.stop();
    await Promise.all(this.#apart.map((server) => server.kill()));
    await this.database.drop();
  }
}

type Env = Readonly<Record<string, string>>;

/** One for all tests of a file. Every test fails whose pages do what no page of ours may do. */
export function useStage(env?: () => Env | Promise<Env>): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await Stage.open(await env?.());
  });
  afterEach(async () => {
    expect(await stage?.leave()).toEqual([]);
  });
  afterAll(() => stage?.close());
  return () => {
    if (!stage) throw new Error('the stage is not open yet');
    return stage;
  };
}
