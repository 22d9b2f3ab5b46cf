/** The hint at an order that the journal knows, where the profile of the command lacks what orders need. */
import { writesAbout } from '../../contract/operations.ts'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import { findByName } from '../../journal/find.ts'
import type { SharedFlags } from '../flags/shared.ts'
import type { Invocation } from '../invocation.ts'
import { journalOf } from './journal.ts'
import { profileName } from './profile.ts'

/** Work on an order that a word names. Its failure of credentials (4) names the profile that the order was made with. */
export async function hintingAtOwner<Result>(
  invocation: Invocation,
  flags: SharedFlags,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'credentials') throw error
    const { intents } = await findByName(await journalOf(invocation), id, { operations: writesAbout('order') })
    const [known] = intents
    if (!known || known.profile === (await profileName(invocation, flags))) throw error
    throw error.with({ hints: [hint`${id} was made with profile ${known.profile}: add -p ${known.profile}.`] })
  }
}
