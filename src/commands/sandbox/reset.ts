import { Flags } from '@oclif/core'
import { z } from 'zod'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { textView } from '../../lib/cli/output/view.ts'
import { mustAgree } from '../../lib/cli/prompts/confirm.ts'
import { ownSandbox, worldFlags, worldOf } from '../../lib/cli/sandbox.ts'
import { type ResultOf, uuidText } from '../../lib/result.ts'

const newWorld = z.strictObject({ worldId: uuidText.describe('The new world.') })

type Result = ResultOf<typeof newWorld>

export default class SandboxReset extends PaydeskCommand<Result> {
  static override summary = 'Reset the sandbox: opening balances, new secrets, empty ledger.'
  static override description =
    'The old ledger and all faults are deleted. Ids, IBANs and settings (--strict, --provider, --refunded-by, callbacks) stay. A running sandbox is reset at once. The journal keeps its payments to the old world, and nobody can be asked for them.'
  static override examples = [
    '<%= config.bin %> sandbox reset --yes',
    '<%= config.bin %> sandbox reset --yes --strict',
    '<%= config.bin %> sandbox reset --yes --first-transaction-id 9007199254740993',
  ]

  static override flags = {
    yes: Flags.boolean({ description: 'do not ask' }),
    ...worldFlags,
  }

  static override readonly result = () => newWorld

  async run() {
    const { flags } = await this.parse(SandboxReset)
    if (!flags.yes) {
      await mustAgree(this, {
        question: 'Reset the sandbox and delete its ledger?',
        whether: 'whether the ledger may go',
        ifDeclined: 'the world stays',
      })
    }
    const sandbox = await ownSandbox(this)
    await sandbox.reset(worldOf(flags))
    const { worldId } = await sandbox.world()
    return { worldId }
  }

  protected override readonly view = ({ worldId }: Result) => textView(`The sandbox was reset: ${worldId}`)
}
