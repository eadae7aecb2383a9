import {
  ERROR_CLASSES,
  type ErrorClass,
  type RefusedRecipient,
  type SendError,
  type SendReport,
} from './report.js';
import { forPeople } from './text.js';

const LONGEST_WAIT_SECONDS = 30 * 24 * 3_600;

/**
 * A report as the engine can rely on, whatever a transport answered. Transports are also written by others; one
 * bad character must not stop the settlements of everybody, and an answer that is none must not count as one.
 */
export function saneReport(report: SendReport, handedOver: boolean): SendReport {
  const provider = text(report.provider, 64) ?? 'unknown';
  if (report.status === 'sent') {
    const providerMessageId = text(report.providerMessageId, 500);
    const threadId = text(report.threadId, 255);
    const refused = report.refused?.map(saneRefusal);
    if (providerMessageId === undefined && threadId === undefined && !refused)
      return { status: 'sent', provider };
    return {
      status: 'sent',
      provider,
      ...(providerMessageId !== undefined && { providerMessageId }),
      ...(threadId !== undefined && { threadId }),
      ...(refused && refused.length > 0 && { refused }),
    };
  }
  const error = saneError(report.error, handedOver);
  // A transport that can't tell has the last word: taken for a failure, the mail would go twice unseen.
  if (report.status === 'in_doubt')
    return { status: 'in_doubt', provider, error: { ...error, class: 'in_doubt' } };
  return { status: statusOf(error.class), provider, error };
}

/** What a transport that threw, although it must not, leaves behind: the gate tells what is certain. */
export function reportOfThrow(provider: string, thrown: unknown, handedOver: boolean): SendReport {
  const message = forPeople(wordsOf(thrown), 500);
  const kind = handedOver ? 'in_doubt' : 'retryable';
  return {
    status: kind,
    provider,
    error: { class: kind, scope: 'message', code: 'transport_threw', message },
  };
}

/** Anything can be thrown, also what can't be turned into words. */
function wordsOf(thrown: unknown): string {
  try {
    const words: unknown = thrown instanceof Error ? thrown.message : thrown;
    return String(words);
  } catch {
    return 'something that cannot be printed was thrown';
  }
}

function saneError(error: SendError | undefined, handedOver: boolean): SendError {
  const known =
    ERROR_CLASSES.find((each) => each === error?.class) ?? (handedOver ? 'in_doubt' : 'retryable');
  const wait = Math.round(Number(error?.retryAfterSeconds));
  const keyLife = Math.floor(Number(error?.keyLifeSeconds));
  return {
    class: known,
    scope: error?.scope ?? 'message',
    code: text(error?.code, 64) ?? 'unknown',
    message: text(error?.message, 500) ?? '',
    ...(wait >= 0 && { retryAfterSeconds: Math.min(wait, LONGEST_WAIT_SECONDS) }),
    ...(error?.attempted === false && { attempted: false }),
    ...(error?.softBounce && { softBounce: true }),
    ...(keyLife >= 0 && { keyLifeSeconds: Math.min(keyLife, LONGEST_WAIT_SECONDS) }),
  };
}

const saneRefusal = ({ address, error }: RefusedRecipient): RefusedRecipient => ({
  address: forPeople(address, 320),
  error: saneError(error, false),
});

export const statusOf = (kind: ErrorClass): 'retryable' | 'failed' | 'in_doubt' => {
  if (kind === 'in_doubt') return 'in_doubt';
  return kind === 'permanent' || kind === 'recipient' ? 'failed' : 'retryable';
};

const text = (value: unknown, max: number): string | undefined =>
  typeof value === 'string' ? forPeople(value, max) : undefined;
