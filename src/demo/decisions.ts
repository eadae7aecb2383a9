import type { State } from '../core/lifecycle.js';
import type { Pillarbox } from '../library/pillarbox.js';
import { HOUSE_DOMAIN, type SenderName } from './letters/house.js';
import { note } from './stage.js';

/** What a person of the house decided, at its time. */
export interface Decision {
  readonly at: number;
  readonly act: (box: Pillarbox, accounts: Readonly<Record<SenderName, string>>) => Promise<void>;
}

const MINUTE_MS = 60_000;
const RUNA = `runa@${HOUSE_DOMAIN} (demo)`;

export const decisionsOf = (bornAt: number): readonly Decision[] =>
  [
    { minutesAgo: 1_560, act: pauseHello },
    { minutesAgo: 1_200, act: (box: Pillarbox) => decide(box, 'dead', 'dismiss') },
    { minutesAgo: 6, act: (box: Pillarbox) => decide(box, 'scheduled', 'cancel') },
  ].map(({ minutesAgo, act }) => ({ at: bornAt - minutesAgo * MINUTE_MS, act }));

async function pauseHello(box: Pillarbox, accounts: Readonly<Record<SenderName, string>>): Promise<void> {
  const patch = { status: 'paused', pauseReason: 'moves to the new mail server on Monday; Runa' } as const;
  await box.home.accounts.update(accounts.hello, patch);
  await note(box, RUNA, 'account.update', accounts.hello, patch);
}

/** About the newest of its kind. */
async function decide(box: Pillarbox, state: State, what: 'dismiss' | 'cancel'): Promise<void> {
  const { items } = await box.messages.list({ state, limit: 1 });
  for (const { id } of items) {
    await box.messages[what](id);
    await note(box, RUNA, `message.${what}`, id);
  }
}
