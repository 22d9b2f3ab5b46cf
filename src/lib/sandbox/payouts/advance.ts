/**
 * The timeline of a payout. Real banks take minutes or days; here it is seconds by the clock that was given, and the
 * description decides where it leads, so that every end can be met on purpose. INITIAL → PENDING → SUCCESS and
 * INITIAL → FAILED are the ways that were seen (service.md#payout-statuses).
 */
import { payoutTakes } from '../../contract/assumed.ts'
import { payoutEnd } from '../../contract/payout/status.ts'
import type { PayoutRow, SandboxWriter } from '../../store/sandbox/schema.ts'
import { addPosting, duePayouts, movePayout } from '../../store/sandbox/world.ts'
import type { Shape } from '../shape.ts'

interface Step {
  /** Milliseconds after creation. */
  readonly after: number
  readonly status: string
}

function endingIn(status: string): readonly Step[] {
  return [
    { after: 0, status: 'INITIAL' },
    { after: payoutTakes.otherwise * 1000, status },
  ]
}

/** Every timeline by the status it ends in. */
const timelines: Readonly<Record<string, readonly Step[]>> = {
  SUCCESS: [
    { after: 0, status: 'INITIAL' },
    { after: payoutTakes.PENDING * 1000, status: 'PENDING' },
    { after: payoutTakes.SUCCESS * 1000, status: 'SUCCESS' },
  ],
  FAILED: endingIn('FAILED'),
  REJECTED: endingIn('REJECTED'),
  DELETED: endingIn('DELETED'),
  INITIAL_INSUFFICIENT_BALANCE: [{ after: 0, status: 'INITIAL_INSUFFICIENT_BALANCE' }],
}

export const waitingForBalance = 'INITIAL_INSUFFICIENT_BALANCE'

export const magicDescriptions = [
  { description: 'sandbox:failed', endsIn: 'FAILED' },
  { description: 'sandbox:rejected', endsIn: 'REJECTED' },
  { description: 'sandbox:deleted', endsIn: 'DELETED' },
  { description: 'sandbox:insufficient-balance', endsIn: waitingForBalance },
] as const

const bankWords: Readonly<Record<string, string>> = {
  INITIAL: 'Created',
  PENDING: 'To be Signed',
  SUCCESS: 'Completed',
  REJECTED: 'Rejected by the bank',
  FAILED: 'Failed at the bank',
  DELETED: 'Deleted before execution',
  INITIAL_INSUFFICIENT_BALANCE: 'Waiting for the balance',
}

/** The words of a bank for SUCCESS as they were recorded, by the two letters of the bank in an IBAN (service.md#seen-since). */
const recordedSuccess: Readonly<Record<string, string>> = { BG: 'Completed', TB: 'success', LB: 'SUCCESS' }

/** The words as they were recorded: of a new payout, and of a paid one by the bank that it was paid to. */
function recordedWords(status: string, toIban: string | undefined): string | undefined {
  if (status === 'INITIAL') return 'Initial'
  return status === 'SUCCESS' ? recordedSuccess[toIban?.slice(4, 6) ?? ''] : undefined
}

export function statusDescription(status: string, shape: Shape, toIban?: string): string {
  const recorded = shape === 'recorded' ? recordedWords(status, toIban) : undefined
  return recorded ?? bankWords[status] ?? status
}

/** The final status of a payout with this description. */
export function endFor(description: string): string {
  const magic = magicDescriptions.find((each) => each.description === description.toLowerCase())
  return magic?.endsIn ?? 'SUCCESS'
}

export interface PayoutProgress {
  readonly status: string
  readonly due: number | null
}

/** The first step of a timeline, and when the next is due. */
export function progressAtStart(endsIn: string, created: number): PayoutProgress {
  return progressOf(timelines[endsIn] ?? [], 0, created)
}

function progressOf(timeline: readonly Step[], at: number, created: number): PayoutProgress {
  const next = timeline[at + 1]
  return { status: timeline[at]?.status ?? 'INITIAL', due: next ? created + next.after : null }
}

function progressAt(payout: PayoutRow, now: number): PayoutProgress {
  const timeline = timelines[payout.ends_in] ?? []
  const at = timeline.findLastIndex((step) => payout.created + step.after <= now)
  return progressOf(timeline, Math.max(at, 0), payout.created)
}

/** Makes every move that is due. A payout that ends unpaid gives amount and commission back. */
export async function advancePayouts(db: SandboxWriter, now: number): Promise<void> {
  for (const payout of await duePayouts(db, now)) {
    const { status, due } = progressAt(payout, now)
    await movePayout(db, payout.transaction_id, status, due)
    if (payoutEnd(status) !== 'not-paid') continue
    const { iban, transaction_id, amount, commission } = payout
    await addPosting(db, { iban, transaction_id, units: amount + commission, kind: 'return' })
  }
}
