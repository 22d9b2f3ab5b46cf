/** One HTTP request written byte by byte on a socket of its own: libraries write, mend and refuse Host and Origin by themselves. */
import { connect } from 'node:net'

export interface RawAnswer {
  /** 0 where the connection ended without an answer. */
  readonly status: number
  readonly head: string
  readonly body: string
}

const longestWait = 10_000

/** Sends the lines and the body as they are, and reads until the other end closes. */
export function sendRaw(
  { host = '127.0.0.1', port }: { readonly host?: string; readonly port: number },
  lines: readonly string[],
  body = '',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host)
    const pieces: Buffer[] = []
    socket.setTimeout(longestWait, () => socket.destroy(new Error('no answer')))
    socket.on('connect', () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`))
    socket.on('data', (piece) => pieces.push(piece))
    socket.on('error', reject)
    socket.on('close', () => {
      const text = Buffer.concat(pieces).toString('utf8')
      const at = text.indexOf('\r\n\r\n')
      const head = text.slice(0, at)
      resolve({ status: Number(/^HTTP\/1\.\d (\d{3})/.exec(head)?.[1] ?? 0), head, body: text.slice(at + 4) })
    })
  })
}

export type RawHeaders = Readonly<Record<string, string | readonly string[]>>

/** The lines of a request that closes its connection; a header with a list is sent once for each. */
export function requestLines(start: string, headers: RawHeaders, body = ''): string[] {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((one) => `${name}: ${one}`),
  )
  return [start, ...given, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
}
