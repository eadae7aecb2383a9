import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../overview/metrics.js';
import type { Pillarbox } from '../../library/pillarbox.js';
import { Alive, Ready } from '../../presentation/condition.js';
import { sendFailure } from '../answers.js';
import { perService } from '../per-service.js';
import { document, openRoute, type Route } from '../route.js';

/** A readiness that takes longer than this to tell is none. */
const READY_MS = 2_000;

const pulseOf = perService(({ box }) => new Pulse(box));
const metricsOf = perService(({ metrics }) => metrics ?? new Metrics());

/** What machines ask: is it alive, may it be given work, what does it do. Without a key, so they say little. */
export const healthRoutes: readonly Route[] = [
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/healthz',
      operation: 'checkAlive',
      summary: 'The process runs',
      answer: Alive,
    },
    () => ({ status: 'up' }) as const,
  ),
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/readyz',
      operation: 'checkReady',
      summary: 'The database answers, and the broker if there is one, and leases are renewed',
      answer: Ready,
      errors: ['not_ready'],
    },
    async ({ service, reply }) => {
      const unready = (message: string) =>
        sendFailure(reply, { status: 503, code: 'not_ready', message, retryAfterSeconds: 1 });
      if (service.starting?.()) return unready('it is starting; what it says of itself is not true yet');
      if (!(await pulseOf(service).beats(READY_MS))) return unready('the database does not answer');
      const { condition } = service.box;
      if (condition?.renewal === false) {
        return unready('the thread that renews leases is down; it is started again, and nothing is claimed');
      }
      const broker = service.box.broker?.standing;
      if (broker === 'down') return unready('the broker does not answer; what is late is sent without it');
      return {
        database: 'up' as const,
        ...(condition && { renewal: 'up' as const, unstoredResults: condition.unstored }),
        ...(broker && { broker }),
      };
    },
  ),
  openRoute(
    'anyone',
    {
      method: 'GET',
      url: '/metrics',
      operation: 'getMetrics',
      summary: 'Figures for Prometheus',
      answer: document('text/plain'),
    },
    async ({ service, reply }) => {
      const metrics = metricsOf(service);
      const { store, broker } = service.box;
      return reply.type(metrics.contentType).send(await metrics.text(store, READY_MS, broker?.standing));
    },
  ),
];

/** Whether the database answers. One question at a time: one that hangs must not be joined by others. */
class Pulse {
  #asked: Promise<boolean> | undefined;

  constructor(private readonly box: Pillarbox) {}

  async beats(patienceMs: number): Promise<boolean> {
    this.#asked ??= this.box
      .ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#asked = undefined;
      });
    return Promise.race([this.#asked, sleep(patienceMs, false, { ref: false })]);
  }
}
