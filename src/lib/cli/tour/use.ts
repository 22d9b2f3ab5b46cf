/** The parts of the service that a new profile is for. */
import { type Part, parts } from '../../profile/parts.ts'
import type { Answers } from './step.ts'

export const uses = (said: Answers, ...any: readonly Part[]) =>
  any.some((part) => (choices.find(({ value }) => value === said.use)?.parts ?? parts).includes(part))

interface UseChoice {
  readonly value: string
  readonly description: string
  readonly parts: readonly Part[]
}

const choices: readonly UseChoice[] = [
  { value: 'payouts', description: 'money from your account to beneficiaries', parts: ['payouts'] },
  { value: 'orders', description: 'money that payers pay you', parts: ['orders'] },
  { value: 'payouts and orders', description: '', parts: ['payouts', 'orders'] },
  { value: 'payouts, orders and the wallet', description: '', parts: ['payouts', 'orders', 'wallet'] },
  { value: 'orders and the wallet', description: '', parts: ['orders', 'wallet'] },
  { value: 'the wallet', description: 'orders by the QR code of a receiver', parts: ['wallet'] },
]

export const useChoices = choices.map(({ value, description }) => ({ value, description }))

/** The choice for what the flags have said already; null where they say nothing. */
export function useGiven(given: readonly Part[]): string | null {
  const same = (each: UseChoice) => parts.every((part) => each.parts.includes(part) === given.includes(part))
  return choices.find(same)?.value ?? null
}
