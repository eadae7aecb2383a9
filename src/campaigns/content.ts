import { domainOf } from '../core/address.js';
import { formatMessageId } from '../core/ids.js';
import type { WorkspaceProfile } from '../core/delivery-settings.js';
import type { Content, ContentSource, PreparedContents } from '../engine/contents.js';
import type { Links } from '../links/links.js';
import { composeSteps, type ComposeJob, type Thread } from '../sequences/compose.js';
import type { Script } from '../store/script.js';
import { accountsOfChannels } from '../store/scripts/accounts.js';
import { campaignNames } from '../store/scripts/campaigns.js';
import { readContacts, type Contact } from '../store/scripts/contacts.js';
import { readSending } from '../store/scripts/openings.js';
import { readSequenceVersion, type SequenceStep } from '../store/scripts/sequences.js';
import { readSettings } from '../store/scripts/settings.js';
import { noteSubjects, readThread, type ThreadPart } from '../store/scripts/threads.js';
import type { ClaimedMessage, Store } from '../store/store.js';
import type { RenderPool } from '../templates/render-pool.js';

/** What a campaign's mails say is made when they are claimed, all of a claim together. */
export const campaignContents = (store: Store, pool: RenderPool, links: Links): ContentSource => ({
  prepare(messages): PreparedContents {
    let made: Promise<ReadonlyMap<number, Content>> | undefined;
    return {
      async contentOf(message) {
        // Asked for when the first of them is about to leave; a failure is for all of them to be asked again.
        made ??= compose(store, pool, links, messages);
        const contents = await made.catch((error: unknown) => {
          made = undefined;
          throw error;
        });
        return contents.get(message.id) ?? UNKNOWN;
      },
    };
  },
});

const fault = (code: string, message: string): Content => ({
  fault: { class: 'permanent', scope: 'message', code, message },
});
const UNKNOWN = fault('content_missing', 'the sequence or the person of this mail is not there any more');

async function compose(
  store: Store,
  pool: RenderPool,
  links: Links,
  messages: readonly ClaimedMessage[],
): Promise<ReadonlyMap<number, Content>> {
  const jobs = await store.read(readJobs(store, links, messages));
  const composed = await composeSteps(
    pool,
    jobs.map(({ job }) => job),
  );
  const contents = new Map<number, Content>();
  const subjects: { id: number; subject: string }[] = [];
  for (const [n, { message }] of jobs.entries()) {
    const content = composed[n];
    if (!content) continue;
    contents.set(message.id, content);
    if ('mail' in content && message.action === 'email')
      subjects.push({ id: message.id, subject: content.mail.subject });
  }
  // Lists show it, and follow-ups that go on in its thread bear it.
  await store.transaction(() => noteSubjects(store, subjects));
  return contents;
}

interface Job {
  readonly message: ClaimedMessage;
  readonly job: ComposeJob;
}

function* readJobs(store: Store, links: Links, messages: readonly ClaimedMessage[]): Script<readonly Job[]> {
  const jobs: Job[] = [];
  for (const workspaceId of new Set(messages.map((message) => message.workspaceId))) {
    const own = messages.filter((message) => message.workspaceId === workspaceId);
    jobs.push(...(yield* readJobsOf(store, links, workspaceId, own)));
  }
  return jobs;
}

function* readJobsOf(
  store: Store,
  links: Links,
  workspaceId: number,
  messages: readonly ClaimedMessage[],
): Script<readonly Job[]> {
  const contacts = new Map<number, Contact>(
    (yield* readContacts(store, workspaceId, numbers(messages, 'contactId'))).map((each) => [each.id, each]),
  );
  const names = yield* campaignNames(store, numbers(messages, 'campaignId'));
  const accounts = yield* accountsOfChannels(store, numbers(messages, 'channelId'));
  const profile = (yield* readSettings(store, workspaceId, 'workspace')) as
    Partial<WorkspaceProfile> | undefined;
  const { timezone } = yield* readSending(store, workspaceId);
  const sequences = new Map<string, readonly SequenceStep[]>();
  const jobs: Job[] = [];
  for (const message of messages) {
    const { sequenceId, sequenceVersion, stepNumber, contactId, campaignId, channelId } = message;
    if (sequenceId === null || sequenceVersion === null || contactId === null || campaignId === null)
      continue;
    const name = `${sequenceId} ${sequenceVersion}`;
    if (!sequences.has(name)) {
      const found = yield* readSequenceVersion(store, workspaceId, sequenceId, sequenceVersion);
      sequences.set(name, found?.steps ?? []);
    }
    const steps = sequences.get(name) ?? [];
    const step = steps.find(({ order }) => order === stepNumber);
    const [contact, account] = [contacts.get(contactId), accounts.get(channelId)];
    if (!step || !contact || !account) continue;
    const thread = yield* threadOf(store, message, step, steps);
    jobs.push({
      message,
      job: {
        ...{ step, steps, contact, account, thread, timezone },
        campaign: { id: campaignId, name: names.get(campaignId) ?? '' },
        unsubscribeUrl: links.unsubscribeUrl(workspaceId, contactId, campaignId),
        postalAddress: profile?.postalAddress ?? null,
        locale: profile?.defaultLocale,
      },
    });
  }
  return jobs;
}

const numbers = (
  messages: readonly ClaimedMessage[],
  field: 'contactId' | 'campaignId' | 'channelId',
): readonly number[] => [...new Set(messages.flatMap((message) => message[field] ?? []))];

/** What a follow-up without a subject of its own goes on in: the mails before it, from the last that began a thread. */
function* threadOf(
  store: Store,
  message: ClaimedMessage,
  step: SequenceStep,
  steps: readonly SequenceStep[],
): Script<Thread | undefined> {
  if (step.action !== 'email' || step.subject !== null) return undefined;
  const begins = steps.findLast(
    ({ order, action, subject }) => order < step.order && action === 'email' && subject !== null,
  );
  if (!begins) return undefined;
  const parts: readonly ThreadPart[] = yield* readThread(store, message, begins.order, step.order);
  const [first] = parts;
  if (first?.subject == null || first.step !== begins.order) return undefined;
  // From another account it is a new thread.
  if (parts.some(({ sender }) => sender !== message.sender)) return undefined;
  return {
    subject: first.subject,
    threadId: parts.findLast(({ threadId }) => threadId !== null)?.threadId ?? undefined,
    messageIds: parts.map(({ id, sender }) => formatMessageId(id, store.installation, domainOf(sender))),
  };
}
