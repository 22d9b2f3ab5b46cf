/** Compares a result with its expectation, and tells in words where they differ. */
import { isDeepStrictEqual } from 'node:util'
import { search } from '@jmespath-community/jmespath'
import { bounded } from '../../bounded.ts'
import type { Expectation, WantedAnswer } from './language.ts'

/** The results that a step shows. Values are plain JSON; null where there is none. */
export interface ActualResult {
  readonly exit: number | null
  readonly json: unknown
  readonly error: unknown
  readonly ledger: () => Promise<unknown>
}

type Json = Parameters<typeof search>[0]

/** Milliseconds of one expression: a scenario may be somebody else's, and must be safe to play. */
const longestSearch = 1000

/** The value at a JMESPath expression, and null where there is none. Throws an Error in words. */
export function found(value: unknown, expression: string): unknown {
  return bounded(longestSearch, () => search((value ?? null) as Json, expression)) ?? null
}

const longest = 200

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

function problem(where: string, value: unknown, wanted: WantedAnswer): string | null {
  if (typeof wanted === 'object' && wanted !== null && 'matches' in wanted) {
    const pattern = String(wanted.matches)
    const isText = ['string', 'number'].includes(typeof value)
    const fits = isText && bounded(longestSearch, () => new RegExp(pattern, 'u').test(String(value)))
    return fits ? null : `${where} is ${shown(value)}, and does not match ${pattern}`
  }
  const equal = typeof wanted === 'object' && wanted !== null && 'equals' in wanted ? wanted.equals : wanted
  return isDeepStrictEqual(value, equal) ? null : `${where} is ${shown(value)}, not ${shown(equal)}`
}

export const wordsOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function problems(name: string, value: unknown, wanted: Readonly<Record<string, WantedAnswer>> = {}): string[] {
  return Object.entries(wanted).flatMap(([expression, each]) => {
    try {
      return problem(`${name} ${expression}`, found(value, expression), each) ?? []
    } catch (error) {
      return [`${name} ${expression}: ${wordsOfError(error)}`]
    }
  })
}

export async function unmet(expectation: Expectation, what: ActualResult): Promise<string[]> {
  const { exit, json, error, ledger } = expectation
  return [
    ...(exit === undefined || exit === what.exit ? [] : [`the exit code is ${what.exit}, not ${exit}`]),
    ...problems('json', what.json, json),
    ...problems('error', what.error, error),
    ...(ledger ? problems('ledger', await what.ledger(), ledger) : []),
  ]
}
