import { Flags } from '@oclif/core'
import { PaydeskCommand } from '../lib/cli/command.ts'
import { lendToken } from '../lib/cli/desk/desk.ts'
import { profileOf } from '../lib/cli/desk/profile.ts'
import { textView } from '../lib/cli/output/view.ts'
import type { lentTokenResult } from '../lib/desk/results.ts'
import { Failure } from '../lib/failure.ts'
import { hint, paste } from '../lib/hint.ts'
import type { ResultOf } from '../lib/result.ts'

type Lent = ResultOf<typeof lentTokenResult>

export default class Token extends PaydeskCommand<Lent> {
  static override summary = 'Print an access token, for curl and other programs.'
  static override description =
    `Prints the token that paydesk uses for payouts; --fresh signs in anew. Whoever has the token acts as your
client until it expires, and the journal does not record it. So the token goes to a pipe or file; a terminal
needs --show. --header prints a line for \`curl -H @-\`, so that it never appears in the process list.`
  static override examples = [
    `<%= config.bin %> token --header | curl -H @- 'https://pay.example.com/api/distributor/balance/check?currency=GEL'`,
    'umask 077; <%= config.bin %> token -p acme >acme.token',
    '<%= config.bin %> token --json --query expiresAt',
  ]

  static override flags = {
    show: Flags.boolean({ description: 'print it even at a terminal' }),
    header: Flags.boolean({ description: 'print a header line: authorization: Bearer …' }),
    fresh: Flags.boolean({ description: 'sign in anew instead of using the stored token' }),
  }

  static override readonly result = async () => (await import('../lib/desk/results.ts')).lentTokenResult

  #asHeader = false

  async run() {
    const { flags } = await this.parse(Token)
    if (this.edge.stdout.isTTY && !flags.show && !showsNoToken(flags)) throw this.#visible()
    const { name, environment } = await profileOf(this, flags, 'payouts')
    const { token, goodUntil } = await lendToken(this, flags, flags.fresh)
    const expiresAt = new Date(goodUntil).toISOString()
    this.#asHeader = flags.header
    return { token, expiresAt, profile: name, environment }
  }

  protected override readonly showsSecrets = true

  protected override readonly view = ({ token }: Lent) =>
    textView(this.#asHeader ? `authorization: Bearer ${token}` : token)

  #visible(): Failure {
    const said = 'the token was not printed, because stdout is a terminal and others could read it'
    return new Failure('usage', said, {
      hints: [hint`Send it to a pipe or a file, or print it here with \`${paste('token', '--show')}\`.`],
    })
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
