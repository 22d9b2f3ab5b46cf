import { PaydeskCommand } from '../../../lib/cli/command.ts'
import { type Labels, tableOf, type View } from '../../../lib/cli/output/view.ts'
import { ownSandbox } from '../../../lib/cli/sandbox.ts'
import type { Fault } from '../../../lib/sandbox/faults.ts'

/** The requests that it strikes, in words. */
function turn({ nth, times, perMille, seed, draws, above }: Fault): string {
  if (above !== null) return `faster than ${above}`
  if (perMille !== null) return `${perMille} of 1000 by chance, seed ${seed}, ${draws} drawn`
  const [first, many] = [nth ?? 1, times ?? 1]
  if (first === 1) return many === 1 ? 'the next request' : `the next ${many} requests`
  return many === 1 ? `request ${first} from now` : `requests ${first} to ${first + many - 1} from now`
}

function kindOf({ kind, delay }: Fault): string {
  return delay === null ? kind : `${kind}, ${delay / 1000} s`
}

const columns: Labels<Fault> = { fault: 'id', operation: 'op', at: 'at', kind: kindOf, strikes: turn }

export const faultTable = (faults: readonly Fault[]): View => [tableOf(faults, columns, 'No faults.')]

export default class SandboxFaultList extends PaydeskCommand<Fault[]> {
  static override summary = 'List faults that have not struck yet.'
  static override examples = ['<%= config.bin %> sandbox fault list']

  static override readonly result = async () => (await import('../../../lib/sandbox/faults.ts')).faultsListedResult

  async run() {
    await this.parse(SandboxFaultList)
    const sandbox = await ownSandbox(this)
    return await sandbox.faults.list()
  }

  protected override readonly view = faultTable
}
