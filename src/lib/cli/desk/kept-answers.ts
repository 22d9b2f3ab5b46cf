/** Words about answers of the service that a team's store could not take when they came: kept in files until it does. */
import { readdirSync } from 'node:fs'
import { Failure } from '../../failure.ts'
import { hint } from '../../hint.ts'
import type { Invocation } from '../invocation.ts'

type Teller = Pick<Invocation, 'places' | 'output'>

/** Opens a journal: those that are stored by that are told, and so are those that wait where it cannot be opened. */
export async function tellingKept<Opened extends { readonly stored: number }>(
  { places, output }: Teller,
  open: () => Promise<Opened>,
): Promise<Opened> {
  try {
    const opened = await open()
    const { stored } = opened
    if (stored > 0) {
      const which = stored === 1 ? 'An answer of the service is' : `${stored} answers of the service are`
      output.warn(`${which} stored now that the team’s store could not take before.`)
    }
    return opened
  } catch (error) {
    const waiting = filesIn(places.outbox)
    if (!(error instanceof Failure) || waiting === 0) throw error
    const which = waiting === 1 ? 'An answer' : `${waiting} answers`
    const advice = hint`${which} of the service to earlier payments ${waiting === 1 ? 'waits' : 'wait'} in ${places.outbox}, and ${waiting === 1 ? 'is' : 'are'} stored by the first command that reaches the store.`
    throw error.with({ hints: [advice] })
  }
}

function filesIn(directory: string): number {
  try {
    return readdirSync(directory).filter((name) => name.endsWith('.json')).length
  } catch {
    return 0
  }
}
