/**
 * Explains a code of the service, a status, a state of the journal or an exit code: its meaning, the money, the next
 * step.
 */
import { codesOf, harmlessCodes } from '../../contract/codes/code-book.ts'
import { orderPayment, orderStatusFacts, subscriptionStatusFacts } from '../../contract/order/status.ts'
import { payoutStatusFacts } from '../../contract/payout/status.ts'
import type { Code, StatusFacts, StatusReader } from '../../contract/status.ts'
import { walletCreationFacts, walletResultFacts, walletStatusFacts } from '../../contract/wallet/status.ts'
import { Failure, type FailureName, failures } from '../../failure.ts'
import { blank, filledIn, type Hint, hint, hintInWords, type Naming, paste } from '../../hint.ts'
import type { State } from '../../journal/verdict.ts'
import type { ResultOf } from '../../result.ts'
import { factsOf, type Labels, tableOf, type View } from '../output/view.ts'
import type { exitCodesResult, explainedResult } from '../result.ts'

export type ExitCode = ResultOf<typeof exitCodesResult>[number]

export function exitCodes(): ExitCode[] {
  const done = { code: 0, name: 'done', means: 'definite success', moneyMoved: 'as the command says' }
  const rest = Object.entries(failures).map(([name, { exit, means, moneyMoved }]) => ({
    code: exit,
    name,
    means,
    moneyMoved,
  }))
  return [done, ...rest]
}

export const exitCodesView = (codes: readonly ExitCode[]): View => [
  tableOf(codes, { code: 'code', name: 'name', meaning: 'means', 'money moved': 'moneyMoved' }),
]

const lookUp = hint`\`${paste('journal list')}\` shows the state of every payment; \`${paste('resume')}\` resolves unknown ones.`

/** The words of paydesk itself, explained: what to do after each exit code, and the states of the journal. */
const afterExit: Readonly<Record<FailureName, Hint>> = {
  bug: hint`Check before you pay anything. ${lookUp} \`${paste('journal verify')}\` shows whether the journal was changed.`,
  usage: hint`Nothing was sent. Correct what the error names and run it again.`,
  declined: hint`Nothing was sent. Run it again and confirm it.`,
  credentials: hint`\`${paste('profile check')}\` shows which address or key does not work. Correct it and run it again.`,
  refused: hint`Read the service's code and message, correct the request and send it again. A payment that was accepted and ended unpaid needs a new id.`,
  'not-found': hint`Check the id and the profile: \`${paste('journal list')}\` lists the known payments.`,
  duplicate: hint`Do not send it again. See which payment has this id or key: \`${paste('journal show', blank('<id>'))}\`.`,
  pending: hint`Wait longer: \`${paste('payout wait', blank('<id>'))}\` or \`${paste('order wait', blank('<id>'))}\`. Do not create it again.`,
  unknown: hint`Do not send it again. \`${paste('resume')}\` checks what happened, and repeats it only under the same id.`,
  partial: hint`\`${paste('batch report', blank('<plan>'))}\` shows which rows failed and why.`,
  unsent: hint`Nothing left this machine. Run the same command again.`,
  locked: hint`Wait for the other run, or plan the file again, then run it again.`,
  held: hint`\`${paste('resume', blank('<id>'))}\` sends it once it is within the limits or approved.`,
  interrupted: lookUp,
  terminated: lookUp,
}

interface Explained {
  readonly means: string
  readonly moneyMoved: string
  readonly next: Hint
  readonly exit: number | null
}

const nothing = 'no'

const journalStates: Readonly<Record<State, Explained>> = {
  accepted: {
    means: 'the service accepted it and gave it a number',
    moneyMoved: 'as its status says',
    next: hint`\`${paste('payout list', '--refresh')}\` reads its status.`,
    exit: 0,
  },
  exists: {
    means: 'the service has it, but its number is not known',
    moneyMoved: 'as its status says; unknown without one',
    next: hint`When a statement names its transaction, resolve it: \`${paste('payout reconcile', blank('<uniqueId>'), '--transaction-id', blank('<n>'))}\`. Do not create it again.`,
    exit: 0,
  },
  refused: {
    means: 'definitely not executed; or a conflict (7): another request has its id',
    moneyMoved: 'no; after a conflict unknown',
    next: hint`\`${paste('journal show', blank('<id>'))}\` shows why. Correct it; the id can be used again, except after a conflict.`,
    exit: failures.refused.exit,
  },
  'turned-away': {
    means: 'turned away by the token or the rate, before the service looked at it',
    moneyMoved: nothing,
    next: hint`\`${paste('resume', blank('<id>'))}\`, or the same command with the same id.`,
    exit: null,
  },
  unsent: {
    means: 'not a byte left this machine',
    moneyMoved: nothing,
    next: afterExit.unsent,
    exit: failures.unsent.exit,
  },
  unknown: {
    means: 'sent, and no definite answer came',
    moneyMoved: 'unknown',
    next: afterExit.unknown,
    exit: failures.unknown.exit,
  },
  held: {
    means: 'above a limit or waiting for an approval: stored, not sent',
    moneyMoved: nothing,
    next: afterExit.held,
    exit: failures.held.exit,
  },
}

