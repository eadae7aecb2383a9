import { describe, expect, test } from 'vitest';
import type { Content, ContentSource } from '#pillarbox/engine/contents';
import type { SendError } from '#pillarbox/core/report';
import { readMessages } from '#pillarbox/store/scripts/messages';
import { forgetFinished } from '#pillarbox/store/scripts/sweep';
import type { ClaimedMessage } from '#pillarbox/store/store';
import { asking, letLeasesRunOut, put, rows, take, type Fixture } from '../contract/fixture.js';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt, sent } from './carrier.js';
import { Parts, type PartsOptions } from './parts.js';
import { FAST } from './post.js';

const TORN: SendError = {
  class: 'permanent',
  scope: 'message',
  code: 'template_fault',
  message: 'order.total: is not there',
};

/** Makes contents as the test says, and remembers for whom. */
class Scribe implements ContentSource {
  readonly prepared: (readonly number[])[] = [];
  readonly made: number[] = [];

  constructor(private readonly conduct: (nth: number) => Content = (nth) => letter(`Text ${nth}`)) {}

  prepare(messages: readonly ClaimedMessage[]) {
    this.prepared.push(messages.map(({ id }) => id));
    return {
      contentOf: ({ id }: ClaimedMessage) => {
        this.made.push(id);
        return new Promise<Content>((resolve) => resolve(this.conduct(this.made.length)));
      },
    };
  }
}

const letter = (text: string): Content => ({
  mail: { from: { email: 'box@example.org' }, to: { email: 'ada@example.org' }, subject: 'Hello', text },
});

