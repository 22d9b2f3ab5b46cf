/** Explains a code of the service, a status, a state of the journal or an exit code: its meaning, the money, the next step. */

import { codesOf } from '../../contract/codes/code-book.ts'
import { orderPayment, orderStatusFacts, subscriptionStatusFacts } from '../../contract/order/status.ts'
import { payoutStatusFacts } from '../../contract/payout/status.ts'
import type { Code, StatusFacts, StatusReader } from '../../contract/status.ts'
import { walletCreationFacts, walletResultFacts, walletStatusFacts } from '../../contract/wallet/status.ts'
import { type FailureName, failures } from '../../failure.ts'
import { filledIn, type Hint, hint, hintInWords, type Naming } from '../../hint.ts'
import type { ResultOf } from '../../result.ts'
import { exitCodes } from '../exit-codes.ts'
import { afterExit, journalStates } from './own-words.ts'
import type { explainedResult } from './result.ts'

export type Explanation = ResultOf<typeof explainedResult>[number]
type Told = Omit<Explanation, 'next'> & { readonly next: Hint }

const areas = [
  ['A', 'payouts'],
  ['B', 'orders, the wallet and cards'],
] as const

/** The facts that differ as long as an order may be paid again. */
function untilThen(status: string): StatusFacts | null {
  const facts = orderPayment(status, { validUntil: '' })
  return facts?.end === orderStatusFacts(status)?.end ? null : facts
}

const statuses: readonly (readonly [string, StatusReader])[] = [
  ['a payout', payoutStatusFacts],
  ['an order', orderStatusFacts],
  ['an order with --valid-until, before that time', untilThen],
  ['a payment of a subscription', subscriptionStatusFacts],
  ['a new wallet order', walletCreationFacts],
  ['a wallet order in its details', walletStatusFacts],
  ['finalizing a wallet order', walletResultFacts],
]

function moneyAfter(area: 'A' | 'B', { ran, bodyOnly, exit }: Code): string {
  if (ran === 'unknown') return 'unknown: the request may have been executed all the same'
  if (exit === 'duplicate') return 'not by this request; what has the id may have been paid'
  const grouped = area === 'A' ? '' : ', unless its exceptionGroup is 4, 6 or 7, which may prove nothing'
  const attempts = bodyOnly
    ? ', nor by an earlier attempt with the same content'
    : '; an earlier attempt without an answer stays unknown'
  return `not by the request that got this answer${grouped}${attempts}`
}

function codes(word: string): Told[] {
  if (!/^\d{4}$/.test(word)) return []
  return areas.flatMap(([area, about]) => {
    const code = codesOf(area).get(Number(word))
    if (!code) return []
    const { name, means, next, exit } = code
    return [
      { kind: 'code', word, about, name, means, moneyMoved: moneyAfter(area, code), next, exit: failures[exit].exit },
    ]
  })
}

function moneyIn({ end, money, outlook }: StatusFacts): string {
  if (end === 'paid') return 'yes'
  if (money === 'no') return end === null ? 'not by this call' : 'no'
  return `not decided: it ${outlook ?? 'may still change'}`
}

function statusMeanings(word: string): Told[] {
  const status = word.toUpperCase()
  return statuses.flatMap(([about, read]) => {
    const facts = read(status)
    if (!facts) return []
    const exit = facts.exit === null ? 0 : failures[facts.exit].exit
    const next = filledIn(facts.next ?? (facts.end === null ? hint`Wait on.` : hint`Nothing.`), { anew: 'a new id' })
    return [
      { kind: 'status', word: status, about, name: null, means: facts.means, moneyMoved: moneyIn(facts), next, exit },
    ]
  })
}

function isFailure(name: string): name is FailureName {
  return Object.hasOwn(failures, name)
}

function ofExit(word: string): Told[] {
  const found = exitCodes().find(({ code, name }) => String(code) === word || name === word)
  if (!found) return []
  const next = isFailure(found.name) ? afterExit[found.name] : hint`Nothing.`
  const { code, name, means, moneyMoved } = found
  return [{ kind: 'exit-code', word: String(code), about: 'paydesk', name, means, moneyMoved, next, exit: code }]
}

function states(word: string): Told[] {
  return Object.entries(journalStates)
    .filter(([state]) => state === word)
    .map(([state, told]) => ({ kind: 'state', word: state, about: 'the journal', name: null, ...told }))
}

/** Every meaning of a word, in any capitals; none where it has none here. */
export function meaningsOfWord(typed: string, naming: Naming): Explanation[] {
  const word = typed.trim()
  const found = [...codes(word), ...statusMeanings(word), ...states(word.toLowerCase()), ...ofExit(word.toLowerCase())]
  return found.map((each) => ({ ...each, next: hintInWords(each.next, naming) }))
}
