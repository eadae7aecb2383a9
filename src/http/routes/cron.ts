import { PillarboxError } from '../../core/errors.js';
import type { Pillarbox } from '../../library/pillarbox.js';
import { PassReport } from '../../presentation/condition.js';
import { perService } from '../per-service.js';
import { openRoute, type Route } from '../route.js';

/** More at once would only share the same connections. */
const PASSES_AT_ONCE = 4;

const passesOf = perService(({ box }) => new Passes(box));

/** For places where nothing runs but what a timer calls. Beside a worker it does no harm. */
export const cronRoutes: readonly Route[] = (['GET', 'POST'] as const).map((method) =>
  openRoute(
    'cron',
    {
      method,
      url: '/api/cron/send-emails',
      operation: method === 'GET' ? 'sendDue' : 'postSendDue',
      summary: 'Send what is due, for some seconds at most',
      answer: PassReport,
      errors: ['busy', 'restored', 'invalid_config', 'stopped', 'store_unavailable', 'commit_unknown'],
    },
    ({ service }) => passesOf(service).make(),
  ),
);

class Passes {
  #running = 0;

  constructor(private readonly box: Pillarbox) {}

  async make() {
    if (this.#running >= PASSES_AT_ONCE) {
      throw new PillarboxError('busy', 'several passes are under way', { retryAfterSeconds: 5 });
    }
    this.#running += 1;
    try {
      return await this.box.pass();
    } finally {
      this.#running -= 1;
    }
  }
}
