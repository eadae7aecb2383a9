import { PillarboxError } from './errors.js';

/** Throws `invalid_config`, which repeats no part of it: it holds a password. */
export function checkBrokerUrl(url: string): void {
  if (URL.canParse(url) && /^amqps?:\/\/./.test(url)) return;
  const shape = 'amqp://user:password@host:port/vhost or amqps://…, with special characters as %40';
  throw new PillarboxError('invalid_config', `amqpUrl: should be ${shape}`);
}
