/** Saved cards (area D): reading one, and the token with which an order charges it. */
import { getCard } from '../../contract/card/card.ts'
import { about, Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { secretOf } from '../../profile/secrets/secret.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'
import type { ResultOf } from '../../result.ts'
import { otherId } from '../acceptance.ts'
import { call } from '../call.ts'
import type { Desk } from '../desk.ts'
import { atStake, moneyOf } from '../recover/at-stake.ts'
import { orderOfId } from './find.ts'
import type { cardReadResult } from './result.ts'

/** The card as the service showed it, and the order it was saved with. */
export type CardRead = ResultOf<typeof cardReadResult>

/** Reads the card that was saved with an order. Its token is hidden from then on wherever anything else is shown. */
export async function readCard(desk: Desk, id: string): Promise<CardRead> {
  const { integratorOrderId, created, writes } = await orderOfId(desk, id)
  const facts = about(getCard, { uniqueId: integratorOrderId, journalId: created?.journalId ?? null })
  const card = await atStake(desk, writes, facts, () => call(desk, getCard, { integratorOrderId }))
  desk.tell.hide(card.token)
  const other = otherId({ integratorOrderId }, card)
  if (other !== null) {
    throw new Failure('unknown', `${other}; asking moved nothing`, {
      ...facts,
      moneyMoved: moneyOf(writes) ?? 'no',
      hints: [hint`Ask the service whose card that is.`],
    })
  }
  const { name, environment } = desk.profile
  return { ...card, integratorOrderId, profile: name, environment }
}

export interface GivenToken {
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
  return text.secret.trim()
}

/** Stands for a token that is not read yet, so that the rest of an order can be checked before anything is sent. */
export const placeholderToken = '00000000-0000-4000-8000-000000000000'

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
