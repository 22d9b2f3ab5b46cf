/**
 * A way to a server that is cut when a certain text passes: before it arrives there, or before its answer comes back;
 * or the text is held back, and whoever sent it waits until the server is gone.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

type When = 'before-it-arrives' | 'before-its-answer' | 'held-back'

export interface CutWay {
  readonly port: number
  /** Cuts the connection on which the text comes by next. Where it is held back nobody else is let through either. */
  next(text: string, when: When): void
  readonly cuts: () => number
  /** Ends every connection, and lets no other through. */
  close(): void
  /** Lets connections through again. */
  open(): Promise<void>
}

export async function cutWay(to: number): Promise<CutWay> {
  let waiting: { readonly text: string; readonly when: When } | null = null
  let cuts = 0
  const sockets = new Set<Socket>()
  const way = createServer((client) => {
    const server = connect(to, '127.0.0.1')
    let isMute = false
    let isHeldBack = false
    const end = () => {
      client.destroy()
      server.destroy()
    }
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', end)
      socket.on('close', end)
    }
    client.on('data', (piece: Buffer) => {
      const found = waiting !== null && piece.includes(waiting.text) ? waiting : null
      if (found) {
        waiting = null
        cuts += 1
      }
      if (found?.when === 'before-it-arrives') {
        end()
        return
      }
      if (found?.when === 'held-back') {
        isHeldBack = true
        way.close()
      }
      if (isHeldBack) return
      isMute ||= found !== null
      server.write(piece)
    })
    server.on('data', (piece: Buffer) => {
      // It has arrived, and was carried out.
      if (isMute) end()
      else client.write(piece)
    })
  })
  const close = () => {
    for (const socket of sockets) socket.destroy()
    way.close()
  }
  onTestFinished(close)
  way.listen(0, '127.0.0.1')
  await once(way, 'listening')
  const { port } = way.address() as AddressInfo
  return {
    port,
    async open() {
      way.listen(port, '127.0.0.1')
      await once(way, 'listening')
    },
    next(text, when) {
      waiting = { text, when }
    },
    cuts: () => cuts,
    close,
  }
}
