import { connect, isIPv6, type Socket } from 'node:net';

/** RFC 8305, 5: the next address is tried beside the ones before it after so long, or at once when one of them fails. */
const NEXT_ADDRESS_MS = 250;
/** Of a name with more, the others are not tried: each costs the far side a connection. */
const MOST_ADDRESSES = 6;
/** An idle connection is shown to be in use so often: what stands on the way forgets those that are not. */
const KEEP_ALIVE_MS = 30_000;

export type Family = 4 | 6;
const familyOf = (address: string): Family => (isIPv6(address) ? 6 : 4);

/** One of each family in turn, beginning with this one or, if none is preferred, with that of the first address. */
export function inTurn(addresses: readonly string[], prefer?: Family): readonly string[] {
  const first = prefer ?? familyOf(addresses[0] ?? '');
  const ofFirst = addresses.filter((address) => familyOf(address) === first);
  const ofOther = addresses.filter((address) => familyOf(address) !== first);
  const longest = Math.max(ofFirst.length, ofOther.length);
  return Array.from({ length: longest }, (_, place) => [ofFirst[place], ofOther[place]])
    .flat()
    .filter((address) => address !== undefined)
    .slice(0, MOST_ADDRESSES);
}

/**
 * Connects to whichever of these addresses answers first. None is given up because it is slow, so that a family that
 * leads nowhere costs a quarter of a second and a slow network costs no connection. The addresses are those that were
 * checked: no name is resolved here.
 */
export class Dial {
  readonly #left: string[];
  readonly #tried = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #firstFault: Error | undefined;

  constructor(
    addresses: readonly string[],
    private readonly port: number,
    private readonly onConnected: (socket: Socket, family: Family) => void,
    private readonly onFailed: (cause: Error) => void,
  ) {
    this.#left = [...addresses];
    this.#next();
  }

  /** Hangs up on all of them. */
  destroy(): void {
    clearTimeout(this.#timer);
    this.#left.length = 0;
    for (const socket of this.#tried) socket.destroy();
    this.#tried.clear();
  }

  #next(): void {
    clearTimeout(this.#timer);
    const host = this.#left.shift();
    if (host === undefined) return;
    const options = { host, port: this.port, noDelay: true };
    const socket = connect({ ...options, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS });
    this.#tried.add(socket);
    const failed = (cause: Error): void => this.#failed(socket, cause);
    socket.on('error', failed).once('connect', () => {
      socket.off('error', failed);
      this.#tried.delete(socket);
      this.destroy();
      this.onConnected(socket, familyOf(host));
    });
    if (this.#left.length > 0) this.#timer = setTimeout(() => this.#next(), NEXT_ADDRESS_MS);
  }

  #failed(socket: Socket, cause: Error): void {
    // One that was hung up on has nothing to tell.
    if (!this.#tried.delete(socket)) return;
    // That of the address that the resolver, or experience, put first.
    this.#firstFault ??= cause;
    if (this.#left.length > 0) this.#next();
    else if (this.#tried.size === 0) this.onFailed(this.#firstFault);
  }
}
