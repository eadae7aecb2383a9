/** One table decides what every failure means: class, scope, least wait. Generated: docs/classification.md. */
export { classifyHttp } from './http.js';
export { classifyLocal } from './local.js';
export { classifyNamed } from './named.js';
export { toSendError } from './send-error.js';
export { classifySmtp } from './smtp.js';
export type { Verdict } from './rules.js';
