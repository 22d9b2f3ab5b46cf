/**
 * The address of a new order: as a QR code, in the browser, and with what the sandbox needs for it. An order whose saved
 * card is charged has no payer to send there: the end of the charge is what matters.
 */
import { orderEnd } from '../../contract/order/status.ts'
import type { Done } from '../../desk/receipts.ts'
import type { Edge } from '../../edge.ts'
import { hint, hintInWords, type Naming, paste } from '../../hint.ts'
import type { Output } from '../output/output.ts'
import { qrModules, type View } from '../output/view.ts'

/** Opening an address in the browser of the person at this machine. */

/** Null if it was opened; else why not. Only web addresses are: what else an answer may hold could start any program. */
async function openInBrowser(address: string): Promise<string | null> {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return `${address} is no web address`
  try {
    const { default: open } = await import('open')
    const opener = await open(url.href)
    // A browser that is missing reports it later, when the command has gone on.
    opener.on('error', () => undefined)
    return null
  } catch (error) {
    return `the browser could not be opened: ${error instanceof Error ? error.message : String(error)}`
  }
}

/**
 * The address of a new order: as a QR code, in the browser, and with what the sandbox needs for it. An order whose saved
 * card is charged has no payer to send there: the end of the charge is what matters.
 */
interface Wishes {
  readonly qr: boolean
  readonly open: boolean
  /** True if the command goes on until the order is paid. */
  readonly wait: boolean
  /** True for the sandbox while its server does not run. */
  readonly closed: boolean
  /** True if a saved card is charged, so that there is no payer. */
  readonly charged: boolean
  /** The name of the order's profile in a line to paste. */
  readonly naming: Naming
}

interface Checkout {
  /** Stands below the receipt. */
  readonly view: View
  readonly warnings: readonly string[]
}

async function codeOf(address: string): Promise<{ readonly view: View; readonly warnings: readonly string[] }> {
  try {
    return { view: [{ kind: 'qr', modules: await qrModules(address) }], warnings: [] }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { view: [], warnings: [`urlForQR cannot be drawn as a QR code: ${why}`] }
  }
}

function closedSandbox(id: string): string {
  const trigger = paste('sandbox trigger', 'paid', '--order', id)
  return hintInWords(
    hint`urlForQR, timers and callbacks need \`${paste('sandbox start')}\`; \`${trigger}\` plays the payer`,
  )
}

function openCharge(id: string, naming: Naming): string {
  return hintInWords(hint`it is not known yet whether the card was charged: \`${paste('order wait', id)}\``, naming)
}

/** Warnings about the address. With --wait the person hears them before the receipt, and once. */
function remarks(done: Done, isOpen: boolean, wishes: Wishes, output: Output): string[] {
  if (!isOpen) return []
  const id = String(done.integratorOrderId)
  if (wishes.charged) return wishes.wait ? [] : [openCharge(id, wishes.naming)]
  if (!wishes.closed) return []
  if (!wishes.wait || output.machine) return [closedSandbox(id)]
  output.warn(closedSandbox(id))
  return []
}

/** Never throws: the order stands, whatever becomes of its address. */
export async function showCheckout(done: Done, wishes: Wishes, edge: Edge, output: Output): Promise<Checkout> {
  const isOpen = done.status === null || orderEnd(done.status) === null
  const warnings = remarks(done, isOpen, wishes, output)
  const address = typeof done.urlForQR === 'string' ? done.urlForQR : null
  if (address === null) {
    // Of an order that a payer is to pay, the receipt says it.
    const wanted = wishes.charged && (wishes.qr || wishes.open)
    return { view: [], warnings: wanted ? [...warnings, 'the answer has no urlForQR to show'] : warnings }
  }
  if (wishes.open) {
    const why = await openInBrowser(address)
    if (why !== null) warnings.push(why)
  }
  // The payer needs the address now; with --wait the receipt comes at the end.
  const atOnce = wishes.wait && isOpen && !wishes.charged
  const drawnOn = atOnce ? edge.stderr : edge.stdout
  const draws = wishes.qr && Boolean(drawnOn.isTTY) && !output.machine
  if (wishes.qr && !draws) warnings.push('--qr draws on a terminal only')
  const code = draws ? await codeOf(address) : { view: [], warnings: [] }
  if (atOnce) output.show([{ kind: 'facts', rows: [['pay at', address]] }, ...code.view])
  return { view: atOnce ? [] : code.view, warnings: [...warnings, ...code.warnings] }
}
