import type { Listening } from '../http/listen.js';
import type { Metrics } from '../overview/metrics.js';
import type { Pillarbox } from '../library/pillarbox.js';
import type { Config } from '../service/config.js';

/** Only where somebody said a port: several workers on one machine are usual. */
export async function serveProbes(
  { port, host }: Config,
  box: Pillarbox,
  metrics: Metrics,
): Promise<Listening | undefined> {
  if (port === undefined) return undefined;
  const { buildProbeServer } = await import('../http/probe-server.js');
  const { listen } = await import('../http/listen.js');
  const app = buildProbeServer({ box, metrics });
  try {
    return await listen(app, host, port);
  } catch (error) {
    await box.stop();
    throw error;
  }
}
