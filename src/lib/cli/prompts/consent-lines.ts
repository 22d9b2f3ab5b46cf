/** The consent that a person gives before money moves: lines to read, and the phrase of --confirm. */
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { accountInWords } from '../../contract/core/iban.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import type { PayeeStanding } from '../../desk/payees.ts'
import { consentFacts } from './consent-facts.ts'

/** The profile as the consent names it. */
interface Who {
  readonly name: string
  readonly environment: keyof typeof moneyOf
}

const moneyOf = { sandbox: 'sandbox: no real money', test: 'test', live: 'LIVE: REAL MONEY' } as const

/** Facts that the request does not tell. */
interface KnownBefore {
  /** The currency, where the request names none and it is known all the same. */
  readonly currency: string | null
  readonly details: readonly string[]
  /** The sum of the order of which a part is moved, in words; null where it is not known, left out where there is none. */
  readonly whole?: string | null | undefined
  /** Null where no beneficiary is paid out. */
  readonly standing: PayeeStanding | null
  /** Draws the environment of a live profile. */
  readonly loud: (text: string) => string
}

const standingInWords = {
  known: 'a payee that is listed as known',
  seen: 'paid before from here, not listed as known',
  new: 'NEW: the first payment to this account from here',
} as const

const idInWords = ({ payeeId }: PayeeStanding) => (payeeId === null ? '' : ` (${payeeId})`)

function alarmLines(standing: PayeeStanding | null): readonly string[] {
  if (!standing?.alarm) return []
  const { says, known } = standing.alarm
  const ask = 'Ask the payee first, by a way that did not come with this request.'
  return [`CAUTION: ${says}:`, ...known.map((each) => `         ${accountInWords(each)}`), ask, '']
}

/** The sum that a write moves, "GEL 12.50" or a plan's price; null where it moves none. `known`: its currency, where it names none. */
function sumAsked(operation: WriteOperation, request: Members, known: string | null): string | null {
  const { amount, currency, price } = operation.moves(request)
  const moved =
    amount === null ? null : [currency ?? known, fromMinorUnits(minorUnits(amount) ?? 0n)].filter(Boolean).join(' ')
  return price ?? moved
}

/** The text that --confirm takes for a write: its sum, or its id where it moves none. */
export function consentPhrase(operation: WriteOperation, request: Members, known: string | null): string {
  const id = operation.idField === null ? operation.name : String(request[operation.idField])
  return sumAsked(operation, request, known) ?? id
}

/** The write in lines for a person, and the phrase of --confirm. */
export function consentTo(
  operation: WriteOperation,
  request: Members,
  who: Who,
  { currency: known, details, whole, standing, loud }: KnownBefore,
) {
  const { payee } = operation.moves(request)
  const sum = sumAsked(operation, request, known)
  const environment = moneyOf[who.environment]
  const lines =
    operation.area === 'A'
      ? [
          ...alarmLines(standing),
          ...[`Pay ${sum}`, `to  ${payeeInWords(payee, request)}`],
          ...(standing?.kind ? [`    ${standingInWords[standing.kind]}${idInWords(standing)}`] : []),
          ...[`for ${request.description ?? ''}`, ...consentFacts(operation, request), ...details],
        ]
      : [
          whole === undefined
            ? summaryOf(operation, sum)
            : `${operation.label} ${[sum, whole].filter(Boolean).join(' of ')}`,
          ...[`on  ${payee}`, ...consentFacts(operation, request), ...details],
        ]
  return {
    lines: [...lines, `as  ${who.name} (${environment})`],
    phrase: consentPhrase(operation, request, known),
    draw: (message: string) => (who.environment === 'live' ? message.replaceAll(environment, loud) : message),
  }
}

const summaryOf = ({ summary }: WriteOperation, sum: string | null) => (sum === null ? summary : `${summary}: ${sum}`)

function payeeInWords(payee: string, { beneficiaryName }: Members): string {
  const name = beneficiaryName === undefined ? '' : `${beneficiaryName}, `
  return name + accountInWords(payee)
}
