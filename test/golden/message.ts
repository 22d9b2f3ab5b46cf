// Raw bytes in, one HTTP/1.1 message out. Framing faults (a short body, a broken chunk) are kept beside the message,
// because a peer that frames its answer wrongly must be seen even when the JSON happens to be right.

export interface Message {
  readonly start: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  readonly bodyBytes: number
  readonly faults: readonly string[]
}

export function header(message: Pick<Message, 'headers'>, name: string): string | undefined {
  const found = message.headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value)
  return found.length === 0 ? undefined : found.join(', ')
}

export function splitHead(raw: Buffer): { readonly head: string; readonly rest: Buffer } {
  const at = raw.indexOf('\r\n\r\n')
  if (at < 0) return { head: raw.toString('latin1'), rest: Buffer.alloc(0) }
  return { head: raw.subarray(0, at).toString('latin1'), rest: raw.subarray(at + 4) }
}

export function parseMessage(raw: Buffer): Message {
  const faults: string[] = []
  if (!raw.includes('\r\n\r\n')) faults.push('message: no blank line ends the head')
  const { head, rest } = splitHead(raw)
  const [start = '', ...lines] = head.split('\r\n')
  if (head.replaceAll('\r\n', '').includes('\n')) faults.push('message: a line of the head ends without CR')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    if (colon < 1) faults.push(`message: not a header line: ${line}`)
    return [line.slice(0, colon), line.slice(colon + 1).trim()] as const
  })
  const bytes = unframe(rest, headers, faults)
  return { start, headers, body: utf8(bytes, faults), bodyBytes: bytes.length, faults }
}

function unframe(rest: Buffer, headers: Message['headers'], faults: string[]): Buffer {
  if (header({ headers }, 'transfer-encoding')?.toLowerCase() === 'chunked') return dechunk(rest, faults)
  const length = header({ headers }, 'content-length')
  if (length === undefined || length.includes('{{')) return rest
  if (length !== String(rest.length))
    faults.push(`message: Content-Length is ${length}, the body has ${rest.length} bytes`)
  return rest
}

function dechunk(rest: Buffer, faults: string[]): Buffer {
  const pieces: Buffer[] = []
  let at = 0
  for (;;) {
    const end = rest.indexOf('\r\n', at)
    const size = end < 0 ? '' : (rest.toString('latin1', at, end).split(';')[0] ?? '').trim()
    if (!/^[0-9a-fA-F]+$/.test(size)) {
      faults.push('message: the chunked body ends without its last chunk')
      return Buffer.concat(pieces)
    }
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(pieces)
    const from = end + 2
    pieces.push(rest.subarray(from, from + length))
    if (rest.toString('latin1', from + length, from + length + 2) !== '\r\n')
      faults.push('message: a chunk is not as long as it says')
    at = from + length + 2
  }
}

function utf8(bytes: Buffer, faults: string[]): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    faults.push('message: the body is not UTF-8')
    return bytes.toString('latin1')
  }
}
