import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { DeskAccess } from '../lib/cli/desk/desk.ts'
import { textView } from '../lib/cli/output/view.ts'
import type { lentTokenResult } from '../lib/desk/results.ts'
import { Failure } from '../lib/failure.ts'
import { hint, paste } from '../lib/hint.ts'
import type { ResultOf } from '../lib/result.ts'

type Lent = ResultOf<typeof lentTokenResult>

export default class Token extends PaydeskCommand<Lent> {
  static override summary = 'Print an access token, for curl and others.'
  static override description =
    `The token of the profile for payouts (area A), as paydesk itself uses it: the one that it keeps, or with --fresh that of a new
sign-in. Only stdout has it, never the journal or a trace. Whoever has it acts as the client of the profile until it expires,
outside the journal: so it goes to a pipe or a file, and to a terminal with --show only. --header prints it as the line that
\`curl -H @-\` reads: there it stands in no list of processes.`
  static override examples = [
    `<%= config.bin %> token --header | curl -H @- 'https://pay.example.com/api/distributor/balance/check?currency=GEL'`,
    'umask 077; <%= config.bin %> token -p acme >acme.token',
    '<%= config.bin %> token --json --query expiresAt',
  ]

  static override flags = {
    show: Flags.boolean({ description: 'print it at a terminal, too' }),
    header: Flags.boolean({ description: 'as a header line: authorization: Bearer …' }),
    fresh: Flags.boolean({ description: 'sign in anew, whatever is kept' }),
  }

  static override readonly result = async () => (await import('../lib/desk/results.ts')).lentTokenResult

  readonly #desk = new DeskAccess(this)
  #asHeader = false

  async run() {
    const { flags } = await this.parse(Token)
    if (this.edge.stdout.isTTY && !flags.show && !showsNoToken(flags)) throw this.#visible()
    const { name, environment } = await this.#desk.profile(flags, 'payouts')
    const { token, goodUntil } = await this.#desk.lendToken(flags, flags.fresh)
    const expiresAt = new Date(goodUntil).toISOString()
    this.#asHeader = flags.header
    return { token, expiresAt, profile: name, environment }
  }

  protected override get showsSecrets(): boolean {
    return true
  }

  protected override readonly view = ({ token }: Lent) =>
    textView(this.#asHeader ? `authorization: Bearer ${token}` : token)

  #visible(): Failure {
    const said =
      'the token would stand on this screen for everyone to read; it goes to a pipe or a file, or with --show'
    return new Failure('usage', said, { hints: [hint`\`${paste('token', '--show')}\` prints it here.`] })
  }
}

/** True for a part of the result that has no token in it. */
function showsNoToken({
  query,
  fields,
}: {
  readonly query?: string | undefined
  readonly fields?: string | undefined
}) {
  return query === 'expiresAt' || fields === 'expiresAt'
}
