import type { Socket } from 'node:net';

/**
 * The connections on which nobody has been admitted yet. There are so many and no more: for each that comes, the one
 * that has been there for longest is hung up on. Whoever means well has long asked by then; whoever only holds on to
 * connections loses his own.
 */
export class StrangersSockets {
  readonly #sockets = new Set<Socket>();

  constructor(private readonly most: number) {}

  opened(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size <= this.most) return;
    const [oldest] = this.#sockets;
    // Now, and not when it has closed: others may come before that.
    if (oldest) this.#sockets.delete(oldest);
    oldest?.destroy();
  }

  /** Somebody known has asked on it: it is not one of them any more. */
  admitted(socket: Socket): void {
    this.#sockets.delete(socket);
  }
}
