import { ALWAYS } from './guarded.js';
import type { Stage } from './stage.js';

/** People of that many, by their addresses; named as they are, or by these names. */
export async function somePeople(
  stage: Stage,
  count: number,
  names: readonly string[] = [],
): Promise<string[]> {
  const contacts = Array.from({ length: count }, (_, n) => ({
    ...{ email: `person${n}@guests.example`, name: names[n] ?? `Person ${n}` },
  }));
  const { ids } = await stage.call('POST', '/api/contacts', { contacts });
  return ids as string[];
}

export async function aSequence(
  stage: Stage,
  name: string,
  steps: number,
  subject = 'Your calendar',
): Promise<string> {
  const { id } = await stage.call('POST', '/api/sequences', {
    name,
    steps: Array.from({ length: steps }, (_, n) => ({
      ...{ order: n + 1, delayDays: n === 0 ? 0 : 1, body: 'Dear {{ contact.name }}' },
      ...(n === 0 && { subject }),
    })),
  });
  return String(id);
}

/** An account whose window never shuts, and who sends as much as it is asked to. */
export async function aSender(
  stage: Stage,
  name: string,
  over: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const { id } = await stage.call('POST', '/api/accounts', {
    ...{ name, emailAddress: 'sender@example.org', window: ALWAYS, dailyLimitEmails: 5_000 },
    ...{ transport: { kind: 'smtp', url: stage.catcherUrl }, ...over },
  });
  return String(id);
}

export async function aDraft(
  stage: Stage,
  name: string,
  parts: {
    readonly sequenceId: string;
    readonly accountIds: readonly string[];
    readonly contactIds: readonly string[];
  },
): Promise<string> {
  const { sequenceId, accountIds, contactIds } = parts;
  const { id } = await stage.call('POST', '/api/campaigns', { name, sequenceId, accountIds });
  if (contactIds.length > 0)
    await stage.call('POST', `/api/campaigns/${String(id)}/prospects`, { contactIds });
  return String(id);
}

/** One that runs, of which nothing leaves because its account is paused, and a draft. */
export async function aCampaign(
  stage: Stage,
): Promise<{ readonly campaign: string; readonly draft: string }> {
  const contactIds = await somePeople(stage, 3);
  const paused = await aSender(stage, 'resting@', { status: 'paused', pauseReason: 'It rests.' });
  const active = await aSender(stage, 'active@');
  const sequenceId = await aSequence(stage, 'Autumn', 2);
  const campaign = await aDraft(stage, 'Autumn hosts', { sequenceId, accountIds: [paused], contactIds });
  await stage.call('POST', `/api/campaigns/${campaign}/launch`);
  const winter = await aSequence(stage, 'Winter', 2);
  const draft = await aDraft(stage, 'Winter rates', {
    ...{ sequenceId: winter, accountIds: [paused, active], contactIds },
  });
  return { campaign, draft };
}
