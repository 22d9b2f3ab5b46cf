import { Args } from '@oclif/core'
import { z } from 'zod'
import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { textView } from '../../../lib/cli/output/view.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import { Failure } from '../../../lib/failure.ts'
import { hint, paste } from '../../../lib/hint.ts'
import type { ResultOf } from '../../../lib/result.ts'
import { faultsCleared } from '../../../lib/sandbox/faults.ts'

const clearedFaults = z.strictObject({ cleared: z.int().min(0).describe('How many faults were cleared.') })

type Result = ResultOf<typeof clearedFaults>

export default class SandboxFaultClear extends PaydeskCommand<Result> {
  static override summary = 'Clear a fault, or all faults.'
  static override examples = ['<%= config.bin %> sandbox fault clear', '<%= config.bin %> sandbox fault clear 3']

  static override args = {
    id: Args.string({
      ignoreStdin: true,
      description: 'id of `sandbox fault list`; all if omitted',
    }),
  }

  static override readonly result = () => clearedFaults

  async run() {
    const { args } = await this.parse(SandboxFaultClear)
    const sandbox = await ownSandbox(this)
    const cleared = await sandbox.faults.clear(args.id)
    if (args.id !== undefined && cleared === 0) {
      throw new Failure('not-found', `no fault ${args.id} is waiting`, {
        hints: [hint`\`${paste('sandbox fault list')}\` lists them; a fault that has struck is gone.`],
      })
    }
    return { cleared }
  }

  protected override readonly view = ({ cleared }: Result) => textView(faultsCleared(cleared))
}
