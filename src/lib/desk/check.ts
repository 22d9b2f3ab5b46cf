/**
 * The check of a profile, part by part: payouts by a fresh sign-in and a read of the balances; orders and the wallet by a
 * question whose answer only a request that opens can get.
 */
import { isUnknownObject } from '../client/refusal.ts'
import { harmlessCodes } from '../contract/codes/code-book.ts'
import { createOrder, orderStatus } from '../contract/order/order.ts'
import { createWalletOrder, walletOrderDetails } from '../contract/wallet/wallet.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Part } from '../profile/parts.ts'
import { settings } from '../profile/settings.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { scopeOf } from './new-intent.ts'
import { type Balance, readBalances } from './payouts.ts'
import { call } from './read.ts'
import type { checkResult } from './results.ts'

export type Check = ResultOf<typeof checkResult>

const addressFlag: Readonly<Record<Part, string>> = {
  payouts: settings.distributorUrl.flag,
  orders: settings.ordersUrl.flag,
  wallet: settings.walletUrl.flag,
}

/** Asks for an object that the journal knows, or for one that does not exist: the code for "unknown" is a good answer. */
async function askFor(desk: Desk, part: 'orders' | 'wallet'): Promise<string> {
  const [madeBy, by] = part === 'orders' ? [createOrder, orderStatus] : [createWalletOrder, walletOrderDetails]
  const made = { scope: scopeOf(desk.profile), operations: [madeBy], states: ['accepted'], limit: 1 }
  const [known] = await desk.journal.list(made)
  const [identity, id] = [desk.profile.clientId, known?.uniqueId ?? desk.random.uuid()]
  try {
    if (part === 'orders') await call(desk, orderStatus, { integratorId: identity, integratorOrderId: id })
    else await call(desk, walletOrderDetails, { identifier: identity, uniqueId: id })
    return 'identity, scheme and both keys work'
  } catch (error) {
    const words = error instanceof Failure ? error.facts.service : null
    if (!words || !isUnknownObject(by, words)) throw error
    return `identity, scheme and the key of the service fit: it read the question (${words.statusCode}, no such order); an error is not sealed, so your private key was not tried`
  }
}

function inPart(part: Part, { kind, message, facts }: Failure): Failure {
  // What was sealed does not open: here that can only be the fault of the profile.
  const isOfKeys = harmlessCodes.has(facts.service?.statusCode ?? 0)
  const address =
    kind === 'unknown' || kind === 'unsent'
      ? [
          hint`--${addressFlag[part]} sets the address for ${part}, with its path prefix; without it --base-url is used.`,
        ]
      : []
  return new Failure(isOfKeys ? 'credentials' : kind, `${part}: ${message}`, {
    ...facts,
    // No money moved: the order asked for does not exist, or the question changes nothing about it.
    moneyMoved: 'no',
    hints: [...(facts.hints ?? []), ...address],
  })
}

async function look(part: Part, open: (part: Part) => Promise<Desk>) {
  try {
    const desk = await open(part)
    const none: readonly Balance[] = []
    if (part !== 'payouts') return { desk, says: await askFor(desk, part), balances: none }
    // A kept token could hide a wrong secret, so the sign-in is a fresh one.
    await desk.tokens.fresh(desk.clock.now() + desk.settings.timeout)
    const says = 'sign-in works and the balances can be read'
    return { desk, says, balances: await readBalances(desk, null) }
  } catch (error) {
    throw error instanceof Failure && error.kind !== 'bug' ? inPart(part, error) : error
  }
}

/**
 * Tries one part after the other, and stops at the first that fails: its Failure names the part. Credentials (4), unsent (11),
 * unknown (9), refused (5).
 */
export async function checkProfile(
  [first, ...others]: readonly [Part, ...Part[]],
  open: (part: Part) => Promise<Desk>,
): Promise<Check> {
  const tried = await look(first, open)
  const looked = [tried]
  for (const part of others) looked.push(await look(part, open))
  const parts = looked.map(({ desk: { profile }, says }): Check['parts'][number] => {
    const { part, baseUrl: address, clientId: identity, seal } = profile
    return { part, address, identity, scheme: seal?.scheme ?? null, works: true, says }
  })
  const { name: profile, environment } = tried.desk.profile
  const payouts = parts.find(({ part }) => part === 'payouts')
  return {
    profile,
    environment,
    address: (payouts ?? parts[0])?.address ?? '',
    clientId: payouts?.identity ?? null,
    balances: looked.flatMap(({ balances }) => balances),
    parts,
  }
}
