import { setTimeout as sleep } from 'node:timers/promises';
import { Metrics } from '../../metrics.js';
import type { Pillarbox } from '../../pillarbox.js';
import { sendFailure } from '../answers.js';
import { perService } from '../per-service.js';
import { openRoute, type Route } from '../route.js';

/** A readiness that takes longer than this to tell is none. */
const READY_MS = 2_000;

const pulseOf = perService(({ box }) => new Pulse(box));
const metricsOf = perService(({ metrics }) => metrics ?? new Metrics());

/** What machines ask: is it alive, may it be given work, what does it do. Without a key, so they say little. */
export const healthRoutes: readonly Route[] = [
  openRoute('anyone', { method: 'GET', url: '/healthz', summary: 'The process runs' }, () => ({
    status: 'up',
  })),
  openRoute(
    'anyone',
    { method: 'GET', url: '/readyz', summary: 'The database answers' },
    async ({ service, reply }) => {
      if (!(await pulseOf(service).beats(READY_MS))) {
        return sendFailure(reply, {
          status: 503,
          code: 'not_ready',
          message: 'the database does not answer',
          retryAfterSeconds: 1,
        });
      }
      return { database: 'up', ...(service.brokerWanted && { broker: 'not used by this version' }) };
    },
  ),
  openRoute(
    'anyone',
    { method: 'GET', url: '/metrics', summary: 'Figures for Prometheus' },
    async ({ service, reply }) => {
      const metrics = metricsOf(service);
      return reply.type(metrics.contentType).send(await metrics.text(service.box.store, READY_MS));
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
