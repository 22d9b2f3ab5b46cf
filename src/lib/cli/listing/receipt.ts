/** The receipt command: the payout that a name stands for, and the receipt for its beneficiary as text, page or file. */
import { resolve } from 'node:path'
import { createPayout } from '../../contract/payout/payout.ts'
import { Failure } from '../../failure.ts'
import { hint, paste } from '../../hint.ts'
import { findByName } from '../../journal/find.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { type BeneficiaryReceipt, beneficiaryReceipt, groupedFacts, paperTitles } from '../../listing/receipt.ts'
import type { ListedThing } from '../../listing/row.ts'
import type { SharedFlags } from '../flags/shared.ts'
import { typedForm } from '../flags/typed-line.ts'
import type { Invocation } from '../invocation.ts'
import { toStdout, writeNewFiles } from '../output/files.ts'
import { momentInWords, type Zone } from '../output/time.ts'
import type { View } from '../output/view.ts'
import { ListAccess } from './lists.ts'

export function beneficiaryReceiptView(receipt: BeneficiaryReceipt, zone: Zone): View {
  const { standing, statement, amount, currency, environment } = receipt
  return [
    {
      kind: 'text',
      text: [
        paperTitles[standing],
        ...(environment === 'live' ? [] : [`TEST (${environment}): no real money`]),
        statement,
      ].join('\n'),
    },
    {
      kind: 'facts',
      rows: [['Amount', `${currency} ${amount}`], ...groupedFacts(receipt, (iso) => momentInWords(iso, zone))],
    },
  ]
}

interface ReceiptFlags extends SharedFlags {
  readonly html: boolean
  readonly out?: string | undefined
  readonly refresh: boolean
}

/** The receipt command: the payout that a name stands for, and the receipt in the form that was asked for. */
export class ReceiptAccess {
  readonly #invocation: Invocation
  readonly #lists: ListAccess
  #written: string | null = null

  constructor(invocation: Invocation) {
    this.#invocation = invocation
    this.#lists = new ListAccess(invocation, 'payout')
  }

  /** The file that the page went to; null where it went to none. */
  get written(): string | null {
    return this.#written
  }

  get zone(): Zone {
    return this.#lists.zone
  }

  /** Null where the page itself went to stdout. Throws usage (2), not-found (6). */
  async receipt(id: string, given: ReceiptFlags): Promise<BeneficiaryReceipt | null> {
    const flags = given.out === '-' ? { ...given, out: undefined } : given
    this.#mustFit(flags)
    const journal = await this.#lists.journal()
    const known: ListedThing = { ...thingOf(await payoutMeant(journal, id, flags.profile)), read: null }
    const { thing, warnings } = flags.refresh
      ? await this.#lists.refreshed(known, flags)
      : { thing: known, warnings: [] }
    const receipt = beneficiaryReceipt(thing, { now: journal.moment.now, head: await journal.headNow(), warnings })
    if (!flags.html) return receipt
    const { receiptPage } = await import('../../listing/receipt-page.ts')
    const page = await receiptPage(receipt, (iso) => momentInWords(iso, this.zone))
    if (flags.out === undefined) {
      for (const warning of warnings) this.#invocation.output.warn(warning)
      await toStdout(this.#invocation)(page)
      return null
    }
    writeNewFiles([{ path: resolve(flags.out), text: page }])
    this.#written = flags.out
    return receipt
  }

  /** A page on stdout is the one document there. */
  #mustFit({ html, out }: ReceiptFlags): void {
    if (out !== undefined && !html) {
      throw new Failure('usage', '--out is for the HTML page', { hints: [hint`Add \`--html\`.`] })
    }
    if (!html || out !== undefined || typedForm(this.#invocation.line) === 'table') return
    throw new Failure('usage', '--html prints the page itself, so it has no other result', {
      hints: [hint`Omit \`--json\` or \`--output\`, or name a file with \`--out\`.`],
    })
  }
}

function thingOf(created: Intent) {
  return { created, writes: [created] }
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
