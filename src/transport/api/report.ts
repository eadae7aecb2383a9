import { classifyHttp, classifyLocal, toSendError, type Verdict } from '../../core/classify/index.js';
import { readErrorWords } from '../../core/classify/http-answer.js';
import type { HttpProvider } from '../../core/classify/http-rule.js';
import type { SendError, SendReport } from '../../core/report.js';
import { statusOf } from '../../core/sane-report.js';
import { codeOf, type ApiAnswer, type ApiEnd, type ApiFault } from './answer.js';
import { withoutSecrets } from './secrets.js';

/** Who was asked, and what must not be repeated of what was said. */
export interface Asked {
  readonly provider: HttpProvider;
  readonly secrets: readonly string[];
  /** The same request may be made again without harm. */
  readonly idempotent?: boolean;
}

/** What an end without success means. */
export const errorOf = (end: ApiEnd, asked: Asked): SendError =>
  'fault' in end ? errorOfFault(end.fault, asked) : errorOfAnswer(end.answer, asked);

function errorOfFault({ code, phase, detail, left }: ApiFault, { idempotent = false }: Asked): SendError {
  const verdict = classifyLocal({ code, phase, gatePassed: left, idempotent });
  return toSendError(verdict, { code, message: `${detail} (${phase})` });
}

function errorOfAnswer(answer: ApiAnswer, asked: Asked): SendError {
  const verdict = verdictOf(answer, asked);
  // A page for people, from a proxy or a wrong address, says nothing; nor is it ours to show.
  const words = typeof answer.body === 'string' ? '' : readErrorWords(answer.body).text;
  const message = words === '' ? `the provider answered ${String(answer.status)}` : words;
  return toSendError(verdict, {
    code: withoutSecrets(codeOf(answer), asked.secrets),
    message: withoutSecrets(message, asked.secrets),
  });
}

const verdictOf = (answer: ApiAnswer, { provider, idempotent = false }: Asked): Verdict =>
  classifyHttp({ ...answer, provider, idempotent, now: Date.now() });

export const failure = (provider: string, error: SendError): SendReport => ({
  status: statusOf(error.class),
  provider,
  error,
});

/** Before any request was made: a mail that must not leave as it stands, or a fault of our own. */
export function failureOfThrow(provider: string, thrown: unknown): SendReport {
  const { code = 'EUNKNOWN', message } = thrown as { code?: string; message: string };
  return failure(provider, toSendError(classifyLocal({ code, gatePassed: false }), { code, message }));
}