describe.each(databases)('a message that is stored without its content, on $name', (database) => {
  const withParts = async (
    options: Omit<PartsOptions, 'contents'> & { scribe: ContentSource },
    body: (parts: Parts) => Promise<void>,
  ) => {
    const own = await database.ready();
    const parts = await Parts.open(own.url, { ...FAST, ...options, contents: { outbox: options.scribe } });
    try {
      await body(parts);
    } finally {
      await parts.close();
      await own.drop();
    }
  };

  /** As front doors store it that say later what it says. */
  const putUnwritten = (fixture: Fixture): Promise<number> => put(fixture, { dueAt: 0, mail: null });

  const kept = async (fixture: Fixture): Promise<readonly string[]> => {
    const found = await rows<{ mail: string }>(fixture, `select mail from ${fixture.store.at('contents')}`);
    return found.map(({ mail }) => (JSON.parse(mail) as { text: string }).text);
  };

  const stateOf = async ({ store, workspaceId }: Fixture, id: number) =>
    (await store.read(readMessages(store, workspaceId, [id])))[0]!;

  test('gets it when it is sent, together with all others of its claim; nothing is stored', async () => {
    const scribe = new Scribe();
    const carrier = new Carrier();
    await withParts({ scribe, carrier }, async (parts) => {
      const ids = [await putUnwritten(parts.fixture), await putUnwritten(parts.fixture)];
      const written = await put(parts.fixture, {
        dueAt: 0,
        mail: JSON.stringify({ text: 'Written', to: {} }),
      });
      await parts.start();
      for (const id of [...ids, written]) await parts.settled(id);
      expect(scribe.prepared).toEqual([ids]);
      expect([...scribe.made].sort()).toEqual(ids);
      expect(carrier.left.map(({ mail }) => mail.text).sort()).toEqual(['Text 1', 'Text 2', 'Written']);
      expect(await kept(parts.fixture)).toEqual(['Written']);
    });
  });

  test('is dead of what is wrong with it; no gate is asked, nothing leaves', async () => {
    const scribe = new Scribe(() => ({ fault: TORN }));
    const carrier = new Carrier();
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id);
      expect(await stateOf(parts.fixture, id)).toMatchObject({
        state: 'dead',
        lastError: { class: 'permanent', code: 'template_fault', message: TORN.message },
      });
      expect(carrier.offered).toEqual([]);
    });
  });

  test('waits without a try while it cannot be made', async () => {
    const scribe = new Scribe((nth) => {
      if (nth < 3) throw new Error('the library is closed');
      return letter('At last');
    });
    const carrier = new Carrier();
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id, 3);
      expect(carrier.left.map(({ mail }) => mail.text)).toEqual(['At last']);
      expect(await stateOf(parts.fixture, id)).toMatchObject({ state: 'sent', attempts: 1 });
    });
  });

  test('keeps nobody back who came with the same claim while its source cannot even be asked', async () => {
    const scribe = new Scribe();
    let closed = true;
    const source: ContentSource = {
      prepare: (messages) => {
        if (closed) throw new Error('the library is closed');
        return scribe.prepare(messages);
      },
    };
    const carrier = new Carrier();
    await withParts({ scribe: source, carrier }, async (parts) => {
      const unwritten = await putUnwritten(parts.fixture);
      const written = await put(parts.fixture, { dueAt: 0 });
      await parts.start();
      await parts.settled(written);
      await parts.settled(unwritten);
      expect(await stateOf(parts.fixture, written)).toMatchObject({ state: 'sent' });
      expect(await stateOf(parts.fixture, unwritten)).toMatchObject({ attempts: 0 });
      closed = false;
      await expect.poll(async () => (await stateOf(parts.fixture, unwritten)).state).toBe('sent');
      expect((await stateOf(parts.fixture, unwritten)).attempts).toBe(1);
    });
  });

  test('is made anew after a try that did not pass the gate', async () => {
    const scribe = new Scribe();
    const carrier = new Carrier((_message, _gate, nth) => (nth === 1 ? failed(BUSY) : undefined));
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id, 2);
      expect(carrier.left.map(({ mail }) => mail.text)).toEqual(['Text 2']);
      expect(await kept(parts.fixture)).toEqual([]);
    });
  });

  test('says the same in every try once somebody may have it', async () => {
    const scribe = new Scribe();
    const refuse = afterTheGate(() => failed(BUSY));
    const carrier = new Carrier((message, gate, nth) => (nth < 3 ? refuse(message, gate, nth) : undefined));
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id, 3);
      expect(carrier.left.map(({ mail }) => mail.text)).toEqual(['Text 1', 'Text 1', 'Text 1']);
      expect(scribe.made).toEqual([id]);
      expect(await kept(parts.fixture)).toEqual(['Text 1']);
    });
  });

  test('is stored with its doubt', async () => {
    const scribe = new Scribe();
    const carrier = new Carrier(afterTheGate(() => inDoubt()));
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id);
      expect(await stateOf(parts.fixture, id)).toMatchObject({ state: 'held' });
      expect(await kept(parts.fixture)).toEqual(['Text 1']);
    });
  });

  test('is stored as well if its transport says that it left without asking', async () => {
    const scribe = new Scribe();
    const carrier = new Carrier((message) => sent(message));
    await withParts({ scribe, carrier }, async (parts) => {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id);
      expect(await stateOf(parts.fixture, id)).toMatchObject({ state: 'held' });
      expect(await kept(parts.fixture)).toEqual(['Text 1']);
    });
  });

  test('is made and stored by whoever finds that its worker was lost after the gate', async () => {
    const scribe = new Scribe();
    await withParts({ scribe, carrier: new Carrier() }, async (parts) => {
      const { fixture } = parts;
      const ids = [await putUnwritten(fixture), await putUnwritten(fixture)];
      const claim = await take(fixture);
      await fixture.store.gate(claim.messages.map((message) => asking(claim, message)));
      await letLeasesRunOut(fixture);
      await parts.start();
      for (const id of ids) await expect.poll(async () => (await stateOf(fixture, id)).state).toBe('held');
      expect([...(await kept(fixture))].sort()).toEqual(['Text 1', 'Text 2']);
      // Together, as they were claimed.
      expect(scribe.prepared).toEqual([ids]);
    });
  });

  test('is dead if nobody can make it', async () => {
    const carrier = new Carrier();
    const own = await database.ready();
    const parts = await Parts.open(own.url, { carrier });
    try {
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id);
      expect(await stateOf(parts.fixture, id)).toMatchObject({
        state: 'dead',
        lastError: { code: 'content_missing' },
      });
    } finally {
      await parts.close();
      await own.drop();
    }
  });

  test('is forgotten like any other when its time is over', async () => {
    const scribe = new Scribe();
    await withParts({ scribe, carrier: new Carrier() }, async (parts) => {
      const { store, workspaceId } = parts.fixture;
      const id = await putUnwritten(parts.fixture);
      await parts.start();
      await parts.settled(id);
      const now = (await store.now()) + 24 * 3_600_000;
      const step = await store.transaction(() =>
        forgetFinished(store, workspaceId, { now, keepMs: 1_000 }, 10),
      );
      expect(step).toMatchObject({ forgotten: 1 });
      expect(await store.read(readMessages(store, workspaceId, [id]))).toEqual([]);
    });
  });
});
