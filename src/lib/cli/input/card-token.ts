/** The token of a saved card, from the private file that `--card-token-file` names or from stdin. */
import { Failure } from '../../failure.ts'
import { secretOf } from '../../profile/secrets/secret.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'

interface GivenToken {
  readonly token: string
  readonly warnings: readonly string[]
}

type Stdin = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** More than any token; a wrong pipe shall not fill the memory. */
const longest = 64 * 1024

const flag = '--card-token-file'

async function fromStdin(stdin: Stdin): Promise<Uint8Array> {
  // Typed at a terminal, the token would stay on the screen.
  if (stdin.isTTY) throw new Failure('usage', `${flag} - needs a pipe, such as \`pass show card | paydesk …\``)
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > longest) throw new Failure('usage', `${flag}: stdin is longer than any card token`)
  }
  return Buffer.concat(chunks)
}

function tokenIn(bytes: Uint8Array, name: string): string {
  const text = secretOf(bytes)
  // The text is not repeated: it is the secret.
  if (!text.ok) throw new Failure('usage', `${flag}: ${name} ${text.complaint}`)
  return text.secret
}

/** The token in a private file, or on stdin; null where no file is named. Throws Failure('usage'). */
export async function cardTokenIn(
  path: string | undefined,
  requestFile: string | undefined,
  stdin: Stdin,
): Promise<GivenToken | null> {
  if (path === undefined) return null
  if (path === '-' && requestFile === '-') {
    throw new Failure('usage', `${flag} and --file cannot both be read from stdin`)
  }
  if (path === '-') return { token: tokenIn(await fromStdin(stdin), 'stdin'), warnings: [] }
  const file = contents(path)
  // A token that was pasted where its file belongs must not come up on the screen.
  const name = /^[0-9a-f-]{30,}$/i.test(path) ? 'that file' : path
  if (!('why' in file)) mustBeOwn(path, 'the file of the card token')
  if ('why' in file) throw new Failure('usage', `${flag}: ${name} cannot be read: ${file.why}`)
  const open = othersMayRead(path) ? [`others may read ${path}: chmod 600 keeps it to yourself`] : []
  return { token: tokenIn(file.bytes, path), warnings: open }
}
