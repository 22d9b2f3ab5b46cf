import { PaydeskCommand } from '../../lib/cli/command.ts'
import { changedPayee, changesOfPayee, openPayees, payeeArgs, payeeLabels } from '../../lib/cli/desk/payees.ts'
import { fieldFlags } from '../../lib/cli/flags/fields.ts'
import { factsOf } from '../../lib/cli/output/view.ts'
import { membersOf } from '../../lib/contract/payout/payee.ts'
import type { payeeEditedResult } from '../../lib/journal/result.ts'
import type { ResultOf } from '../../lib/result.ts'

type Edited = ResultOf<typeof payeeEditedResult>

export default class PayeeEdit extends PaydeskCommand<Edited> {
  static override summary = 'Edit a payee: its name, account or details.'
  static override description =
    `At a terminal it asks for each field. In a script only the given flags change; an empty value ("") removes a
detail. Earlier payments stay as they are. Nothing is sent.`
  static override examples = [
    '<%= config.bin %> payee edit "Nino Beridze" -p sandbox',
    '<%= config.bin %> payee edit "Nino Beridze" --beneficiary-identity-number 01001000001',
  ]

  static override args = payeeArgs
  static override flags = fieldFlags(changesOfPayee)

  static override readonly result = async () => (await import('../../lib/journal/result.ts')).payeeEditedResult

  async run(): Promise<Edited> {
    const { args, flags } = await this.parse(PayeeEdit)
    const { KnownPayees } = await import('../../lib/journal/payees.ts')
    const { profile, payees } = await openPayees(this, flags)
    const before = await payees.find(profile, args.payee)
    const given = await changedPayee(this, before, flags)
    const others = (await payees.list(profile)).filter(({ payeeId }) => payeeId !== before.payeeId)
    const alarm = new KnownPayees(others).alarm(given)
    const payee = await payees.change(profile, before, given)
    const [old, now] = [membersOf(before), membersOf(payee)]
    const changed = Object.keys({ ...old, ...now }).filter((name) => old[name] !== now[name])
    const warnings = [
      ...(alarm === null ? [] : [alarm.inWords]),
      ...(payee.account === before.account
        ? []
        : [`its account was ${before.account}: call the payee on a number that did not come with the invoice`]),
    ]
    return { ...payee, changed, warnings }
  }

  protected override readonly view = (edited: Edited) => [
    factsOf(edited, payeeLabels, edited.changed.length === 0 ? 'Nothing changed' : 'Payee changed'),
  ]
}
