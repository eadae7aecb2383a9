import { isOutage, PillarboxError } from '../core/errors.js';
import type { PillarboxOptions } from '../library/options.js';

/** The variables that options of the library are set by. */
const VARIABLES: Partial<Record<keyof PillarboxOptions, string>> = {
  databaseUrl: 'DATABASE_URL',
  databaseDirectUrl: 'DATABASE_DIRECT_URL',
  smtpUrl: 'SMTP_URL',
  amqpUrl: 'AMQP_URL',
  publicUrl: 'PUBLIC_URL',
  from: 'MAIL_FROM',
  secret: 'PILLARBOX_SECRET',
  allowPrivateHosts: 'PILLARBOX_ALLOW_PRIVATE_HOSTS',
  leaseSeconds: 'PILLARBOX_LEASE_SECONDS',
  concurrency: 'PILLARBOX_CONCURRENCY',
  graceSeconds: 'PILLARBOX_GRACE_SECONDS',
  inlineSeconds: 'PILLARBOX_INLINE_SECONDS',
  queueType: 'PILLARBOX_QUEUE_TYPE',
  directAfterSeconds: 'PILLARBOX_DIRECT_AFTER_SECONDS',
  retryIntervalSeconds: 'RETRY_INTERVAL_SECONDS',
  clock: 'PILLARBOX_CLOCK',
};

/** Such names are no words: wherever they stand, the option is meant. */
const UNMISTAKABLE = /[A-Z]/;

/** What the library says of its options, for somebody who has set variables. */
export function messageInVariables(error: PillarboxError): string {
  if (error.code !== 'invalid_config' && !isOutage(error)) return error.message;
  return Object.entries(VARIABLES).reduce((text, [option, variable]) => {
    const named = UNMISTAKABLE.test(option) ? `\\b${option}(?: or transport)?\\b` : `^${option}(?=:)`;
    return text.replaceAll(new RegExp(named, 'gm'), variable);
  }, error.message);
}
