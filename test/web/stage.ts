import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { readConfig } from '#pillarbox/config';
import type { Role } from '#pillarbox/core/access';
import { silent } from '#pillarbox/log';
import { startService, type Serving } from '#pillarbox/serve';
import { freePorts } from '../../scripts/services/ports.mjs';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { required } from '../postgres.js';
import { Trap } from './trap.js';
import { Watch } from './watch.js';

const BUILT_UI = fileURLToPath(new URL('../../dist/web/index.html', import.meta.url));
const API_KEY = 'a-key-of-twenty-four-characters';
export const ADMIN = 'admin@localhost';
export const NOBODY = null;
export const PASSWORD = 'correct horse battery staple';
/** Less than a test has, so that it is the step that fails and says what it was waiting for. */
const PATIENCE_MS = 15_000;

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;
type Answer = Readonly<Record<string, unknown>>;

/** Someone with a browser of his own. */
export interface Visitor {
  readonly page: Page;
  readonly watch: Watch;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The address of who is signed in; the administrator unless it is said. */
  readonly as?: string | null;
  /** False for a page that is not ours, and may do as it likes. */
  readonly watched?: false;
}

/** A whole service that people use with real browsers. */
export class Stage {
  #serving: Serving | undefined;
  readonly #visitors = new Map<BrowserContext, Watch>();
  readonly #sessions = new Map<string, Cookies>();

  private constructor(
    readonly url: string,
    readonly trap: Trap,
    private readonly database: FreshDatabase,
    private readonly browser: Browser,
  ) {}

  static async open(): Promise<Stage> {
    if (!existsSync(BUILT_UI)) throw new Error('the admin UI is not built: run the tests through `npm test`');
    const trap = await Trap.set();
    const browser = await chromium.launch({
      executablePath: required('PILLARBOX_TEST_CHROMIUM'),
      args: [
        `--host-resolver-rules=${trap.resolverRules}`,
        // Nobody looks: without a card it would be emulated, for nothing.
        '--disable-gpu',
        // Chromium refuses to run as root with its sandbox; the pages here are our own.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
    const [port = 0] = await freePorts(1);
    const stage = new Stage(`http://127.0.0.1:${port}`, trap, await freshSqlite(), browser);
    await stage.start();
    return stage;
  }

  /** On the port and the database that it had before. */
  async start(): Promise<void> {
    const config = readConfig({
      DATABASE_URL: this.database.url,
      PORT: new URL(this.url).port,
      MAIL_FROM: 'Harbour Rooms <box@example.org>',
      PILLARBOX_API_KEY: API_KEY,
      PILLARBOX_ADMIN_EMAIL: ADMIN,
      PILLARBOX_ADMIN_PASSWORD: PASSWORD,
      PILLARBOX_SECRET: 'a secret for tests, of some length',
      PILLARBOX_GRACE_SECONDS: '1',
    });
    this.#serving = await startService({ config, worker: true, log: silent, onMade: () => undefined });
  }

  async stop(): Promise<void> {
    await this.#serving?.stop();
    this.#serving = undefined;
  }

  /** Where the built-in catcher takes mail; another place after each start. */
  get catcherUrl(): string {
    return this.#serving!.catcherUrl!;
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

  /** The address of someone new in the first workspace. */
  async person(role: Role, name: string = role): Promise<string> {
    const email = `${name}@people.example`;
    await this.call('POST', '/api/users', { email, role, password: PASSWORD });
    return email;
  }

  /** A browser with nothing in it but a session, at that address. */
  async visit(path: string, { as = ADMIN, watched, ...options }: VisitOptions = {}): Promise<Visitor> {
    const context = await this.browser.newContext({
      ...{ baseURL: this.url, locale: 'en-GB', timezoneId: 'America/New_York' },
      ...{ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const watch = await Watch.over(context, this.url);
    if (watched === false) watch.allow(/./);
    this.#visitors.set(context, watch);
    if (as !== NOBODY) await context.addCookies(await this.#sessionOf(as));
    const page = await context.newPage();
    await page.goto(path, { waitUntil: 'commit' });
    return { page, watch };
  }

  /** One session a person, however many browsers: a password takes long to check, on purpose. */
  async #sessionOf(email: string): Promise<Cookies> {
    const known = this.#sessions.get(email);
    if (known) return known;
    const context = await this.browser.newContext();
    const reply = await context.request.post(`${this.url}/api/auth/login`, {
      data: { email, password: PASSWORD },
    });
    if (!reply.ok()) throw new Error(`${email} could not sign in: ${await reply.text()}`);
    const cookies = await context.cookies();
    await context.close();
    this.#sessions.set(email, cookies);
    return cookies;
  }

  /** Closes all browsers of a test, and answers what their pages did that no page may do. */
  async leave(): Promise<string[]> {
    const complaints: string[] = [];
    for (const [context, watch] of this.#visitors) {
      await context.close();
      complaints.push(...watch.complaints);
    }
    this.#visitors.clear();
    return complaints;
  }

  async close(): Promise<void> {
    await this.leave();
    await this.browser.close();
    await this.stop();
    await this.trap.close();
    await this.database.drop();
  }
}

/** One for all tests of a file. Every test fails whose pages do what no page of ours may do. */
export function useStage(): () => Stage {
  let stage: Stage | undefined;
  beforeAll(async () => {
    stage = await Stage.open();
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
