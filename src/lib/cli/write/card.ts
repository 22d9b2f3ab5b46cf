/**
 * The saved card that an order charges: its token in a private file or on stdin, or read at the service with the order it
 * was saved with.
 */
import { Flags } from '@oclif/core'
import { createOrder, type OrderRequest } from '../../contract/order/order.ts'
import type { Desk } from '../../desk/desk.ts'
import { readCard } from '../../desk/orders.ts'
import { addConflict, findWithoutSecret, type Submitted } from '../../desk/submit.ts'
import type { Edge } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { secretOf } from '../../profile/secret.ts'
import { contents, mustBeOwn, othersMayRead } from '../../readable-file.ts'
import type { RequestFields } from './request.ts'

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
    if (length > longest) throw new Failure('usage', `${flag}: stdin is too long for a card token`)
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
async function cardTokenIn(
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
  const open = othersMayRead(path) ? [`others can read ${path}: run chmod 600`] : []
  return { token: tokenIn(file.bytes, path), warnings: open }
}

/** The saved card that an order charges: its token in a private file, or read at the service with the order it was saved with. */
export const cardFlags = {
  'card-token-file': Flags.string({
    description: 'charge the saved card whose token is in this file, - for stdin; needs a permission',
    helpValue: '<f|->',
    helpGroup: 'REQUEST',
    exclusive: ['card-from-order'],
  }),
  'card-from-order': Flags.string({
    description: 'charge the card that was saved with this order; needs a permission',
    helpValue: '<integratorOrderId>',
    helpGroup: 'REQUEST',
    exclusive: ['curl'],
  }),
}

/** Stands for a token that is not read yet, so that the rest of an order can be checked before anything is sent. */
const placeholderToken = '00000000-0000-4000-8000-000000000000'

interface CardFlags {
  readonly 'card-token-file'?: string | undefined
  readonly 'card-from-order'?: string | undefined
  readonly file?: string | undefined
}

interface CardToCharge {
  /** The order that it was saved with, where its token is still to be read; until then a placeholder stands for it. */
  readonly savedWith: string | null
  readonly knows: RequestFields
  readonly warnings: readonly string[]
}

/** The card that the flags name, if any. Throws Failure('usage'). */
export async function cardToCharge(flags: CardFlags, { stdin }: Edge): Promise<CardToCharge> {
  const given = await cardTokenIn(flags['card-token-file'], flags.file, stdin)
  const savedWith = flags['card-from-order'] ?? null
  const cardToken = savedWith === null ? given?.token : placeholderToken
  return { savedWith, knows: cardToken === undefined ? {} : { cardToken }, warnings: given?.warnings ?? [] }
}

interface Charging {
  /** Known to the journal: it was sent before, and needs no card. */
  readonly known: Submitted | null
  readonly request: OrderRequest
  readonly cardMask: string | null
}

/**
 * The order with the token of its card, which is read where it is not known yet; or what came of it before. Throws as the read
 * of the card, and as the resolution of a charge whose answer was lost.
 */
export async function orderWithCard(
  desk: Desk,
  { savedWith }: CardToCharge,
  order: OrderRequest,
  businessKey: string | null,
): Promise<Charging> {
  const unread = { request: order, cardMask: null }
  if (savedWith === null) return { ...unread, known: null }
  const sentBefore = () => findWithoutSecret(desk, createOrder, order, businessKey)
  const known = await sentBefore()
  if (known) return { ...unread, known }
  try {
    const { token, cardMask } = await readCard(desk, savedWith)
    return { known: null, request: { ...order, cardToken: token }, cardMask }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Another run of it may have read the card, and charged it, while this one waited for its answer.
    const meanwhile = desk.signal.aborted ? null : await sentBefore()
    if (meanwhile === null) throw await addConflict(desk, createOrder, order, businessKey, error)
    return { ...unread, known: meanwhile }
  }
}
