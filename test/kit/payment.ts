/** The payment that most tests make, as argv, and the journal of a home. */
import { z } from 'zod'
import { paydesk, type Surroundings } from './program.ts'

/** The payment that most tests make, as argv. */

export const beneficiaryIban = 'GE29NB0000000101904917'
export const branch = '5a9db0c0-0011-4a11-8c11-000000000011'

export type Flags = Readonly<Record<string, string | true | null>>

const usual: Flags = {
  profile: 'sandbox',
  amount: '12.50',
  currency: 'GEL',
  'to-iban': beneficiaryIban,
  'beneficiary-name': 'Nino Beridze',
  description: 'Salary, November',
  yes: true,
}

export function flags(given: Flags): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === null) return []
    return value === true ? [`--${name}`] : [`--${name}`, value]
  })
}

/** `payout create` with the usual flags; null leaves one out. */
export function create(more: Flags = {}): string[] {
  return ['payout', 'create', ...flags({ ...usual, ...more })]
}

/** The same to a registered receiver, by the client that pays out that way. */
export function createToReceiver(more: Flags = {}): string[] {
  return create({
    profile: 'sandbox-receiver',
    'to-iban': null,
    'receiver-id': branch,
    'receiver-type': 'BRANCH',
    ...more,
  })
}

const entries = z.array(z.looseObject({ journalId: z.string(), uniqueId: z.string(), state: z.string() }))

export async function journalOf(around: Surroundings, ...flags: readonly string[]): Promise<z.infer<typeof entries>> {
  const ended = await paydesk(['journal', 'list', '--json', ...flags], around)
  if (ended.code !== 0) throw new Error(`the journal was not listed: ${ended.stderr}`)
  return entries.parse(ended.json)
}

/** Holds the journal of a home against its hash chain; throws what is found. */
export async function mustVerify(around: Surroundings, ...flags: readonly string[]): Promise<void> {
  const ended = await paydesk(['journal', 'verify', '--json', ...flags], around)
  if (ended.code !== 0) throw new Error(`the journal is not what was written: ${ended.stdout}${ended.stderr}`)
}
