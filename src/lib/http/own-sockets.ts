/**
 * The sockets of an agent from their first moment. undici lets go only of connections that stand: one that stalls in its TLS would
 * keep the process alive when its request was given up long ago.
 */
import { Socket } from 'node:net'

export class OwnSockets {
  readonly #sockets = new Set<Socket>()

  /** Gives it back. */
  add<Made>(socket: Made): Made {
    if (socket instanceof Socket) {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    }
    return socket
  }

  /** Destroys all of them. */
  end(): void {
    for (const socket of this.#sockets) socket.once('error', () => undefined).destroy(new Error('it was given up'))
  }
}
