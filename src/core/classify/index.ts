/** One table decides what every failure means: class, scope, least wait. Generated: docs/classification.md. */
export { classifyHttp } from './http.js';
export type { HttpAnswer, HttpProvider } from './http-rule.js';
export { classifyLocal } from './local.js';
export type { LocalFault } from './local-rules.js';
export { classifyNamed } from './named.js';
export { retryAfterSeconds } from './retry-after.js';
export type { Verdict } from './rules.js';
export { toSendError } from './send-error.js';
export { classifySmtp, type SmtpReply } from './smtp.js';
export type { SmtpPhase } from './smtp-rule.js';
