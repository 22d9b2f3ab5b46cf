/** The profile that a command line names: what looks for it is loaded only where one is named. */
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
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
