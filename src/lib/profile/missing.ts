/** What a command needs of a profile and does not find there: names the flags that give it (4). */
import { Failure } from '../failure.ts'

export function missing(profile: string, what: string, flags: readonly string[]): Failure {
  return new Failure('credentials', `profile ${profile} has no ${what}`, {
    hints: [`Give it: \`paydesk profile add ${profile} ${flags.join(' ')}\` adds to what the profile has.`],
  })
}
