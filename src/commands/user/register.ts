import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { profileOf } from '../../lib/cli/desk/profile.ts'
import { receiptOrDryRun } from '../../lib/cli/unsent.ts'
import { doneView } from '../../lib/cli/views.ts'
import { consentFlags, keyFlags } from '../../lib/cli/write/flags.ts'
import type { Write } from '../../lib/cli/write/request.ts'
import { runWrite } from '../../lib/cli/write/write.ts'
import type { Members } from '../../lib/contract/core/members.ts'
import { registerUser } from '../../lib/contract/user.ts'
import type { Desk } from '../../lib/desk/desk.ts'
import { type Done, doneOf } from '../../lib/desk/receipts.ts'
import { submit } from '../../lib/desk/submit.ts'
import { Failure } from '../../lib/failure.ts'
import { writeJson } from '../../lib/json.ts'

export default class UserRegister extends PaydeskCommand<Done> {
  static override summary = 'Register a user who can then receive payments.'
  static override description =
    `The payload is not specified, so the file is passed on as it is. In YAML quote a personal number, or it is
sent as a number. The userId of the answer is a USER receiver for payouts. It is never sent twice; a --key
answers a repeat from this journal.`
  static override examples = [
    '<%= config.bin %> user register --file user.json --key user-4711 --yes',
    'pass show users/nino | <%= config.bin %> user register --file - --yes --json --query userId',
  ]

  static override flags = {
    ...consentFlags,
    file: Flags.string({
      description:
        'file with the payload, a JSON or YAML object; - is stdin; at a terminal your editor opens if omitted',
      helpValue: '<f|->',
      helpGroup: 'WRITE',
    }),
    ...keyFlags,
  }

  static override readonly result = receiptOrDryRun('userRegisteredResult')

  async run() {
    const { flags } = await this.parse(UserRegister)
    const profile = await profileOf(this, flags, 'orders')
    const idempotencyKey = flags.key ?? null
    if (flags.file === undefined && !this.canAsk) throw new Failure('usage', '--file is missing: <f|->')
    const ask: Write['ask'] = async (asker, _operation, typed) =>
      flags.file === undefined ? (await import('../../lib/cli/write/questions.ts')).askForUser(asker) : typed
    const register = async (desk: Desk, request: Members) =>
      doneOf(await submit(desk, registerUser, request, { idempotencyKey }), desk)
    const remarksOn = async (request: Members) =>
      Object.entries(request).map(([name, value]) => `    ${name}: ${writeJson(value)}`)
    return runWrite(this, registerUser, { flags, profile, ask, remarksOn }, register)
  }

  protected override readonly view = doneView
}
