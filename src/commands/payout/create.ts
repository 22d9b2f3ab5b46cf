import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { listedPayee, payeesToChoose } from '../../lib/cli/desk/payees.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { receiptView } from '../../lib/cli/views.ts'
import { wantsDryRun, writeFlags } from '../../lib/cli/write/flags.ts'
import type { Write } from '../../lib/cli/write/request.ts'
import { payoutProfile, runWrite } from '../../lib/cli/write/write.ts'
import { membersOf } from '../../lib/contract/payout/payee.ts'
import { createPayout, type PayoutRequest } from '../../lib/contract/payout/payout.ts'
import type { Desk } from '../../lib/desk/desk.ts'
import { createAndWait } from '../../lib/desk/payouts.ts'
import { type CreatedReceipt, type Receipt, receiptOf } from '../../lib/desk/receipts.ts'
import { submit } from '../../lib/desk/submit.ts'
import { Failure } from '../../lib/failure.ts'

export default class PayoutCreate extends PaydeskCommand<CreatedReceipt> {
  static override summary = 'Pay a beneficiary: an IBAN or a registered receiver.'
  static override description =
    `At a terminal it asks for what is missing. In a script give a --key, so that a second run does not pay twice,
and --yes, or --confirm "GEL 12.50" on live profiles. A lost answer is repeated under the same id; exit code 9
means that the outcome is still unknown: run \`resume\`. Guide: docs/how-to/cron.md`
  static override examples = [
    '<%= config.bin %> payout create -p sandbox --amount 12.50 --currency GEL --to-iban GE29NB0000000101904917 --beneficiary-name "Nino Beridze" --description "Salary, November" --yes',
    '<%= config.bin %> payout create -p sandbox --payee "Nino Beridze" --amount 12.50 --currency GEL --description Salary --yes',
    '<%= config.bin %> payout create --file payout.yaml --key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --json',
  ]

  static override flags = {
    ...fieldFlags(createPayout),
    payee: Flags.string({
      description: 'a listed payee, by name, account or payee id: fills in its name, account and details',
      helpValue: '<name>',
      helpGroup: 'REQUEST',
    }),
    ...writeFlags,
    wait: Flags.boolean({
      description: 'wait until the payout is final (0 paid, 5 not paid, 8 timeout)',
      helpGroup: 'WRITE',
    }),
  }

  static override readonly result = receiptOrDryRun(
    'createdResult',
    ' With --wait and exit code 8 stdout holds the receipt as well.',
    'open',
  )

  async run() {
    const { flags } = await this.parse(PayoutCreate)
    const profile = await payoutProfile(this, createPayout, flags)
    const options = { idempotencyKey: flags.key ?? null, allowDuplicate: flags['allow-duplicate'] ?? null }
    const remarksOn: Write['remarksOn'] = async (request, desk) => {
      const { remarksOnPayout } = await import('../../lib/cli/write/at-terminal.ts')
      return remarksOnPayout(await desk(), request, flags.key !== undefined)
    }
    const pay = async (desk: Desk, request: PayoutRequest, wasSeen: boolean) => {
      // A person has read it before: it is not told once more.
      const agreed = { ...options, isAgreed: wasSeen && profile.duplicateGuard === 'warn' }
      const receipt = flags.wait
        ? await createAndWait(desk, request, agreed)
        : receiptOf(await submit(desk, createPayout, request, agreed), desk)
      return wasSeen ? receipt : this.#remarked(receipt, request)
    }
    const listed = () => payeesToChoose(this, profile)
    const ask: Write['ask'] = async (asker, operation, typed) =>
      (await import('../../lib/cli/write/questions.ts')).askForPayout(asker, operation, typed, listed)
    const payee = flags.payee === undefined ? null : await listedPayee(this, flags.payee, profile, wantsDryRun(flags))
    const naming = <Result extends object>(result: Result) =>
      payee ? { ...result, namedPayee: { payeeId: payee.payeeId, name: payee.name } } : result
    const write = { flags, profile, ask, remarksOn, known: payee ? membersOf(payee) : {} }
    try {
      return naming(await runWrite(this, createPayout, write, pay))
    } catch (error) {
      if (!(error instanceof Failure) || !error.facts.document) throw error
      throw error.as(error.kind, { ...error.facts, document: naming(error.facts.document) })
    }
  }

  protected override readonly view = receiptView

  /** The name is not required, but a bank may want it (assumed). */
  #remarked(receipt: Receipt, request: PayoutRequest): Receipt {
    const nameless = !receipt.replayed && request.toIban !== undefined && request.beneficiaryName === undefined
    const warnings = nameless
      ? [
          ...receipt.warnings,
          'without --beneficiary-name some banks reject a payout, because they cannot compare the name',
        ]
      : receipt.warnings
    return { ...receipt, warnings }
  }
}
