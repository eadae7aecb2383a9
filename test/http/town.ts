import { SCOPES } from '#pillarbox/core/access';
import type { Route } from '#pillarbox/http/route';
import type { FreshDatabase } from '../databases.js';
import { Office, type Caller } from './office.js';

export const CRON_SECRET = 'a secret for the timer';
/** Stands in everything that belongs to the first workspace, and nowhere else. */
export const CANARY = 'canary';
const PASSWORD = 'correct horse battery staple';
/** What never ends by itself is asked for its head only: the same rules hold, and nothing stays open. */
const ENDLESS = new Set(['GET /api/stream']);

type Ids = Readonly<Record<string, string>>;

/** Two workspaces in one office: what belongs to the first is none of the second's business. */
export class Town {
  private constructor(
    readonly office: Office,
    /** An object of the first workspace, by the collection that its route belongs to. */
    readonly ids: Ids,
    /** The same of the second. */
    readonly theirs: Ids,
    readonly strangersHome: number,
  ) {}

  /** `founded`: what time it is in it from then on; whatever it holds is of that time. */
  static async build(database: FreshDatabase, founded?: number): Promise<Town> {
    const office = await Office.open(
      { databaseUrl: database.url },
      {
        ...{ workspace: `${CANARY} home`, cronSecret: CRON_SECRET },
        ...{ secret: 'a secret of some length, for tests', allowPrivateHosts: false },
      },
    );
    if (founded !== undefined) await office.box.store.setClock(founded);
    const strangersHome = await office.workspace('elsewhere');
    const stranger = await office.key(SCOPES, strangersHome);
    return new Town(
      office,
      await furnish(office, office.admin, CANARY),
      await furnish(office, stranger, 'theirs'),
      strangersHome,
    );
  }

  /** With every scope, in the other workspace. */
  stranger(): Promise<Caller> {
    return this.office.key(SCOPES, this.strangersHome);
  }

  /** The address of a route, with an object of the first workspace in it. */
  addressOf({ url }: Route): string {
    const collection = collectionOf(url);
    return url.replace(/:(\w+)/g, (_, name: string) => {
      const id = name === 'id' ? this.ids[collection] : 'ffffffffffffffff';
      if (id === undefined) throw new Error(`${url} needs an id of ${collection} in ids`);
      return id;
    });
  }

  /** As it stands on the wire: `payload` is sent as it is. */
  async send(
    route: Route,
    url: string,
    headers: Readonly<Record<string, string>>,
    payload?: string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const method = ENDLESS.has(nameOf(route)) ? 'HEAD' : route.method;
    const reply = await this.office.app.inject({
      method,
      url,
      headers: { ...(payload !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(payload !== undefined && { payload }),
    });
    return { status: reply.statusCode, text: reply.body };
  }

  close(): Promise<void> {
    return this.office.close();
  }
}

export const nameOf = ({ method, url }: Route): string => `${method} ${url}`;

/** What the objects of a route are: `messages` of `/api/messages/:id/retry`. */
export const collectionOf = (url: string): string =>
  url.includes('/imports')
    ? 'imports'
    : (url.split('/').find((part) => !/^(?:|api|admin)$/.test(part)) ?? '');

/** One of each kind, with that word in whatever can hold it. */
async function furnish(office: Office, owner: Caller, word: string): Promise<Ids> {
  const make = async (url: string, body: object): Promise<string> => {
    const { status, data, text } = await office.call(owner, 'POST', url, body);
    if (status > 299) throw new Error(`${url} answered ${text}`);
    return String(data['id']);
  };
  const mail = { to: `${word}@example.org`, subject: word, text: word, mode: 'queue' };
  // Nobody is ever there: what connects to it fails at once.
  const baseUrl = 'https://pillarbox.invalid';
  const transport = { kind: 'gmail', clientId: word, clientSecret: word, refreshToken: word, baseUrl };
  const messages = await make('/api/outbox', { ...mail, sendAt: '2031-03-03T09:00:00Z' });
  const accounts = await make('/api/accounts', {
    name: word,
    emailAddress: `${word}@home.example`,
    transport,
  });
  return {
    messages,
    campaigns: await make('/api/campaigns', { name: word, accountIds: [accounts] }),
    outbox: messages,
    users: await make('/api/users', { email: `${word}@people.example`, role: 'admin', password: PASSWORD }),
    keys: await make('/api/keys', { name: word, scopes: ['send'] }),
    accounts,
    sequences: await make('/api/sequences', {
      name: word,
      steps: [{ order: 1, delayDays: 0, subject: word, body: word }],
    }),
    templates: await make('/api/templates', {
      ...{ id: word, version: 'v1', locale: 'en', subject: word, text: word },
    }),
    contacts: await make('/api/contacts', { email: `${word}@people.example`, name: word }),
    subscriptions: await make('/api/subscriptions', {
      ...{ topic: word, contactType: 'email', contactValue: `${word}@people.example`, name: word },
    }),
    events: await make('/api/events', {
      ...{ type: word, topic: `nobody reads ${word}`, template: { id: word }, payload: { word } },
    }),
    imports: await upload(office, owner, `email,${word}\n${word}@people.example,${word}\n`),
    inbox: 'cgt_1',
    auth: 'ses_1',
  };
}

async function upload(office: Office, { headers }: Caller, payload: string): Promise<string> {
  const reply = await office.app.inject({
    ...{ method: 'POST', url: '/api/contacts/imports', payload },
    headers: { ...headers, 'content-type': 'text/csv' },
  });
  if (reply.statusCode !== 202) throw new Error(`/api/contacts/imports answered ${reply.body}`);
  return reply.json<{ data: { id: string } }>().data.id;
}
