/** Servers and proxies of bare bytes, for what no HTTP server would do. All of them end with their test. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A whole answer with the body `{}`. */
export const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'

/** Listens on 127.0.0.1, on the given port or on any. */
export async function portOf(server: Server, port = 0): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export interface Wire {
  readonly url: string
  readonly port: number
  /** Every byte that arrived, of all connections. */
  received(): string
  connections(): number
}

/** `onConnection` does what it likes with each connection, the first of which has the number 1. */
export async function wire(onConnection: (socket: Socket, connection: number) => void, on = 0): Promise<Wire> {
  const chunks: Buffer[] = []
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('data', (chunk) => chunks.push(chunk))
    onConnection(socket, connections)
  })
  const port = await portOf(server, on)
  const received = () => Buffer.concat(chunks).toString('utf8')
  return { url: `http://127.0.0.1:${port}`, port, received, connections: () => connections }
}

/** Does something once the head of a request has arrived. */
export function afterRequest(then: (socket: Socket) => void): Promise<Wire> {
  return wire((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      const before = text.includes('\r\n\r\n')
      text += chunk
      if (!before && text.includes('\r\n\r\n')) then(socket)
    })
  })
}

/** Joins a connection to a port of this machine; `greeting` goes back first. */
export function join(socket: Socket, port: number, greeting = ''): void {
  const onward = connect(port, '127.0.0.1', () => {
    if (!socket.destroyed) socket.write(greeting)
    socket.pipe(onward).pipe(socket)
  })
  onward.on('error', () => socket.destroy())
  socket.on('close', () => onward.destroy())
}

export const established = 'HTTP/1.1 200 Connection Established\r\n\r\n'

/** A proxy that makes a tunnel, or does with a CONNECT what it is told. */
export function proxy(onConnect?: (socket: Socket) => void): Promise<Wire> {
  return wire((socket) => {
    socket.once('data', (chunk) => {
      if (onConnect) return onConnect(socket)
      join(socket, Number(/^CONNECT [^ ]*:(\d+) /.exec(String(chunk))?.[1]), established)
    })
  })
}
