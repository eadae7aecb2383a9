import type { Mail } from '../core/mail.js';
import type { Action } from '../core/message.js';
import type { SendError } from '../core/report.js';
import type { Contact } from '../core/contact.js';
import type { SequenceStep } from '../store/scripts/sequences.js';
import type { RenderPool } from '../templates/render-pool.js';
import {
  isFault,
  type Rendered,
  type RenderJob,
  type Setting,
  type TemplateFault,
} from '../templates/source.js';
import { sourceOf } from './body.js';
import { withFooter } from './footer.js';
import { commonScope, contactScope, type Occasion, type Sender } from './scope.js';

/** What of a thread a follow-up without a subject of its own joins. */
export interface Thread {
  /** Of its first mail, as it was sent. */
  readonly subject: string;
  /** With angle brackets, the first one first. */
  readonly messageIds: readonly string[];
  /** The provider's own name of it, if it has one. */
  readonly threadId?: string | undefined;
}

/** One step for one person. */
export interface ComposeJob {
  readonly step: SequenceStep;
  /** All of the sequence's version. */
  readonly steps: readonly SequenceStep[];
  readonly contact: Contact;
  readonly account: Sender;
  readonly campaign: Occasion;
  readonly unsubscribeUrl: string;
  readonly postalAddress: string | null;
  /** Not given: nothing was sent yet, and the subject is that of the step which begins the thread. */
  readonly thread?: Thread | undefined;
  /** Default `en`. */
  readonly locale?: string | undefined;
  /** For who has none of his own. Default UTC. */
  readonly timezone?: string | undefined;
}

/** What `ContentSource` of the engine answers with. */
export type Composed = { readonly mail: Mail } | { readonly fault: SendError };

export async function composeStep(pool: RenderPool, job: ComposeJob): Promise<Composed> {
  const [composed] = await composeSteps(pool, [job]);
  if (!composed) throw new Error('one job had no answer');
  return composed;
}

/** All of a claim together, in their order: what they share is rendered once. Rejects if it must be asked again. */
export async function composeSteps(
  pool: RenderPool,
  jobs: readonly ComposeJob[],
): Promise<readonly Composed[]> {
  const settings = new Map<string, Setting>();
  const renderJobs: RenderJob[] = [];
  const faults = jobs.map((job) => {
    const fault = whomFault(job);
    if (!fault) renderJobs.push(renderJobOf(job, settings));
    return fault;
  });
  const rendered = await pool.render(renderJobs);
  let next = 0;
  return jobs.map((job, index) => {
    const fault = faults[index];
    if (fault) return { fault };
    const made = rendered[next];
    next += 1;
    if (!made) throw new Error('a job had no answer');
    return isFault(made) ? { fault: sendErrorOf(job.step, made.fault) } : composedOf(job, made);
  });
}

function whomFault({ step, contact }: ComposeJob): SendError | undefined {
  const lacking = step.action === 'email' ? contact.email : contact.linkedinId;
  if (lacking !== null) return undefined;
  return step.action === 'email'
    ? permanent('contact_without_email', 'this person has no email address')
    : permanent('contact_without_linkedin', 'this person has no LinkedIn id');
}

function renderJobOf(job: ComposeJob, settings: Map<string, Setting>): RenderJob {
  const { step, steps, contact, account, campaign, unsubscribeUrl, postalAddress, thread } = job;
  const { locale = 'en', timezone = 'UTC' } = job;
  const zone = contact.timezone ?? timezone;
  const key = JSON.stringify([account.id, campaign.id, campaign.name, postalAddress, locale, zone]);
  let setting = settings.get(key);
  if (!setting) {
    setting = { variables: commonScope(account, campaign, postalAddress), locale, timezone: zone };
    settings.set(key, setting);
  }
  const begun = thread === undefined && step.subject === null ? beginningOf(step, steps) : undefined;
  const source = sourceOf(step);
  const own = { contact: contactScope(contact), unsubscribeUrl };
  const subject = begun?.subject ?? undefined;
  const of = String(account.workspaceId ?? `account ${account.id}`);
  return { source: subject === undefined ? source : { ...source, subject }, setting, own, of };
}

/** The step before it whose subject its thread has. */
const beginningOf = (step: SequenceStep, steps: readonly SequenceStep[]): SequenceStep | undefined =>
  step.action === 'email'
    ? steps.findLast(
        ({ order, action, subject }) => order < step.order && action === 'email' && subject !== null,
      )
    : undefined;

function composedOf(job: ComposeJob, made: Exclude<Rendered, { fault: unknown }>): Composed {
  const { step, contact, account } = job;
  const from = {
    email: account.emailAddress,
    ...(account.displayName !== null && { name: account.displayName }),
  };
  const to = {
    email: contact.emailGiven ?? contact.email ?? '',
    ...(contact.name !== null && contact.name !== '' && { name: contact.name }),
  };
  if (step.action === 'email') return { mail: emailOf(job, made, { from, to }) };
  const text = (made.text ?? '').trim();
  const fault = networkFault(step.action, text);
  const linkedinId = contact.linkedinId ?? '';
  return fault ? { fault } : { mail: { from, to, linkedinId, subject: made.subject ?? '', text } };
}

function emailOf(
  { step, unsubscribeUrl, postalAddress, thread }: ComposeJob,
  made: Exclude<Rendered, { fault: unknown }>,
  people: Pick<Mail, 'from' | 'to'>,
): Mail {
  const isReply = step.subject === null;
  const subject = isReply ? replyTo(thread?.subject ?? made.subject ?? '') : (made.subject ?? '');
  const joined = isReply ? thread : undefined;
  const last = joined?.messageIds.at(-1);
  return {
    ...people,
    subject,
    ...withFooter(made, step, { unsubscribeUrl, postalAddress: postalAddress ?? '' }),
    ...(last !== undefined && { inReplyTo: last, references: joined?.messageIds ?? [] }),
    ...(joined?.threadId !== undefined && { threadId: joined.threadId }),
    unsubscribeUrl,
  };
}

const replyTo = (subject: string): string => (/^re:\s/i.test(subject) ? subject : `Re: ${subject}`);

/** LinkedIn's own limit; what is longer it refuses, or cuts. */
export const LONGEST_NOTE = 300;

function networkFault(action: Action, text: string): SendError | undefined {
  if (action === 'connection_request') {
    return text.length > LONGEST_NOTE
      ? permanent(
          'note_too_long',
          `the note has ${text.length} letters for this person, and LinkedIn takes ${LONGEST_NOTE}`,
        )
      : undefined;
  }
  return text === '' ? permanent('template_fault', 'the text is empty for this person') : undefined;
}

/** Time and memory are the machine's as much as the template's: such a mail is tried again. */
function sendErrorOf({ order }: SequenceStep, { code, message, part, line }: TemplateFault): SendError {
  const isForNow = code === 'template_too_slow' || code === 'template_too_large';
  const place = [`step ${order}`, part, line === undefined ? undefined : `line ${line}`];
  const words = `${place.filter((each) => each !== undefined).join(', ')}: ${message}`;
  return { ...permanent(code, words), ...(isForNow && { class: 'retryable' }) };
}

const permanent = (code: string, message: string): SendError => ({
  class: 'permanent',
  scope: 'message',
  code,
  message,
});
