/**
 * Who runs a command as a profile other than the default, and pastes what a hint shows, must not ask another service.
 * `resume` and `journal` need no profile: the journal knows whose its entries are.
 */
import { Failure } from '../../failure.ts'

const shownCommand = /`paydesk (?:payout|order|wallet|card|subscription|user) [^`]*`/g
const namesProfile = / (?:-p|--profile)\b/

/** The failure with the profile that was typed in the commands of its hints; as it is where none was typed. */
export function asProfile(failure: Failure, profile: string | undefined): Failure {
  const { hints } = failure.facts
  if (profile === undefined || !hints || !/^[\w.-]+$/.test(profile)) return failure
  const named = hints.map((hint) =>
    hint.replace(shownCommand, (command) =>
      namesProfile.test(command) ? command : `${command.slice(0, -1)} -p ${profile}\``,
    ),
  )
  return new Failure(failure.kind, failure.message, { ...failure.facts, hints: named })
}
