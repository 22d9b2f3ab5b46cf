/** `profile add` where a person can be asked: the tour for a new profile that was not typed whole, then the offer to try it. */
import { join } from 'node:path'
import { type AddContext, type Added, addProfile } from '../../profile/add.ts'
import type { GivenSettings } from '../../profile/settings/given.ts'
import { settings } from '../../profile/settings/setting.ts'
import type { Invocation } from '../invocation.ts'
import { terminalAsker } from '../prompts/ask.ts'
import { placeholder } from '../prompts/missing/question-for.ts'
import { askYesOrNo } from '../prompts/yes-or-no.ts'
import { profileByTour } from './profile-tour.ts'

/** True for a new profile of which a required setting was not typed. */
async function isToBeAskedFor(name: string, given: GivenSettings, { profiles }: AddContext): Promise<boolean> {
  if (name === placeholder) return true
  const isWhole = [settings.baseUrl, settings.environment].every(({ flag }) => given[flag] !== undefined)
  return !isWhole && !(await profiles.read()).names.includes(name)
}

/** The profile stands whatever its check says: the end of the command is that of the check. */
export async function addedAtTerminal(
  invocation: Invocation,
  name: string,
  given: GivenSettings,
  context: AddContext,
): Promise<Added> {
  if (!(await isToBeAskedFor(name, given, context))) return addProfile(name, given, context)
  const { edge, signal, output, places } = invocation
  const asker = terminalAsker(edge, signal)
  const added = await profileByTour({
    ...{ asker, context, given, clock: edge.clock, random: edge.random },
    name: name === placeholder ? null : name,
    // Beside the configuration, as private as that.
    directory: join(places.config, 'credentials'),
    hide: (secret) => output.redactor.hide(secret),
    say: (line) => output.say(line),
  })
  output.say(`Profile ${added.profile.name} is kept.`)
  if (!(await askYesOrNo(asker, 'Try it now, as `profile check` does?'))) return added
  const { checkedNow } = await import('../profile/checked.ts')
  await checkedNow(invocation, added.profile.name)
  return added
}
