/** A command that runs as a profile that does not exist: mistyped, removed, or kept in another home. */
import { Failure, type FailureFacts, type FailureName } from '../failure.ts'
import { hint, paste } from '../hint.ts'

export class UnknownProfile extends Failure {
  readonly profile: string
  /** The profiles that there are, the built-in ones left out. */
  readonly others: readonly string[]

  constructor(profile: string, others: readonly string[], message: string, facts: FailureFacts) {
    super('credentials', message, facts)
    this.profile = profile
    this.others = others
  }

  override as(kind: FailureName, facts: FailureFacts): Failure {
    return kind === this.kind
      ? new UnknownProfile(this.profile, this.others, this.message, facts)
      : super.as(kind, facts)
  }
}

export function unknownProfile(name: string, { names }: { readonly names: readonly string[] }): Failure {
  const others = names.length > 0 ? `${names.join(', ')}, and the built-in sandbox` : 'only the built-in sandbox'
  return new UnknownProfile(name, names, `there is no profile "${name}"; there is ${others}`, {
    hints: [hint`\`${paste('profile list')}\` shows them; PAYDESK_HOME decides where they are looked for.`],
  })
}
