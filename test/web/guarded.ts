import type { Stage } from './stage.js';

const DAY_MS = 86_400_000;

/** Open at all times: what day it is today must not matter. */
export const ALWAYS = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, timezone: 'UTC' };

/** The noon of a day from now, in UTC. */
export const noonIn = (days: number): number => {
  const then = Date.now() + days * DAY_MS;
  return then - (then % DAY_MS) + DAY_MS / 2;
};

/** An account that may send so many a day, and whose window never shuts. */
export async function guardedAccount(
  stage: Stage,
  name: string,
  over: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await stage.call('POST', '/api/accounts', {
    ...{ name, emailAddress: 'guarded@example.org', window: ALWAYS },
    ...{ transport: { kind: 'smtp', url: stage.catcherUrl }, ...over },
  });
  return String(id);
}

/** Guarded mails of an account for the noon of a day, minutes apart. */
export async function planFor(
  stage: Stage,
  accountId: string,
  count: number,
  { inDays = 3, name = 'planned' }: { readonly inDays?: number; readonly name?: string } = {},
): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await stage.call('POST', '/api/outbox', {
      ...{
        to: `${name}${n}@example.org`,
        subject: `For ${name} ${n}`,
        text: 'Later.',
        accountId,
        guarded: true,
      },
      sendAt: new Date(noonIn(inDays) + n * 120_000).toISOString(),
    });
}

/** More is planned for one of its days than an account may send, by one. Answers the account. */
export async function overItsLimit(stage: Stage, name: string): Promise<string> {
  const id = await guardedAccount(stage, name, { dailyLimitEmails: 2 });
  await planFor(stage, id, 3);
  return id;
}
