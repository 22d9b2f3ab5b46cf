/** The profile that a command line names: what looks for it is loaded only where one is named. */
import type { Invocation } from '../invocation.ts'

interface Parsed {
  readonly flags: Readonly<Record<string, unknown>>
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
