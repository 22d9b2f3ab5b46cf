import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { answerOr, curlFlags } from '../lib/cli/desk/read.ts'
import { named } from '../lib/cli/flags/shared.ts'
import { textView } from '../lib/cli/output/view.ts'
import type { apiResult } from '../lib/cli/result.ts'
import { printableJson } from '../lib/json.ts'
import { parts } from '../lib/profile/parts.ts'
import type { ResultOf } from '../lib/result.ts'

type Answered = ResultOf<typeof apiResult>

export default class Api extends PaydeskCommand<Answered> {
  static override summary = 'Read any path of the service, signed in as the profile.'
  static override description =
    `For reads that have no command of their own. Payouts use the access token of the profile; for orders and the
wallet the query is sealed and the answer is opened. The path decides the area; --part sets another one. Only
GET is sent, because every write must go through the journal.`
  static override examples = [
    '<%= config.bin %> api GET "/api/distributor/balance/check?currency=GEL"',
    '<%= config.bin %> api GET "/api/distributor/details?transaction_id=100001" --curl',
    '<%= config.bin %> api GET "/api/integrator/order/status?integratorOrderId=5a9db0c0-0401-4a11-8c11-000000000401" --json',
  ]

  static override args = {
    method: named('GET'),
    path: named('path and query, below the address of the profile'),
  }
  static override flags = {
    part: Flags.option({ options: parts })({ description: 'area whose address and keys are used' }),
    ...curlFlags,
  }

  static override readonly result = async () => {
    const { apiResult, readCurlResult } = await import('../lib/cli/result.ts')
    return [apiResult, readCurlResult]
  }

  async run() {
    const { args, flags } = await this.parse(Api)
    const { anyRead, asProfile, mustBeRead } = await import('../lib/cli/desk/any-read.ts')
    mustBeRead(args.method, args.path)
    const read = anyRead(args.path, flags.part)
    return answerOr(this, flags, read.part, async (desk) => {
      const { readObject } = await import('../lib/desk/read.ts')
      const { name: profile, environment, clientId } = desk.profile
      const { answer } = await readObject(desk, read.operation, asProfile(read, clientId))
      return { method: 'GET', path: args.path, part: read.part, answer, profile, environment, warnings: [] } as const
    })
  }

  protected override readonly view = ({ answer }: Answered) => textView(printableJson(answer, 2))
}
