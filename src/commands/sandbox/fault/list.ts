import { PaydeskCommand } from '../../../lib/command.ts'
import type { Fault } from '../../../lib/sandbox/fault.ts'
import { openSandbox } from '../../../lib/sandbox/sandbox.ts'
import type { View } from '../../../lib/terminal/view.ts'

export function faultTable(faults: readonly Fault[]): View {
  return [
    {
      kind: 'table',
      head: ['fault', 'operation', 'at', 'kind', 'strikes request', 'times'],
      rows: faults.map(({ id, op, at, kind, nth, times }) => [id, op, at, kind, nth, times]),
      empty: 'No fault is waiting.',
    },
  ]
}

export default class SandboxFaultList extends PaydeskCommand<Fault[]> {
  static override summary = 'Show the faults that have not struck yet, counted from now.'
  static override examples = ['<%= config.bin %> sandbox fault list']

  async run(): Promise<Fault[]> {
    await this.parse(SandboxFaultList)
    const sandbox = await openSandbox(this.places.sandbox, this.edge.clock, this.edge.random)
    this.closeAtEnd(() => sandbox.close())
    return await sandbox.faults.list()
  }

  protected override view(faults: Fault[]): View {
    return faultTable(faults)
  }
}
