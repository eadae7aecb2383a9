import type { Gatekeeper } from '../access/gatekeeper.js';
import type { Inbox } from '../catcher/inbox.js';
import type { Demo } from '../demo/demo.js';
import type { OtherLimits } from './limits.js';
import type { Logger } from '../log/log.js';
import type { Metrics } from '../overview/metrics.js';
import type { Pillarbox } from '../library/pillarbox.js';

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
  /** Whether it still prepares what it will say of itself; unset: it does not. */
  readonly starting?: (() => boolean) | undefined;
  /** What it bears at once, where the usual is not meant. */
  readonly limits?: OtherLimits | undefined;
  /** Addresses and networks of proxies that are believed when they tell who asks; unset: those of this machine. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Where the built admin UI lies, if not where the build puts it. */
  readonly webDirectory?: string | undefined;
}
