/** What a command needs of a profile and does not find there: names the flags that give it (4). */
import { Failure } from '../failure.ts'
import { blank, hint, paste } from '../hint.ts'

export function missing(profile: string, what: string, flags: readonly string[]): Failure {
  return new Failure('credentials', `profile ${profile} has no ${what}`, {
    hints: [hint`Give it: \`${paste('profile add', profile, ...flags.map(blank))}\` adds to what the profile has.`],
  })
}
