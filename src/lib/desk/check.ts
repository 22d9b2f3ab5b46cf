/**
 * The check of a profile, part by part: payouts by a fresh sign-in and a read of the balances; orders and the wallet by a
 * question whose answer only a request that opens can get.
 */

import { isUnknownObject } from '../client/refusal.ts'
import type { ReadOperation, WriteOperation } from '../contract/operation.ts'
import { createOrder, orderStatus } from '../contract/order/order.ts'
import { createWalletOrder, walletOrderDetails } from '../contract/wallet/wallet.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import type { Part } from '../profile/parts.ts'
import { settings } from '../profile/settings.ts'
import type { ResultOf } from '../result.ts'
import type { Desk } from './desk.ts'
import { scopeOf } from './draft.ts'
import { type Balance, readBalances } from './payouts.ts'
import { call } from './read.ts'
import type { checkResult } from './results.ts'

type CheckedPart = Check['parts'][number]

export type Check = ResultOf<typeof checkResult>

/** Codes that say: what was sealed does not open. Here that can only be the fault of the profile. */
const unopened: readonly (number | null)[] = [6010, 6011, 6013]

const addressFlag: Readonly<Record<Part, string>> = {
  payouts: settings.distributorUrl.flag,
  orders: settings.ordersUrl.flag,
  wallet: settings.walletUrl.flag,
}

/**
 * Asks for an object that the journal knows, or else for one that does not exist; the code for "unknown" is a good answer.
 */
interface Question {
  /** The write that makes such an object. */
  readonly madeBy: WriteOperation
  readonly by: ReadOperation
  readonly ask: (desk: Desk, id: string) => Promise<unknown>
}

const questions: Readonly<Record<Exclude<Part, 'payouts'>, Question>> = {
  orders: {
    madeBy: createOrder,
    by: orderStatus,
    ask: (desk, integratorOrderId) =>
      call(desk, orderStatus, { integratorId: desk.profile.clientId, integratorOrderId }),
  },
  wallet: {
    madeBy: createWalletOrder,
    by: walletOrderDetails,
    ask: (desk, uniqueId) => call(desk, walletOrderDetails, { identifier: desk.profile.clientId, uniqueId }),
  },
}

async function askFor(desk: Desk, { madeBy, by, ask }: Question): Promise<string> {
  const made = { scope: scopeOf(desk.profile), operations: [madeBy], states: ['accepted'], limit: 1 }
  const [known] = await desk.journal.list(made)
  try {
    await ask(desk, known?.uniqueId ?? desk.random.uuid())
    return 'identity, scheme and both keys work'
  } catch (error) {
    const words = error instanceof Failure ? error.facts.service : null
    if (!words || !isUnknownObject(by, words)) throw error
    return `identity, scheme and the key of the service fit: it read the question (${words.statusCode}, no such order); an error is not sealed, so your private key was not tried`
  }
}

/** A kept token could hide a wrong secret, so the sign-in is a fresh one. */
async function signInAndLook(desk: Desk): Promise<readonly Balance[]> {
  await desk.tokens.fresh(desk.clock.now() + desk.settings.timeout)
  return readBalances(desk, null)
}

function inPart(part: Part, { kind, message, facts }: Failure): Failure {
  const keys = unopened.includes(facts.service?.statusCode ?? null)
  const address =
    kind === 'unknown' || kind === 'unsent'
      ? [
          hint`--${addressFlag[part]} sets the address for ${part}, with its path prefix; without it --base-url is used.`,
        ]
      : []
  return new Failure(keys ? 'credentials' : kind, `${part}: ${message}`, {
    ...facts,
    // No money moved: the order asked for does not exist, or the question changes nothing about it.
    moneyMoved: 'no',
    hints: [...(facts.hints ?? []), ...address],
  })
}

interface AskedBefore {
  readonly desk: Desk
  readonly says: string
  readonly balances: readonly Balance[]
}

async function look(part: Part, open: (part: Part) => Promise<Desk>): Promise<AskedBefore> {
  try {
    const desk = await open(part)
    if (part !== 'payouts') return { desk, says: await askFor(desk, questions[part]), balances: [] }
    return { desk, says: 'sign-in works and the balances can be read', balances: await signInAndLook(desk) }
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
  const looked = [await look(first, open)]
  for (const part of others) looked.push(await look(part, open))
  const parts = looked.map(({ desk: { profile }, says }): CheckedPart => {
    const { part, baseUrl: address, clientId: identity, seal } = profile
    return { part, address, identity, scheme: seal?.scheme ?? null, works: true, says }
  })
  const { name: profile, environment } = (looked[0] as AskedBefore).desk.profile
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
