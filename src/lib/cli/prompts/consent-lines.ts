/** The consent that a person gives before money moves: lines to read, and the phrase of --confirm. */
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { groupedIban, hasGeorgianPattern } from '../../contract/core/iban.ts'
import type { Members } from '../../contract/core/members.ts'
import type { WriteOperation } from '../../contract/operation.ts'
import { clean } from '../output/clean.ts'

/** The profile as the consent names it. */
interface Who {
  readonly name: string
  readonly environment: keyof typeof moneyOf
}

const moneyOf = { sandbox: 'sandbox: no real money', test: 'test', live: 'LIVE: REAL MONEY' } as const

/** The write in lines for a person, and the phrase of --confirm. */
export function consentTo(
  operation: WriteOperation,
  request: Members,
  who: Who,
  known: string | null,
  details: readonly string[],
) {
  const { amount, currency, payee, price } = operation.moves(request)
  const moved =
    amount === null ? null : [currency ?? known, fromMinorUnits(minorUnits(amount) ?? 0n)].filter(Boolean).join(' ')
  const sum = price ?? moved
  const as = `as  ${who.name} (${moneyOf[who.environment]})`
  const id = operation.idField === null ? operation.name : String(request[operation.idField])
  const lines =
    operation.area === 'A'
      ? [`Pay ${sum}`, `to  ${payeeInWords(payee, request)}`, `for ${request.description ?? ''}`, as]
      : [`${operation.summary}${sum === null ? '' : `: ${sum}`}`, `on  ${payee}`, ...details, as]
  return { lines: lines.map(clean), phrase: sum ?? id }
}

function payeeInWords(payee: string, { beneficiaryName }: Members): string {
  const name = beneficiaryName === undefined ? '' : `${beneficiaryName}, `
  return name + (hasGeorgianPattern(payee) ? groupedIban(payee) : payee)
}
