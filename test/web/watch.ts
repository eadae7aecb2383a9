import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core';

/** A refusal that the page has to cope with; the browser writes every one of them into the console. */
const ANSWERED = /^Failed to load resource: the server responded with a status of 4\d\d/;
/** The document of a mail that is looked at: what the policy keeps from it is the policy at work. */
const PREVIEW = /^\/api\/(?:(?:messages|inbox)\/\w+\/preview|sequences\/\w+\/document)$/;

/** What the browser says of a server that went away, whatever was under way meanwhile: to be allowed where one does. */
export const SERVER_AWAY =
  /ERR_CONNECTION_(?:REFUSED|RESET|CLOSED)|ERR_SOCKET_NOT_CONNECTED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONTENT_LENGTH_MISMATCH/;

const LISTENER = `addEventListener('securitypolicyviolation', (event) =>
  window.pillarboxViolated(event.effectiveDirective + ' of ' + event.blockedURI + ' in ' + event.sourceFile))`;

/** Everything that no page of ours may do, whatever it shows. */
export class Watch {
  readonly #complaints: string[] = [];
  readonly #allowed: RegExp[] = [];

  private constructor(private readonly origin: string) {}

  static async over(context: BrowserContext, origin: string): Promise<Watch> {
    const watch = new Watch(origin);
    await context.exposeBinding('pillarboxViolated', (_source, what: string) =>
      watch.#complain(`content security policy: ${what}`),
    );
    await context.addInitScript(LISTENER);
    context.on('console', (message) => watch.#onConsole(message));
    context.on('weberror', (error) => watch.#complain(`error: ${error.error().message}`));
    context.on('request', (request) => watch.#onRequest(request));
    context.on('dialog', (dialog) => {
      watch.#complain(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    return watch;
  }

  /** For what a test does on purpose, such as a server that goes away. */
  allow(what: RegExp): void {
    this.#allowed.push(what);
  }

  get complaints(): readonly string[] {
    return this.#complaints.filter((complaint) => !this.#allowed.some((what) => what.test(complaint)));
  }

  /** And begins anew, for the next who is watched. */
  takeComplaints(): string[] {
    const { complaints } = this;
    this.#complaints.length = 0;
    this.#allowed.length = 0;
    return [...complaints];
  }

  #complain(what: string): void {
    this.#complaints.push(what);
  }

  #onConsole(message: ConsoleMessage): void {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    if (this.#isOfAMail(url)) return;
    if (ANSWERED.test(message.text()) && url.startsWith(`${this.origin}/api/`)) return;
    this.#complain(`console: ${message.text()} (${url})`);
  }

  #onRequest(request: Request): void {
    const url = new URL(request.url());
    if (!/^(?:https?|wss?):$/.test(url.protocol) || url.origin === this.origin) return;
    // A page must not even try. A mail may: what forbids it is tested with the trap.
    if (this.#isOfAMail(request.frame().url())) return;
    this.#complain(`request to elsewhere: ${url.href}`);
  }

  #isOfAMail(url: string): boolean {
    return URL.canParse(url) && new URL(url).origin === this.origin && PREVIEW.test(new URL(url).pathname);
  }
}
