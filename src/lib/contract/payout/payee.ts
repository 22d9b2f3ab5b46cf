/** A beneficiary by itself: the fields of a payout that name one, under the same rules. */
import { z } from 'zod'
import { field } from '../core/field.ts'
import type { Members } from '../core/members.ts'
import { freeText } from '../core/rules.ts'
import { createPayout } from './payout.ts'
import * as rule from './request.ts'
import { accountIn, newPayout, receiverIn } from './request.ts'

const { toIban, receiverId, receiverType, beneficiaryIdentityNumber, beneficiaryAddress, birthDate } = newPayout.shape

export const payeeAlone = {
  ...createPayout,
  request: z.strictObject({
    beneficiaryName: field(freeText, {
      help: 'full legal name of the beneficiary, as in the bank records',
      question: 'Who is it? The full legal name, as the bank has it.',
      example: 'Nino Beridze',
    }),
    toIban,
    receiverId,
    receiverType,
    beneficiaryIdentityNumber,
    beneficiaryAddress,
    birthDate,
    currency: field(rule.currency.optional(), { help: 'the only currency in which it is paid, if there is one' }),
  }),
}

export type PayeeRequest = z.output<typeof payeeAlone.request>

/** Besides its name and account. */
export const payeeDetails = ['beneficiaryIdentityNumber', 'beneficiaryAddress', 'birthDate', 'currency'] as const

/** Undefined and null alike: it has none. */
export type PayeeDetails = { readonly [Name in (typeof payeeDetails)[number]]?: string | null | undefined }

/** `account`: as the payee of an intent. */
export interface NamedAccount extends PayeeDetails {
  readonly name: string
  readonly account: string
}

export function payeeIn({ beneficiaryName, ...members }: PayeeRequest): NamedAccount {
  const details = Object.fromEntries(payeeDetails.map((name) => [name, members[name] ?? null]))
  return { name: beneficiaryName.trim(), account: accountIn(members), ...details }
}

export function membersOf({ name, account, ...details }: NamedAccount): Readonly<Record<string, string>> {
  const members: Members = { beneficiaryName: name, ...receiverIn(account) }
  for (const name of payeeDetails) if (details[name]) Object.assign(members, { [name]: details[name] })
  return members as Readonly<Record<string, string>>
}
