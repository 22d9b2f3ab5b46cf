/** The failure (4) for a setting that a command needs and the profile lacks: names the flags that give it. */
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'

export function missing(profile: string, what: string, flags: readonly string[]): Failure {
  return new Failure('credentials', `profile ${profile} has no ${what}`, {
    hints: [hint`Give it: \`${paste('profile add', profile, ...flags.map(blank))}\` adds to what the profile has.`],
  })
}
