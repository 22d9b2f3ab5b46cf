/** The receipt command: the payout that a name stands for, and the receipt for its beneficiary as text, page or file. */
import { createPayout } from '../../contract/payout/payout.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { findByName } from '../../journal/find.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import {
  type BeneficiaryReceipt,
  beneficiaryReceipt,
  groupedFacts,
  receiptPage,
  receiptTitles,
} from '../../listing/receipt.ts'
import type { ListedThing } from '../../listing/row.ts'
import { journalOf } from '../desk/journal.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { momentInWords, type Zone, zoneIn } from '../output/time.ts'
import { sumInWords, textView, type View } from '../output/view.ts'
import { type PageTarget, writePage } from '../page.ts'
import { refreshed } from './lists.ts'

export function beneficiaryReceiptView(receipt: BeneficiaryReceipt, zone: Zone): View {
  const { standing, statement, environment } = receipt
  const test = environment === 'live' ? [] : [`TEST (${environment}): no real money`]
  const facts = groupedFacts(receipt, (iso) => momentInWords(iso, zone))
  return [
    ...textView([receiptTitles[standing], ...test, statement].join('\n')),
    { kind: 'facts', rows: [['Amount', sumInWords(receipt)], ...facts] },
  ]
}

type ReceiptFlags = SharedFlags & { readonly refresh: boolean }

/** Undefined where the page itself went to stdout. Throws usage (2), not-found (6). */
export async function payoutReceipt(
  invocation: Invocation,
  id: string,
  flags: ReceiptFlags,
  target: PageTarget | null,
): Promise<BeneficiaryReceipt | undefined> {
  const journal = await journalOf(invocation)
  const created = await payoutMeant(journal, id, flags.profile)
  const known: ListedThing = { created, writes: [created], read: null }
  const { thing, warnings } = flags.refresh
    ? await refreshed(invocation, 'payout', known, flags)
    : { thing: known, warnings: [] }
  const receipt = beneficiaryReceipt(thing, { now: journal.moment.now, head: await journal.headNow(), warnings })
  if (target === null) return receipt
  const zone = zoneIn(invocation.edge.env)
  await writePage(invocation, target, await receiptPage(receipt, (iso) => momentInWords(iso, zone)))
  if (target.path !== null) return receipt
  for (const warning of warnings) invocation.output.warn(warning)
  return undefined
}

async function payoutMeant(journal: Journal, id: string, profile: string | undefined): Promise<Intent> {
  const filter = { operations: [createPayout], ...(profile === undefined ? {} : { profile }) }
  const { intents } = await findByName(journal, id, filter)
  const [payout, ...others] = intents
  if (!payout) {
    throw new Failure('not-found', `the journal has no payout ${id}`, {
      hints: [hint`\`${paste('payout list')}\` lists them.`],
    })
  }
  if (others.length === 0) return payout
  throw new Failure('usage', `${intents.length} payouts have the name ${id}`, {
    hints: [hint`Name one by its journal id: ${intents.map(({ journalId }) => journalId).join(', ')}.`],
  })
}
