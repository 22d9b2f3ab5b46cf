/** Whether a profile works: a fresh sign-in, and a look at the balances. */
import { type Balance, readBalances } from './balance.ts'
import type { Desk } from './desk.ts'

export interface Check {
  readonly profile: string
  readonly environment: string
  readonly address: string
  readonly clientId: string
  readonly balances: readonly Balance[]
}

/** Signs in anew, so that a kept token cannot hide a wrong secret. Throws a Failure: credentials (4), unsent (11), unknown (9). */
export async function checkProfile(desk: Desk): Promise<Check> {
  await desk.tokens.fresh(desk.clock.now() + desk.settings.timeout)
  const { name, environment, baseUrl, clientId } = desk.profile
  return { profile: name, environment, address: baseUrl, clientId, balances: await readBalances(desk, null) }
}
