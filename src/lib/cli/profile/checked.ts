/** `profile check` as a part of another command. */
import { checkProfile } from '../../desk/check.ts'
import type { Part } from '../../profile/parts.ts'
import { DeskAccess } from '../desk/desk.ts'
import type { Invocation } from '../invocation.ts'
import { checkView } from './check-view.ts'

/** Tries every part of a profile, and shows on stderr what it found. Throws the failure of the first part that fails. */
export async function checkedNow(invocation: Invocation, profile: string): Promise<void> {
  const desk = new DeskAccess(invocation)
  const parts = await desk.profiles.parts({ profile })
  const check = await checkProfile(parts, (part: Part) => desk.open({ profile }, part))
  invocation.output.show(checkView(check))
}
