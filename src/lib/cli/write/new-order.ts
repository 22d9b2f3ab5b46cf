/**
 * `order create`: the saved card that an order charges, the order itself, and the address where its payer pays. An order whose
 * card is charged has no payer to send there: the end of the charge is what matters.
 */
import { buffer } from 'node:stream/consumers'
import { Flags, type Interfaces } from '@oclif/core'
import { createOrder, type OrderRequest } from '../../contract/order/order.ts'
import { orderEnd } from '../../contract/order/status.ts'
import type { Desk } from '../../desk/desk.ts'
import { placeOrder, readCard } from '../../desk/orders.ts'
import type { Done } from '../../desk/receipts.ts'
import { addConflict, findWithoutSecret, type Submitted } from '../../desk/submit.ts'
import type { Edge } from '../../edge.ts'
import { Failure } from '../../failure.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { contents, mustBeOwn, warningsAbout } from '../../paths.ts'
import { secretOf } from '../../profile/secret.ts'
import { openDeskAs } from '../desk/desk.ts'
import { attachSandbox, consultSandbox, profileOf } from '../desk/profile.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { qrModules, type View } from '../output/view.ts'
import type { DryRun } from '../unsent.ts'
import { consentOf } from './consent.ts'
import { dryRunOf } from './dry-run.ts'
import { type WriteFlags, wantsDryRun } from './flags.ts'
import { askForOrder } from './questions.ts'
import { requestOf, type Write } from './request.ts'

const flag = '--card-token-file'

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

type OrderFlags = WriteFlags &
  SharedFlags &
  Interfaces.InferredFlags<typeof cardFlags> & { readonly wait: boolean; readonly qr: boolean; readonly open: boolean }

/** `show` gets what stands below the receipt. */
export async function createNewOrder(
  invocation: Invocation,
  flags: OrderFlags,
  show: (below: View) => void,
): Promise<Done | DryRun> {
  const profile = await profileOf(invocation, flags, 'orders')
  const savedWith = flags['card-from-order'] ?? null
  const given = await cardTokenIn(flags['card-token-file'], flags.file, invocation.edge)
  const cardToken = savedWith === null ? given.token : placeholderToken
  const found = cardToken === undefined ? {} : { cardToken }
  const isSandbox = profile.environment === 'sandbox'
  const ask: Write['ask'] = async (asker, operation, typed) => {
    const isOffered = isSandbox && typed.receiverId === undefined
    const receivers = isOffered ? await (await consultSandbox(invocation)).receivers('orders') : []
    return askForOrder(asker, operation, typed, { orderType: profile.orderType, receivers })
  }
  const checked = await requestOf(invocation, createOrder, { flags, profile, known: found, ask })
  const remarksOn = (order: OrderRequest) => [...given.warnings, ...createOrder.remarks(order)]
  if (wantsDryRun(flags)) {
    const isUnread = savedWith !== null
    const unread = isUnread ? ['the card was not read: the token is a placeholder'] : []
    const dry = await dryRunOf(invocation, createOrder, checked, { flags, profile, isUnread })
    return { ...dry, warnings: [...dry.warnings, ...remarksOn(checked), ...unread] }
  }
  const desk = await openDeskAs(invocation, profile, flags)
  // Asked of the server itself: a crash leaves its address behind.
  const isClosed = isSandbox && !(await attachSandbox(invocation)).running
  const { key: idempotencyKey = null, 'allow-duplicate': allowDuplicate = null, wait } = flags
  const { known, request: whole, cardMask } = await orderWithCard(desk, { savedWith }, checked, idempotencyKey)
  const isCharged = whole.cardToken !== undefined
  const details = isCharged ? [`charges ${['the saved card', cardMask].filter(Boolean).join(' ')} at once`] : []
  const write = { flags, profile, details, known: found }
  const opened = async () => desk
  const { request } = known ? { request: whole } : await consentOf(invocation, createOrder, whole, write, opened)
  const remarks = remarksOn(request)
  try {
    return await placeOrder(desk, request, { idempotencyKey, allowDuplicate, wait, known }, async (done) => {
      const state = openInWords(done, desk, { isCharged, isClosed, wait }, invocation)
      const { below, warnings } = await checkoutOf(done, invocation, flags, isCharged)
      show(below)
      return [...(done.replayed ? [] : remarks), ...state, ...warnings]
    })
  } catch (error) {
    // The service need not say which field its refusal means.
    throw error instanceof Failure && error.kind === 'refused' ? error.with({ warnings: remarks }) : error
  }
}

// --- The saved card

/** Stands for a token that is not read yet, so that the rest of an order can be checked before anything is sent. */
const placeholderToken = '00000000-0000-4000-8000-000000000000'

interface GivenToken {
  readonly token?: string
  readonly warnings: readonly string[]
}

