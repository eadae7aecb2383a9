import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { PATIENCE_MS } from '../patience.js';
import { Watch } from './watch.js';

export type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** What one person has of a browser, and nobody else sees. */
export class PrivateWindow {
  private constructor(
    private readonly context: BrowserContext,
    private readonly origin: string,
    /** Open as long as the window: with its last page ends the process that shows them, and another takes long to start. */
    private readonly blank: Page,
    private readonly devtools: CDPSession,
    readonly watch: Watch,
  ) {}

  static async open(
    browser: Browser,
    origin: string,
    options: BrowserContextOptions,
  ): Promise<PrivateWindow> {
    const context = await browser.newContext({
      ...{ baseURL: origin, locale: 'en-GB', timezoneId: 'America/New_York' },
      ...{ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' },
      ...options,
    });
    // Less than a test has, so that it is the step that fails and says what it was waiting for.
    context.setDefaultTimeout(PATIENCE_MS);
    const watch = await Watch.over(context, origin);
    const blank = await context.newPage();
    return new PrivateWindow(context, origin, blank, await context.newCDPSession(blank), watch);
  }

  /** A new page, on its way to that address. */
  async goTo(path: string, cookies: Cookies): Promise<Page> {
    await this.context.addCookies(cookies);
    const page = await this.context.newPage();
    await page.goto(path, { waitUntil: 'commit' });
    return page;
  }

  /** Keeps nothing but the scripts that it has loaded. Answers what its pages did that no page may do. */
  async clear(): Promise<string[]> {
    const pages = this.context.pages().filter((page) => page !== this.blank);
    await Promise.all(pages.map((page) => page.close()));
    await this.context.clearCookies();
    await this.devtools.send('Storage.clearDataForOrigin', { origin: this.origin, storageTypes: 'all' });
    return this.watch.takeComplaints();
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

/** One for everybody who comes. A new one takes long to show its first page, so the next gets one that was cleared. */
export class Windows {
  /** By what was asked for, which is what the next has to ask for; nothing if there shall be no next. */
  readonly #inUse = new Map<PrivateWindow, string | undefined>();
  readonly #cleared = new Map<string, PrivateWindow[]>();

  constructor(
    private readonly browser: Browser,
    private readonly origin: string,
  ) {}

  async take(options: BrowserContextOptions, fresh = false): Promise<PrivateWindow> {
    const asked = fresh ? undefined : JSON.stringify(options);
    const cleared = asked === undefined ? undefined : this.#cleared.get(asked)?.pop();
    const window = cleared ?? (await PrivateWindow.open(this.browser, this.origin, options));
    this.#inUse.set(window, asked);
    return window;
  }

  /** When everybody has left. Answers what their pages did that no page may do. */
  async clear(): Promise<string[]> {
    const complaints: string[] = [];
    for (const [window, asked] of this.#inUse) {
      complaints.push(...(await window.clear()));
      if (asked === undefined) await window.close();
      else this.#cleared.set(asked, [...(this.#cleared.get(asked) ?? []), window]);
    }
    this.#inUse.clear();
    return complaints;
  }

  async close(): Promise<void> {
    await this.clear();
    for (const window of [...this.#cleared.values()].flat()) await window.close();
    this.#cleared.clear();
  }
}
