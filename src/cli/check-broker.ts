import type { InspectedQueue, Inspection } from '../broker/inspect.js';
import { QUEUES } from '../core/dispatch-message.js';
import type { Finding } from './finding.js';

const what = 'broker';

/** Whether the broker answers and lets us in, and whether its queues are such that mail can go through them. */
export async function checkBroker(amqpUrl: string): Promise<readonly Finding[]> {
  const { inspectBroker } = await import('../broker/inspect.js');
  const started = performance.now();
  let inspection: Inspection;
  try {
    inspection = await inspectBroker(amqpUrl);
  } catch (error) {
    return [{ what, level: 'act', text: whyNot(error) }];
  }
  const { product, queues } = inspection;
  const ms = (performance.now() - started).toFixed(0);
  const missing = Object.values(QUEUES).length - queues.length;
  const made = missing === 0 ? '' : `; ${String(missing)} queues are made when they are first used`;
  return [
    { what, level: 'fine', text: `${product} answers, ${ms} ms${made}` },
    ...queues.flatMap(findingsOf),
  ];
}

function findingsOf({ name, messages, consumers, difference }: InspectedQueue): readonly Finding[] {
  const findings: Finding[] = [];
  const count = messages.toLocaleString('en-US');
  if (difference !== undefined) {
    // What is lost with a queue that does not outlive a restart comes again, but not soon.
    const level = difference.includes('durable') ? 'act' : 'look';
    findings.push({ what, level, text: `${name} is no plain durable queue: ${difference}` });
  }
  if (name === QUEUES.send && messages > 0 && consumers === 0)
    findings.push({
      what,
      level: 'act',
      text: `${name} holds ${count} and nobody takes them. Start a sender with this AMQP_URL: pillarbox work`,
    });
  if (name === QUEUES.rejected && messages > 0)
    findings.push({ what, level: 'look', text: `${name} holds ${count} payloads that could not be read` });
  return findings;
}

/** No part of it repeats the URL, which holds a password. */
function whyNot(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string };
  if (/ACCESS_REFUSED|403/.test(message))
    return 'AMQP_URL: the broker refuses this user or password, or this virtual host';
  if (/NOT_ALLOWED|530|ConnectionOpenOk/.test(message))
    return 'AMQP_URL: there is no such virtual host, or this user may not enter it';
  if (/protocol|frame|Expected|abruptly/i.test(message))
    return 'what answers there does not speak AMQP 0-9-1';
  return `AMQP_URL: nobody answers (${typeof code === 'string' ? code : message})`;
}
