import { describe, expect, test } from 'vitest';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';
import { PASSWORD, PASSWORD_HASH, type Office } from './office.js';
import { officesOn } from './offices.js';

const ADA = 'ada@example.org';
const MINUTE_MS = 60_000;

interface From {
  /** Who connects; a proxy, or whoever asks himself. */
  readonly peer?: string;
  /** What the peer says of who asks: X-Forwarded-For. */
  readonly said?: string;
}

async function known({ box: { store, home } }: Office, email = ADA): Promise<void> {
  const person = { email, role: 'viewer', password: PASSWORD_HASH } as const;
  await store.transaction(addMember(store, home.id, person, await store.now()));
}

async function logIn(office: Office, from: From, password = PASSWORD, email = ADA): Promise<number> {
  const { peer = '127.0.0.1', said } = from;
  const { statusCode } = await office.app.inject({
    ...{ method: 'POST', url: '/api/auth/login', remoteAddress: peer, payload: { email, password } },
    headers: { ...(said !== undefined && { 'x-forwarded-for': said }) },
  });
  return statusCode;
}

/** Until there are no more: ten for one address from one place. */
async function useUp(office: Office, from: From | ((failure: number) => From)): Promise<void> {
  for (let failure = 1; failure <= 10; failure += 1) {
    const here = typeof from === 'function' ? from(failure) : from;
    expect(await logIn(office, here, `wrong ${failure}`)).toBe(401);
  }
}

/** As if so many had failed already, under each of these names. */
async function failed({ box: { store } }: Office, times: number, ...subjects: string[]): Promise<void> {
  const rows = subjects.flatMap((subject) => Array<string>(times).fill(subject));
  const now = Date.now();
  await store.transaction(
    ask(store.db.insertInto('login_failures').values(rows.map((subject) => ({ subject, failed_at: now })))),
  );
}

describe.each(databases)('whoever guesses at somebody’s password on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'shuts himself out where he is, and its owner nowhere else',
    onOffice(async (office) => {
      await known(office);
      await useUp(office, { said: '198.51.100.9' });
      expect(await logIn(office, { said: '198.51.100.9' })).toBe(429);
      expect(await logIn(office, { said: '203.0.113.7' })).toBe(200);
    }),
  );

  test(
    'from hundreds of places leaves him few tries at each, and its owner those at his own',
    onOffice(async (office) => {
      await known(office);
      expect(await logIn(office, { said: '203.0.113.7' })).toBe(200);
      await failed(office, 500, `email ${ADA}`);
      const elsewhere = { said: '198.51.100.9' };
      for (let failure = 1; failure <= 3; failure += 1) {
        expect(await logIn(office, elsewhere, 'wrong')).toBe(401);
      }
      expect(await logIn(office, elsewhere)).toBe(429);
      // Where he has logged in before he has all of them, and anywhere else some.
      for (let failure = 1; failure <= 9; failure += 1) {
        expect(await logIn(office, { said: '203.0.113.7' }, 'wrong')).toBe(401);
      }
      expect(await logIn(office, { said: '203.0.113.7' })).toBe(200);
      expect(await logIn(office, { said: '203.0.113.8' }, 'wrong')).toBe(401);
      expect(await logIn(office, { said: '203.0.113.8' })).toBe(200);
    }),
  );

  test(
    'from the place where its owner logs in shuts out strangers there, but not him',
    onOffice(async (office) => {
      await known(office);
      await known(office, 'bob@example.org');
      const office7 = { said: '203.0.113.7' };
      expect(await logIn(office, office7)).toBe(200);
      await failed(office, 100, 'place 203.0.113.7');
      expect(await logIn(office, office7)).toBe(200);
      expect(await logIn(office, office7, PASSWORD, 'bob@example.org')).toBe(429);
      expect(await logIn(office, { said: '203.0.113.8' }, PASSWORD, 'bob@example.org')).toBe(200);
    }),
  );

  test(
    'is the same one wherever he is in his network of IPv6',
    onOffice(async (office) => {
      await known(office);
      await useUp(office, (failure) => ({ said: `2001:db8:1:2:${failure}::${failure}` }));
      expect(await logIn(office, { said: '2001:db8:1:2:ffff:ffff:ffff:ffff' })).toBe(429);
      expect(await logIn(office, { said: '2001:db8:1:3::1' })).toBe(200);
    }),
  );

  test(
    'can’t make failures of others by what he calls himself',
    onOffice(async (office) => {
      const { store } = office.box;
      const subjectsOf = async (email: string, said: string) => {
        await store.transaction(ask(store.db.deleteFrom('login_failures')));
        expect(await logIn(office, { said }, 'wrong', email)).toBe(401);
        const rows = await store.read(ask(store.db.selectFrom('login_failures').select('subject')));
        return rows.map(({ subject }) => subject);
      };
      await known(office);
      const own = await subjectsOf(ADA, '203.0.113.7');
      for (const email of [`203.0.113.7 ${ADA}`, `${ADA} 203.0.113.7`, `pair 203.0.113.7 ${ADA}`]) {
        const his = await subjectsOf(email, '198.51.100.9');
        expect(his).toHaveLength(3);
        expect(his.filter((subject) => own.includes(subject))).toEqual([]);
      }
    }),
  );

  test(
    'fills no table: what is older than the window goes',
    onOffice(async (office) => {
      const { store } = office.box;
      await failed(office, 50, `email ${ADA}`, 'place 203.0.113.7');
      const past = Date.now() - 16 * MINUTE_MS;
      await store.transaction(ask(store.db.updateTable('login_failures').set({ failed_at: past })));
      expect(await logIn(office, {}, 'wrong')).toBe(401);
      const rows = await store.read(ask(store.db.selectFrom('login_failures').select('subject')));
      expect(rows.map(({ subject }) => subject).sort()).toEqual([
        `email ${ADA}`,
        `pair 127.0.0.1 ${ADA}`,
        'place 127.0.0.1',
      ]);
    }),
  );
});

