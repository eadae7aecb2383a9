import type { Gatekeeper } from '../access/gatekeeper.js';
import type { Inbox } from '../catcher/inbox.js';
import type { Demo } from '../demo/demo.js';
import type { LoadLimits } from './load.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Pillarbox } from '../pillarbox.js';

/** What the routes serve, and how it is set up. */
export interface Service {
  readonly box: Pillarbox;
  readonly gatekeeper: Gatekeeper;
  /** Where people reach it: `https://mail.example.org`. Links, cookies and the origin check go by it. */
  readonly publicUrl: string;
  readonly cronSecret: string | undefined;
  readonly log: Logger;
  /** Hears what the engine of this process does. Without one only the queue itself is measured. */
  readonly metrics?: Metrics | undefined;
  /** What the built-in catcher took, while it runs in this process. */
  readonly inbox?: Inbox | undefined;
  /** Made-up data, to show how things work: can be loaded, or is in use. */
  readonly demo?: Pick<Demo, 'inUse' | 'load'> | undefined;
  /** How much may be written at once, where the usual is not meant. */
  readonly limits?: Partial<LoadLimits> | undefined;
  /** AMQP_URL is set. */
  readonly brokerWanted?: boolean | undefined;
  /** Where the built admin UI lies, if not where the build puts it. */
  readonly webDirectory?: string | undefined;
}
