/** A file to read: its bytes as they come, of a path, a pipe or a test. Never the whole of it in memory. */
import { addAbortSignal, type Readable } from 'node:stream'
import { Failure } from '../../failure.ts'
import { fileTrouble, openedFile } from '../../readable-file.ts'

export interface FileToRead {
  /** As it is named in complaints. */
  readonly name: string
  /** To be taken once. */
  readonly bytes: AsyncIterable<Uint8Array>
}

async function* bytesOf(
  open: () => Readable | Promise<Readable>,
  name: string,
  signal: AbortSignal | null,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of await open()) {
      signal?.throwIfAborted()
      yield Buffer.from(chunk)
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw new Failure('usage', `${name} cannot be read: ${fileTrouble(error)}`)
  }
}

const never = new AbortController().signal

/** `-` is stdin. What cannot be read is told when its bytes are taken: Failure('usage'). */
export function fileToRead(path: string, stdin: () => NodeJS.ReadableStream, signal: AbortSignal | null): FileToRead {
  const name = path === '-' ? 'stdin' : path
  async function* taken() {
    // Opened when it is asked for, so that nobody has to listen to a stream that nobody reads.
    const open = () =>
      path === '-' ? addAbortSignal(signal ?? never, stdin() as Readable) : openedFile(path, signal ?? never)
    yield* bytesOf(open, name, signal)
  }
  return { name, bytes: taken() }
}
