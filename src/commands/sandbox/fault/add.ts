import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../../lib/command.ts'
import { operations } from '../../../lib/contract/operations.ts'
import { type Fault, faultKinds, faultPlaces } from '../../../lib/sandbox/fault.ts'
import { openSandbox } from '../../../lib/sandbox/sandbox.ts'
import type { View } from '../../../lib/terminal/view.ts'
import { faultTable } from './list.ts'

export default class SandboxFaultAdd extends PaydeskCommand<Fault> {
  static override summary = 'Let an operation fail: lose its answer, cut it, answer nonsense.'
  static override description =
    '`before`: the service never sees the request. `after`: it executes it, and the answer is spoiled. It is kept in the store of the sandbox until it has struck.'
  static override examples = [
    '<%= config.bin %> sandbox fault add --op payout.create --at after --kind reset',
    '<%= config.bin %> sandbox fault add --op payout.get --at before --kind 429 --nth 2 --times 3',
  ]

  static override flags = {
    op: Flags.option({ options: operations.map(({ name }) => name), required: true })({ description: 'the operation' }),
    at: Flags.option({ options: faultPlaces, required: true })({ description: 'before or after it is executed' }),
    kind: Flags.option({ options: faultKinds, required: true })({ description: 'what happens to the answer' }),
    nth: Flags.integer({ description: 'which request of the operation it strikes first', default: 1, min: 1 }),
    times: Flags.integer({ description: 'how many in a row', default: 1, min: 1 }),
  }

  async run(): Promise<Fault> {
    const { flags } = await this.parse(SandboxFaultAdd)
    const { op, at, kind, nth, times } = flags
    const sandbox = await openSandbox(this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return await sandbox.faults.add({ op, at, kind, nth, times })
  }

  protected override view(fault: Fault): View {
    return faultTable([fault])
  }
}
