import { Flags } from '@oclif/core'
import type { CallbackEntry } from '../../lib/callback/entry.ts'
import { CallbackAccess } from '../../lib/cli/callback/callbacks.ts'
import { callbackList } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { sinceAndUntil, typedPeriod } from '../../lib/cli/flags/times.ts'

export default class CallbackList extends PaydeskCommand<CallbackEntry[]> {
  static override summary = 'The callbacks that were received, the newest first.'
  static override description =
    'A callback is a hint: `paydesk order status <id>` reads how it really is. "same as" names the first that said the same: same bytes, or same order, transaction, status and amount. Times are those of this machine, typed ones too; with --json in UTC.'
  static override examples = [
    '<%= config.bin %> callback list --order 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> callback list --since 2026-11-20T09:00 --json',
  ]

  static override flags = {
    ...sinceAndUntil('received'),
    order: Flags.string({ description: 'only those of this order, transaction or subscription', helpValue: '<id>' }),
    limit: Flags.integer({ description: 'at most so many', default: 100, min: 1 }),
  }

  static override readonly result = async () => (await import('../../lib/callback/result.ts')).callbackListResult

  readonly #callbacks = new CallbackAccess(this)

  async run() {
    const { flags } = await this.parse(CallbackList)
    const { order, profile, limit } = flags
    const filter = { ...typedPeriod(this, flags), order, profile, limit }
    const callbacks = await this.#callbacks.open()
    return callbacks.list(filter)
  }

  protected override readonly view = callbackList
}
