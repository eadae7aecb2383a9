import { setTimeout as sleep } from 'node:timers/promises';
import type { SchedulingResult } from '../campaigns/campaigns.js';
import { classifyNamed } from '../core/classify/index.js';
import { PillarboxError } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import { outcomeOf } from '../core/outcome.js';
import type { SendError } from '../core/report.js';
import { codeOf, isRetryableError } from '../core/scheduled-email.js';
import { readRetryPolicy } from '../core/retry.js';
import { takeOne } from '../store/scripts/take-one.js';
import type { Pillarbox } from './pillarbox.js';

/* What schedulers do with a campaign, under the names that they have given it for years. */

const PATIENCE_MS = 500;

/**
 * Plans everything of a campaign that is not planned yet, and waits until that is done. Called twice, or from two machines
 * at once, it stores every message once.
 */
export async function scheduleEmailsForCampaign(
  box: Pillarbox,
  campaignId: string,
): Promise<SchedulingResult> {
  for (;;) {
    const scheduling = await box.campaigns.launch(campaignId);
    if (scheduling.done) {
      const { scheduled, skipped, errors, warnings } = scheduling;
      return { scheduled, skipped, errors, warnings };
    }
    await sleep(PATIENCE_MS);
  }
}

/**
 * A try that somebody else made has failed: it is tried again after the policy's wait, or never. For whoever sends a
 * scheduled email by other means; what this program sends needs nobody to say so. Throws `illegal_move` for what does
 * not wait.
 */
export async function handleEmailFailure(
  box: Pillarbox,
  scheduledEmailId: string,
  error: Error,
): Promise<void> {
  const { store, home } = box;
  const id = parseId('message', scheduledEmailId);
  const instant = await store.now();
  const taken =
    id === undefined ? undefined : await store.transaction(() => takeOne(store, home.id, id, instant));
  if (!taken) {
    const { state } = await box.messages.get(scheduledEmailId);
    throw new PillarboxError('illegal_move', `the message is ${state}, and does not wait for a try`);
  }
  const { lease, channelId, attempts, doubts, doubtPolicy, retryPolicy, guarded, lane, now } = taken;
  const code = codeOf(error);
  const verdict = classifyNamed(code);
  // An account's trouble is no reason to wait here: who sends by other means knows his accounts himself.
  const failure: SendError = {
    ...verdict,
    class: isRetryableError(error) ? 'retryable' : 'permanent',
    scope: 'message',
    code,
    message: error.message.slice(0, 2_000),
  };
  const { event, waitMs, reason, attempt, ...outcome } = outcomeOf(
    { status: isRetryableError(error) ? 'retryable' : 'failed', provider: 'elsewhere', error: failure },
    {
      ...{ attempts, doubts, doubtPolicy, policy: readRetryPolicy(retryPolicy) },
      ...{ ageMs: 0, inline: false, unknownWaitMs: 1_000 },
    },
  );
  const entry = {
    ...{ lease, channelId, event, waitMs, reason, id: taken.id, workspaceId: home.id },
    attempts: outcome.attempts,
    ...(attempt && {
      attempt: {
        ...{ outcome: attempt, startedAt: now, handedAt: null, worker: 'elsewhere' },
        ...{ errorClass: failure.class, errorCode: code, error: failure.message },
      },
    }),
  };
  if (guarded) await store.settleGuarded([{ ...entry, guard: { lane, draw: 0 } }]);
  else await store.settle([entry]);
}
