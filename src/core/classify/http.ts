import { readErrorWords, type ErrorWords } from './http-answer.js';
import { GMAIL_RULES } from './http-gmail.js';
import { HTTP_FALLBACKS, HTTP_PROVIDER_RULES } from './http-provider.js';
import type { HttpAnswer, HttpCondition, HttpRule } from './http-rule.js';
import { UNIPILE_RULES } from './http-unipile.js';
import { retryAfterSeconds, waitInText } from './retry-after.js';
import { firstMatch, saysOneOf, verdictOf, type Verdict } from './rules.js';

/** Order is policy: what a provider is known to mean by an answer comes before what the status means in general. */
export const HTTP_RULES: readonly HttpRule[] = [
  ...GMAIL_RULES,
  ...UNIPILE_RULES,
  ...HTTP_PROVIDER_RULES,
  ...HTTP_FALLBACKS,
];

/**
 * For answers other than success. A success whose body cannot be read is a mail that was sent and whose id is
 * unknown; it does not belong here.
 */
export function classifyHttp(answer: HttpAnswer): Verdict {
  const words = readErrorWords(answer.body);
  const asked =
    retryAfterSeconds(answer.headers['retry-after'], answer.now) ?? waitInText(words.text, answer.now);
  const said = { reasons: words.reasons, text: words.text.toLowerCase() };
  return verdictOf(
    firstMatch(HTTP_RULES, (when) => holds(when, answer, said, asked !== undefined)),
    asked,
  );
}

function holds(when: HttpCondition, answer: HttpAnswer, said: ErrorWords, asksToWait: boolean): boolean {
  const { providers, statuses, reasons, words, idempotent, saysWhen } = when;
  if (providers !== undefined && !providers.includes(answer.provider)) return false;
  if (statuses !== undefined && !statuses.some((pattern) => isStatus(pattern, answer.status))) return false;
  if (idempotent !== undefined && idempotent !== answer.idempotent) return false;
  if (saysWhen !== undefined && saysWhen !== asksToWait) return false;
  if (reasons !== undefined && !reasons.some((reason) => said.reasons.has(reason))) return false;
  return words === undefined || saysOneOf(said.text, words);
}

const isStatus = (pattern: number | '3xx' | '4xx' | '5xx', status: number): boolean =>
  typeof pattern === 'number' ? pattern === status : Number(pattern[0]) === Math.floor(status / 100);