/** The token in a private file, or on stdin; none where no file is named. Throws Failure('usage'). */
async function cardTokenIn(
  path: string | undefined,
  requestFile: string | undefined,
  { stdin }: Edge,
): Promise<GivenToken> {
  if (path === undefined) return { warnings: [] }
  if (path === '-' && requestFile === '-') {
    throw new Failure('usage', `${flag} and --file cannot both be read from stdin`)
  }
  if (path === '-') {
    // Typed at a terminal, the token would stay on the screen.
    if (stdin.isTTY) throw new Failure('usage', `${flag} - needs a pipe, such as \`pass show card | paydesk …\``)
    return { token: tokenIn(await buffer(stdin), 'stdin'), warnings: [] }
  }
  const file = contents(path)
  // A token that was pasted where its file belongs must not come up on the screen.
  const name = /^[0-9a-f-]{30,}$/i.test(path) ? 'that file' : path
  if ('why' in file) throw new Failure('usage', `${flag}: ${name} cannot be read: ${file.why}`)
  mustBeOwn(path, 'the file of the card token')
  return { token: tokenIn(file.bytes, path), warnings: warningsAbout(path) }
}

function tokenIn(bytes: Uint8Array, name: string): string {
  const text = secretOf(bytes)
  // The text is not repeated: it is the secret.
  if (!text.ok) throw new Failure('usage', `${flag}: ${name} ${text.complaint}`)
  return text.secret
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
  { savedWith }: { readonly savedWith: string | null },
  order: OrderRequest,
  idempotencyKey: string | null,
): Promise<Charging> {
  const unread = { request: order, cardMask: null }
  if (savedWith === null) return { ...unread, known: null }
  const sentBefore = () => findWithoutSecret(desk, createOrder, order, idempotencyKey)
  const known = await sentBefore()
  if (known) return { ...unread, known }
  try {
    const { token, cardMask } = await readCard(desk, savedWith)
    return { known: null, request: { ...order, cardToken: token }, cardMask }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    // Another run of it may have read the card, and charged it, while this one waited for its answer.
    const meanwhile = desk.signal.aborted ? null : await sentBefore()
    if (meanwhile === null) throw await addConflict(desk, createOrder, order, idempotencyKey, error)
    return { ...unread, known: meanwhile }
  }
}

// --- The address of the payer

const isOpen = ({ status }: Done) => status === null || orderEnd(status) === null

interface Circumstances {
  readonly isCharged: boolean
  /** True for the sandbox while its server does not run. */
  readonly isClosed: boolean
  readonly wait: boolean
}

/** What is still to come of it. With --wait a person hears it before the receipt, and once. */
function openInWords(
  done: Done,
  { naming }: Desk,
  { isCharged, isClosed, wait }: Circumstances,
  { output }: Invocation,
): readonly string[] {
  if (!isOpen(done)) return []
  const id = String(done.integratorOrderId)
  if (isCharged) {
    const said = hint`it is not known yet whether the card was charged: \`${paste('order wait', id)}\``
    return wait ? [] : [hintInWords(said, naming)]
  }
  if (!isClosed) return []
  const [start, trigger] = [paste('sandbox start'), paste('sandbox trigger', 'paid', '--order', id)]
  const said = hintInWords(
    hint`the sandbox does not run: the checkout page, timers and callbacks need \`${start}\`; \`${trigger}\` plays the payer`,
  )
  if (!wait || output.machine) return [said]
  output.warn(said)
  return []
}

/** The address as a QR code, and in the browser. Never throws: the order stands, whatever becomes of its address. */
async function checkoutOf(
  done: Done,
  { edge, output }: Invocation,
  { qr, open, wait }: OrderFlags,
  isCharged: boolean,
): Promise<{ readonly below: View; readonly warnings: readonly string[] }> {
  const address = typeof done.urlForQR === 'string' ? done.urlForQR : null
  if (address === null) {
    // Of an order that a payer is to pay, the receipt says it.
    return { below: [], warnings: isCharged && (qr || open) ? ['the answer has no address to pay at'] : [] }
  }
  const warnings = open ? await openInBrowser(address) : []
  // The payer needs the address now; with --wait the receipt comes at the end.
  const isDrawnNow = wait && isOpen(done) && !isCharged
  const isDrawn = qr && Boolean((isDrawnNow ? edge.stderr : edge.stdout).isTTY) && !output.machine
  if (qr && !isDrawn) warnings.push('--qr draws on a terminal only')
  const code: View = isDrawn
    ? await codeOf(address).catch((error: unknown) => {
        warnings.push(
          `the address to pay at cannot be drawn as a QR code: ${error instanceof Error ? error.message : String(error)}`,
        )
        return []
      })
    : []
  if (isDrawnNow) output.show([{ kind: 'facts', rows: [['pay at', address]] }, ...code])
  return { below: isDrawnNow ? [] : code, warnings }
}

/** Throws where an address is too long for a code. */
const codeOf = async (address: string): Promise<View> => [{ kind: 'qr', modules: await qrModules(address) }]

/** Why it was not opened, if it was not. An address of a receipt is one of the web: another one could start any program. */
async function openInBrowser(address: string): Promise<string[]> {
  try {
    const { default: open } = await import('open')
    const opener = await open(new URL(address).href)
    // A browser that is missing reports it later, when the command has gone on.
    opener.on('error', () => undefined)
    return []
  } catch (error) {
    return [`the browser could not be opened: ${error instanceof Error ? error.message : String(error)}`]
  }
}
