import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { type Zone, zoneIn } from '../../lib/cli/output/time.ts'
import type { View } from '../../lib/cli/output/view.ts'
import { ownSandbox, requestTable, wholeRequestView } from '../../lib/cli/sandbox.ts'
import { operations } from '../../lib/contract/operations.ts'
import { Failure } from '../../lib/failure.ts'
import { hint, paste } from '../../lib/hint.ts'
import type { RequestEntry, WholeRequest } from '../../lib/sandbox/log/entry.ts'
import type { Sandbox } from '../../lib/sandbox/sandbox.ts'

type Result = RequestEntry[] | WholeRequest

type Filter = Parameters<Sandbox['requests']['list']>[0]

/** Milliseconds between two looks. */
const pause = 250
/** More than come in that time. */
const most = 1000

export default class SandboxRequests extends PaydeskCommand<Result> {
  static override summary = 'Show what the sandbox was asked, what it decided, and by which rule; the newest first.'
  static override description =
    'Whatever reached it is there: of programs that talk to `sandbox start`, and of commands with a built-in profile. With --id one request whole: its payload in the clear, the outline of its envelope, and, where that did not open, the step that failed. On the wire that is never told. The newest 5,000 are kept; card tokens and client secrets are hidden.'
  static override examples = [
    '<%= config.bin %> sandbox requests',
    '<%= config.bin %> sandbox requests --code 6010',
    '<%= config.bin %> sandbox requests --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> sandbox requests --id 17',
    '<%= config.bin %> sandbox requests --follow --output ndjson',
  ]

  static override flags = {
    operation: Flags.option({ options: operations.map(({ name }) => name) })({ description: 'only of this operation' }),
    code: Flags.integer({ description: 'only those that were answered with this code' }),
    order: Flags.string({ description: 'only those in which this id stands, of any kind', helpValue: '<id>' }),
    limit: Flags.integer({ description: 'at most so many', default: 50, min: 1 }),
    id: Flags.integer({
      description: 'one request, whole',
      min: 1,
      exclusive: ['follow', 'operation', 'code', 'order'],
    }),
    follow: Flags.boolean({ description: 'wait for new ones and show them as they come, until ^C' }),
  }

  static override readonly result = async () => {
    const { requestEntriesResult, wholeRequestResult } = await import('../../lib/sandbox/log/entry.ts')
    return [requestEntriesResult, wholeRequestResult]
  }

  async run() {
    const { flags } = await this.parse(SandboxRequests)
    const sandbox = await ownSandbox(this)
    if (flags.id !== undefined) return this.#one(sandbox, flags.id)
    const { operation, code, order, limit } = flags
    const filter = {
      limit,
      ...(operation === undefined ? {} : { operation }),
      ...(code === undefined ? {} : { code }),
      ...(order === undefined ? {} : { words: [[order.trim()]] }),
    }
    const list = await sandbox.requests.list(filter)
    return flags.follow ? this.#follow(sandbox, filter, list) : list
  }

  protected override view(result: Result, zone: Zone): View {
    return Array.isArray(result) ? requestTable(result, zone) : wholeRequestView(result)
  }

  async #one(sandbox: Sandbox, id: number): Promise<WholeRequest> {
    const request = await sandbox.requests.find(id)
    if (request) return request
    throw new Failure('not-found', `the sandbox knows no request ${id}`, {
      hints: [hint`\`${paste('sandbox requests')}\` lists those it has kept: the newest 5,000 of this world.`],
    })
  }

  /** The oldest first from here on, as they come, until ^C or until the reader has gone. */
  async #follow(sandbox: Sandbox, filter: Filter, before: readonly RequestEntry[]): Promise<undefined> {
    let fresh = before.toReversed()
    let after = 0
    for (;;) {
      if (fresh.length > 0) await this.output.document(fresh, this.view(fresh, zoneIn(this.edge.env)))
      after = fresh.at(-1)?.id ?? after
      const ends = AbortSignal.any([this.signal, this.output.unread])
      await this.edge.clock.sleep(pause, ends).catch(() => undefined)
      if (this.signal.aborted) throw new Failure('interrupted', 'the log goes on; nobody follows it any more')
      if (this.output.unread.aborted) return undefined
      fresh = (await sandbox.requests.list({ ...filter, limit: most, after })).toReversed()
    }
  }
}