/** Explains a code of the service, a status, a state of the journal or an exit code: its meaning, the money, the next step. */
export type Explanation = ResultOf<typeof explainedResult>[number]
type Told = Omit<Explanation, 'next'> & { readonly next: Hint }

const areas = [
  ['A', 'payouts'],
  ['B', 'orders, the wallet and cards'],
] as const

/** The facts that differ as long as an order may be paid again. */
function factsUntilExpiry(status: string): StatusFacts | null {
  const facts = orderPayment(status, { validUntil: '' })
  return facts?.end === orderStatusFacts(status)?.end ? null : facts
}

const statuses: readonly (readonly [string, StatusReader])[] = [
  ['a payout', payoutStatusFacts],
  ['an order', orderStatusFacts],
  ['an order with --valid-until, before that time', factsUntilExpiry],
  ['a payment of a subscription', subscriptionStatusFacts],
  ['a new wallet order', walletCreationFacts],
  ['a wallet order in its details', walletStatusFacts],
  ['finalizing a wallet order', walletResultFacts],
]

/** The answers in which a code that refuses is not believed (`client/answer.ts`). */
function disbelieved(area: 'A' | 'B', code: number): string {
  if (area === 'A') return 'HTTP status is 5xx'
  return harmlessCodes.has(code)
    ? 'HTTP status is 5xx other than 500'
    : 'HTTP status is 5xx or its exceptionGroup 4, 6 or 7'
}

function moneyAfter(area: 'A' | 'B', { code, ran, bodyOnly, exit }: Code): string {
  if (ran === 'unknown') return 'unknown: the request may have been executed'
  if (exit === 'duplicate') return 'not by this request; the payment that has the id may have been paid'
  const attempts = bodyOnly
    ? 'nor was it by an earlier attempt with the same content'
    : 'an earlier attempt without an answer stays unknown'
  return `not by the request that got this answer, unless its ${disbelieved(area, code)} (then unknown); ${attempts}`
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

const kinds: Readonly<Record<Explanation['kind'], string>> = {
  code: 'code of the service',
  status: 'status of the service',
  state: 'state of the journal',
  'exit-code': 'exit code of paydesk',
}

const meaningLabels: Labels<Explanation> = {
  means: 'means',
  'money moved': 'moneyMoved',
  'what to do': 'next',
  'exit code': ({ kind, exit }) => (kind === 'exit-code' ? null : exit),
}

function meaningTitle({ kind, word, name, about }: Explanation): string {
  const isOfService = kind === 'code' || kind === 'status'
  return `${word}${name === null ? '' : ` (${name})`}: ${kinds[kind]}${isOfService ? `, of ${about}` : ''}`
}

/** Meanings of a word as people see them. */
export const explanationView = (meanings: readonly Explanation[]): View =>
  meanings.map((each) => factsOf(each, meaningLabels, meaningTitle(each)))

/** Words of people for statuses and exit codes. */
const ofPeople: Readonly<Record<string, string>> = {
  paid: 'SUCCESS',
  executed: 'SUCCESS',
  unpaid: 'FAILED',
}

export function unknownWord(word: string): Failure {
  const status = ofPeople[word.toLowerCase()]
  if (status !== undefined) {
    return new Failure('not-found', `"${word}" is no status; the status for it is ${status}`, {
      moneyMoved: 'no',
      hints: [hint`\`${paste('explain', status)}\` explains it.`],
    })
  }
  return new Failure('not-found', `"${word}" is not a known code, status, state or exit code`, {
    moneyMoved: 'no',
    hints: [
      hint`An unknown code or status proves nothing and is never final: do not send a payment again because of it.`,
      hint`\`${paste('help', 'exit-codes')}\` shows the exit codes, \`${paste('help', blank('<command>'))}\` explains a command.`,
    ],
  })
}
