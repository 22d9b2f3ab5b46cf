/** The profile that a command line names: what looks for it is loaded only where one is named. */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { NoProfileNamed } from '../../profile/choose.ts'
import type { TypedLine } from '../flags/typed.ts'
import type { Invocation } from '../invocation.ts'

interface Parsed {
  readonly flags: Readonly<Record<string, unknown>>
}

/**
 * The journal of a run was chosen by the profile of its line as it was typed. Throws a bug (1) where oclif has read another one:
 * in another journal a key that was sent would be sent again.
 */
export function mustBeProfileOf(line: TypedLine, { profile }: Parsed['flags']): void {
  const typed = line.value('--profile')
  if (typed === profile) return
  throw new Failure('bug', `the profile of this line was read twice, as ${typed} and as ${profile}; nothing was sent`, {
    moneyMoved: 'no',
    hints: [hint`Name it with \`--profile <name>\`, and report this line.`],
  })
}

/** The profile that a person picks, where several exist and none was named; null where nobody can be asked. */
export async function pickedProfile(failure: Failure, invocation: Invocation): Promise<string | null> {
  if (!(failure instanceof NoProfileNamed) || failure.names.length < 2 || !invocation.canAsk) return null
  const { knownThings } = await import('../prompts/missing/known.ts')
  const { terminalAsker } = await import('../prompts/ask.ts')
  const known = await knownThings('profile', invocation)
  const choices = known.filter(({ value }) => failure.names.includes(value) || value === 'sandbox')
  if (choices.length === 0) return null
  const asker = terminalAsker(invocation.edge, invocation.signal)
  return asker.choice('Which profile? `paydesk profile use <name>` makes one the default.', choices)
}

/** It looks for its profile by itself: the journal, which may know one too, is not opened for it. */
const changesNothing = 'doctor'

/** The command line, as it was parsed. Throws credentials (4) where it names a profile that does not exist. */
export async function withKnownProfile<Line extends Parsed>(line: Line, invocation: Invocation): Promise<Line> {
  const { profile } = line.flags
  if (typeof profile !== 'string' || invocation.id === changesNothing) return line
  const { profileMustBeKnown } = await import('../desk/known-profile.ts')
  await profileMustBeKnown(profile, invocation)
  return line
}
