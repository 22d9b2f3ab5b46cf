/** Bytes whose beginning can be looked at before they are read. */

export interface Peeked {
  /** At least `least` bytes, or all there are. */
  readonly start: Buffer
  /** All bytes, the looked-at ones among them. */
  readonly all: AsyncIterable<Buffer>
}

async function* continued(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield asBuffer(next.value)
  } finally {
    await rest.return?.()
  }
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

export async function peek(bytes: AsyncIterable<Uint8Array>, least: number): Promise<Peeked> {
  const rest = bytes[Symbol.asyncIterator]()
  const taken: Buffer[] = []
  let length = 0
  while (length < least) {
    const next = await rest.next()
    if (next.done) break
    taken.push(asBuffer(next.value))
    length += next.value.length
  }
  const start = Buffer.concat(taken)
  return { start, all: continued(start, rest) }
}
