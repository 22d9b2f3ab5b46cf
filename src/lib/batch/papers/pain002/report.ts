/**
 * The answer to a pain.001: what came of the message, of each of its blocks, and of each payment. The status of a block stands
 * before its payments, and is known after them: so payments are noted in a file of their own first, and read once.
 */
import { howMany } from '../../../contract/core/count.ts'
import { fromMinorUnits } from '../../../contract/core/decimal.ts'
import type { IsoStatus } from '../../../contract/payout/iso20022.ts'
import { Failure } from '../../../failure.ts'
import type { Plan } from '../../plan/plan.ts'
import type { PainBlock, PainMessage } from '../../read/row.ts'
import { RowsBefore } from '../../rows/before.ts'
import { paymentOf } from '../columns.ts'
import type { GrowingFile } from '../files.ts'
import type { PaperLine } from '../lines.ts'
import { SumsBy } from '../sums.ts'
import { groupXml, headerXml } from './group.ts'
import { overallStatus, paymentOutcome } from './outcome.ts'
import { paymentXml, reasonXml } from './payment.ts'
import { frameOf } from './versions.ts'
import { leaf, node } from './xml.ts'

class Tally {
  readonly #sums = new SumsBy<IsoStatus>([])

  add(status: IsoStatus, { planned }: PaperLine): void {
    this.#sums.of(status).add(planned)
  }

  get rows(): number {
    return this.#sums.entries.reduce((count, [, { rows }]) => count + rows, 0)
  }

  get status() {
    return overallStatus(new Set(this.#sums.entries.map(([status]) => status)))
  }

  /** `NbOfTxsPerSts`, an element for each status. */
  xml(): string {
    const each = this.#sums.entries.map(([status, sums]) =>
      node(
        'NbOfTxsPerSts',
        leaf('DtldNbOfTxs', String(sums.rows)),
        leaf('DtldSts', status),
        leaf('DtldCtrlSum', fromMinorUnits(sums.control)),
      ),
    )
    return each.join('')
  }
}

interface BlockTally {
  readonly block: PainBlock
  readonly tally: Tally
}

export class StatusReport {
  readonly #plan: Plan
  readonly #message: PainMessage
  readonly #notes: GrowingFile
  readonly #now: number
  readonly #all = new Tally()
  readonly #blocks: BlockTally[] = []
  readonly #before = new RowsBefore()

  /** `notes`: the file that payments are noted in. Throws usage (2) for a plan of another format. */
  constructor(plan: Plan, notes: GrowingFile, now: number) {
    this.#plan = plan
    this.#message = messageOf(plan)
    this.#notes = notes
    this.#now = now
  }

  async add(lines: readonly PaperLine[]): Promise<void> {
    for (const line of lines) {
      const payment = paymentOf(line.planned)
      if (!payment)
        throw new Failure('bug', `row ${line.planned.number} of ${this.#plan.planId} has no original payment`)
      const outcome = paymentOutcome(line, this.#message.version)
      const block = this.#blockOf(payment.block)
      block.tally.add(outcome.status, line)
      this.#all.add(outcome.status, line)
      if (line.before) this.#before.add(line.planned, line.before)
      await this.#notes.write(`${paymentXml(line, payment, outcome, this.#plan.headers)}\n`)
    }
  }

  #blockOf(block: PainBlock): BlockTally {
    const last = this.#blocks.at(-1)
    if (last?.block.number === block.number) return last
    const next = { block, tally: new Tally() }
    this.#blocks.push(next)
    return next
  }

  async finish(write: (text: string) => Promise<void>): Promise<void> {
    const [begin, end] = frameOf(this.#message.version)
    await write(begin)
    await write(`${headerXml(this.#plan.planId, this.#now)}\n${this.#group()}\n`)
    const payments = linesIn(this.#notes.read())
    for (const { block, tally } of this.#blocks) {
      await write(`<OrgnlPmtInfAndSts>${blockXml(block, tally)}\n`)
      for (let count = 0; count < tally.rows; count += 1) {
        const { value } = await payments.next()
        await write(`${value ?? ''}\n`)
      }
      await write('</OrgnlPmtInfAndSts>\n')
    }
    await write(end)
  }

  #group(): string {
    const { status } = this.#all
    const isAccepted = status === 'ACCP' || status === 'ACSC'
    const { rows: before } = this.#before
    const sent = `Of ${howMany(this.#all.rows, 'payment')} ${before} ${before === 1 ? 'was' : 'were'} sent before this message, and nothing moved for ${before === 1 ? 'it' : 'them'} now`
    const others = isAccepted ? null : `Plan ${this.#plan.planId}: see each payment`
    const left = before > 0 ? `${sent}: see each payment` : others
    return groupXml(this.#message, status, left === null ? '' : reasonXml('NARR', left), this.#all.xml())
  }
}

function messageOf({ message, planId, format }: Plan): PainMessage {
  if (message) return message
  throw new Failure('usage', `${planId} is the plan of a ${format} file: a pain.002 answers a pain.001 only`)
}

function blockXml({ paymentInformationId, count, sum }: PainBlock, tally: Tally): string {
  return [
    leaf('OrgnlPmtInfId', paymentInformationId),
    leaf('OrgnlNbOfTxs', count?.trim() ?? null),
    leaf('OrgnlCtrlSum', sum?.trim() ?? null),
    leaf('PmtInfSts', tally.status),
    tally.xml(),
  ].join('')
}

async function* linesIn(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
