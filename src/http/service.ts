import type { Gatekeeper } from '../access/gatekeeper.js';
import type { Logger } from '../log.js';
import type { Pillarbox } from '../pillarbox.js';

/** What the routes serve, and how it is set up. */
export interface Service {
  readonly box: Pillarbox;
  readonly gatekeeper: Gatekeeper;
  /** Where people reach it: `https://mail.example.org`. Links, cookies and the origin check go by it. */
  readonly publicUrl: string;
  readonly cronSecret: string | undefined;
  readonly log: Logger;
}
