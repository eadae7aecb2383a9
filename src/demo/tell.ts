import type { Pillarbox } from '../library/pillarbox.js';
import { decisionsOf } from './decisions.js';
import type { SenderName } from './letters/house.js';
import { pastOf } from './past.js';
import type { Posting } from './postings.js';
import type { Provider } from './provider.js';

const PASS_SECONDS = 5;
/** The first moments take longer than the others: everything is new to the process. */
const HEAD_START = 0.1;

export interface Telling {
  /** Of the teller's own: its clock is set. */
  readonly box: Pillarbox;
  readonly provider: Provider;
  /** Of all connections that take part. */
  readonly setClock: (instant: number) => Promise<void>;
  readonly bornAt: number;
  readonly accounts: Readonly<Record<SenderName, string>>;
  /** Nobody else works on this database. */
  readonly alone: boolean;
  /** On a slow disk the story gets thinner, not the wait longer. */
  readonly patienceMs: number;
}

/**
 * Goes through the past: the clock is set to each of its moments, what was posted then is posted, and sent through
 * the real engine to the real provider of the demo. So whatever a history shows has happened, only faster.
 */
export async function tellPast(telling: Telling): Promise<void> {
  const { box, provider, setClock, bornAt, accounts, alone, patienceMs } = telling;
  const began = performance.now();
  const moments = pastOf(bornAt, alone).map(({ at, postings, ordinary }) => ({
    at,
    ordinary,
    happen: async () => {
      await Promise.all(postings.map((posting) => post(box, accounts, posting)));
    },
  }));
  const decisions = decisionsOf(bornAt).map(({ at, act }) => ({
    at,
    ordinary: false,
    happen: () => act(box, accounts),
  }));
  const story = [...moments, ...decisions].sort((a, b) => a.at - b.at);
  for (const [place, { at, ordinary, happen }] of story.entries()) {
    const isLate = (performance.now() - began) / patienceMs > place / story.length + HEAD_START;
    await setClock(at);
    provider.behaveAsAt(at - bornAt);
    // What is to be tried again is, at its time, also where nothing new is told.
    if (!(ordinary && isLate)) await happen();
    if (alone) await box.pass({ seconds: PASS_SECONDS, seen: false });
  }
}

export async function post(
  { outbox }: Pillarbox,
  accounts: Readonly<Record<SenderName, string>>,
  { key, letter, door }: Posting,
): Promise<void> {
  const mail = { ...letter.mail, accountId: accounts[letter.from] };
  await outbox[door](mail, { idempotencyKey: key });
}
