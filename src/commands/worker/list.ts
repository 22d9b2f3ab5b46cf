import { teamOf } from '../../lib/cli/batch/fleet.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Labels, tableOf } from '../../lib/cli/output/view.ts'
import type { WorkerTold } from '../../lib/fleet/fleet.ts'

export default class WorkerList extends PaydeskCommand<WorkerTold[]> {
  static override summary = "List the team's workers and their rows in work."
  static override description = 'A worker that was killed disappears within a minute; other workers take its rows.'
  static override examples = ['<%= config.bin %> worker list']

  static override readonly result = async () => (await import('../../lib/fleet/result.ts')).workerListResult

  async run(): Promise<WorkerTold[]> {
    await this.parse(WorkerList)
    const { address, settings } = teamOf(this)
    const { workersOf } = await import('../../lib/fleet/fleet.ts')
    return workersOf(address, settings)
  }

  protected override readonly view = (workers: WorkerTold[]) => [
    tableOf(workers, columns, 'No workers. `worker start` starts one.'),
  ]
}

const columns: Labels<WorkerTold> = {
  worker: ({ worker }) => worker.split('/').slice(0, 2).join('/'),
  profile: 'profile',
  started: 'startedAt',
  accepted: 'accepted',
  failed: 'failed',
  'in work': ({ chunks }) => chunks.join(' '),
}