describe('behind a proxy', () => {
  const onOffice = officesOn(databases[0]!);

  test(
    'on another host that is believed, each place is one of its own',
    onOffice(
      async (office) => {
        await known(office);
        const peer = '10.1.2.3';
        await useUp(office, { peer, said: '198.51.100.9' });
        expect(await logIn(office, { peer, said: '198.51.100.9' })).toBe(429);
        expect(await logIn(office, { peer, said: '203.0.113.7' })).toBe(200);
        // What he says himself stands to the left of what the proxies say of him.
        expect(await logIn(office, { peer, said: '203.0.113.7, 198.51.100.9' })).toBe(429);
        expect(await logIn(office, { peer, said: '203.0.113.8, 198.51.100.9, fd00::5, 10.9.9.9' })).toBe(429);
        expect(await logIn(office, { peer: '::ffff:10.1.2.3', said: '198.51.100.9' })).toBe(429);
        expect(await logIn(office, { peer, said: '198.51.100.9:40000' })).toBe(429);
      },
      { trustedProxies: ['10.0.0.0/8', 'fd00::5'] },
    ),
  );

  test(
    'that is not believed, nobody becomes another by what is said',
    onOffice(
      async (office) => {
        await known(office);
        await useUp(office, (failure) => ({ peer: '198.51.100.9', said: `203.0.113.${failure}` }));
        expect(await logIn(office, { peer: '198.51.100.9', said: '203.0.113.77' })).toBe(429);
        // Once others are named, this machine is none of them.
        await useUp(office, (failure) => ({ said: `203.0.113.${failure}` }));
        expect(await logIn(office, { said: '203.0.113.77' })).toBe(429);
        expect(await logIn(office, { peer: '10.1.2.3', said: '203.0.113.77' })).toBe(200);
      },
      { trustedProxies: ['10.0.0.0/8'] },
    ),
  );

  test(
    'that has nothing of use to say, it is the place itself',
    onOffice(async (office) => {
      await known(office);
      const words = ['unknown', '_hidden', 'x'.repeat(5_000), '1.2.3.4.5', '-', ','];
      await useUp(office, (failure) => ({ said: words[failure % words.length]! }));
      expect(await logIn(office, {})).toBe(429);
      expect(await logIn(office, { said: 'somebody else' })).toBe(429);
    }),
  );
});
