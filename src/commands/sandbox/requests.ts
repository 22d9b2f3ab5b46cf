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
  static override summary = 'List requests to the sandbox and its decisions, newest first.'
  static override description =
    'Shows every request of your programs and of paydesk, with the rule that decided. --id shows one request whole: its payload, the layout of its envelope and, if that did not open, the step that failed. The newest 5,000 are stored; card tokens and client secrets are hidden. Guide: docs/how-to/test-your-client.md'
  static override examples = [
    '<%= config.bin %> sandbox requests',
    '<%= config.bin %> sandbox requests --code 6010',
    '<%= config.bin %> sandbox requests --order 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    '<%= config.bin %> sandbox requests --id 17',
    '<%= config.bin %> sandbox requests --follow --output ndjson',
  ]

  static override flags = {
    operation: Flags.option({ options: operations.map(({ name }) => name) })({ description: 'only of this operation' }),
    code: Flags.integer({ description: 'only requests answered with this code' }),
    order: Flags.string({ description: 'only requests that contain this id', helpValue: '<id>' }),
    limit: Flags.integer({ description: 'maximum number of entries', default: 50, min: 1 }),
    id: Flags.integer({
      description: 'one request in full',
      min: 1,
      exclusive: ['follow', 'operation', 'code', 'order'],
    }),
    follow: Flags.boolean({ description: 'show new requests as they come, until ^C' }),
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
    throw new Failure('not-found', `the sandbox has no request ${id}`, {
      hints: [hint`\`${paste('sandbox requests')}\` lists the newest 5,000.`],
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
      if (this.signal.aborted) throw new Failure('interrupted', 'stopped following; the sandbox goes on logging')
      if (this.output.unread.aborted) return undefined
      fresh = (await sandbox.requests.list({ ...filter, limit: most, after })).toReversed()
    }
  }
}
