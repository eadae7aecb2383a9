import type { HostPolicy } from '../hosts.js';
import type { Deadlines, TimeLimits } from './deadlines.js';
import type { PeerHabits } from './habits.js';
import type { SetUp } from './setup.js';
import type { TlsSessions } from './socket.js';

export interface ConnectionOptions extends SetUp {
  /** A name or an address. TLS checks the certificate against it, whatever address it resolves to. */
  readonly host: string;
  readonly port: number;
  readonly deadlines: Deadlines;
  readonly limits?: Partial<TimeLimits>;
  /** Public addresses only, unless told otherwise. */
  readonly hosts?: HostPolicy;
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string | Buffer;
  readonly habits?: PeerHabits;
  /** Shared by the connections of one account. */
  readonly tlsSessions?: TlsSessions;
  /** How many mails may be without an answer at once, where the server offers CHUNKING: all are in doubt if the line breaks. */
  readonly mailsInFlight?: number;
  /** Called when another mail could be written behind what is there; it then leaves in the same write. */
  readonly onRoom?: () => void;
  /** Asked when nobody has used it for a while, and again later: whether it is kept nevertheless. */
  readonly mayStay?: (unusedMs: number) => boolean;
  /** Called once, when no further mail can go this way. */
  readonly onClose?: () => void;
}
