import { Flags } from '@oclif/core'
import type { CallbackEntry } from '../../lib/callback/entry.ts'
import { callbacksOf } from '../../lib/cli/callback/callbacks.ts'
import { callbackList } from '../../lib/cli/callback/views.ts'
import { PaydeskCommand } from '../../lib/cli/command.ts'
import { sinceAndUntil, typedPeriod } from '../../lib/cli/flags/times.ts'

export default class CallbackList extends PaydeskCommand<CallbackEntry[]> {
  static override summary = 'List received callbacks, newest first.'
  static override description =
    '"same as" names an earlier callback with the same bytes, or the same order, transaction, status and amount. A callback is only a hint: `paydesk order status <id>` reads the real status. Times are local; UTC with --json.'
  static override examples = [
    '<%= config.bin %> callback list --order 7c9e6679-7425-40de-944b-e07fc1f90ae7',
    '<%= config.bin %> callback list --since 2026-11-20T09:00 --json',
  ]

  static override flags = {
    ...sinceAndUntil('received'),
    order: Flags.string({ description: 'only those of this order, transaction or subscription', helpValue: '<id>' }),
    limit: Flags.integer({ description: 'maximum number of entries', default: 100, min: 1 }),
  }

  static override readonly result = async () => (await import('../../lib/callback/result.ts')).callbackListResult

  async run() {
    const { flags } = await this.parse(CallbackList)
    const { order, profile, limit } = flags
    const filter = { ...typedPeriod(this, flags), order, profile, limit }
    const callbacks = await callbacksOf(this)
    return callbacks.list(filter)
  }

  protected override readonly view = callbackList
}
