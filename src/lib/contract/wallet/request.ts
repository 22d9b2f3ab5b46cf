/** Requests about bank-wallet orders (specification, C1 to C4). */
import { z } from 'zod'
import { field } from '../core/field.ts'
import { someTextForm, sumForm, webForm } from '../core/form.ts'
import { oneCode, sum } from '../core/money-rule.ts'
import { anyUuid, freeText, oneOf, tidyUuid, trimmed, webAddress } from '../core/scalar.ts'
import type { Rule } from '../operation.ts'
import { violation } from '../violation.ts'

export const createParameter = 6109
export const finalizeParameter = 6110

const identifier = field(anyUuid, {
  help: 'your identity at the service; filled in from the profile',
  about: 'your identity at the service',
  filled: (identity) => identity,
  tidy: tidyUuid,
})

/** A wallet order that is there already. */
export const oneWalletOrder = z.strictObject({
  identifier,
  uniqueId: field(freeText, { help: 'your id of the wallet order', schema: someTextForm, tidy: trimmed }),
})

export const newWalletOrder = z.strictObject({
  identifier,
  uniqueId: field(freeText, {
    help: 'your id of this order; a UUID is made when not given, and finalizing takes nothing else',
    about: 'your id of this order; a UUID, if it is to be finalized',
    schema: someTextForm,
    made: true,
    tidy: trimmed,
  }),
  uri: field(webAddress, {
    help: 'the address read from the QR code, with its query',
    question: 'Which address did the QR code have?',
    schema: webForm,
    tidy: trimmed,
    example: 'https://example.com/pay?qrType=DEFAULT&receiverType=USER&receiverId=f47ac10b-58cc-4372-a567-0e02b2c3d479',
  }),
})

export const finalization = z.strictObject({
  identifier,
  uniqueId: field(anyUuid, {
    help: 'your id of the wallet order, a UUID',
    question: 'Which wallet order? Your id of it.',
    tidy: tidyUuid,
  }),
  amount: field(sum(oneCode(finalizeParameter)), {
    help: 'how much to pay: the amount that was returned at creation, if one was',
    question: 'How much is to be paid? The amount that was returned at creation.',
    json: 'number',
    schema: sumForm,
    example: '12.50',
  }),
  finalStatus: field(oneOf(['SUCCESS']), { help: 'final status in your system; SUCCESS has the payment executed' }),
})

/** The query of a payment QR code that the specification names (C1; the names: service.md#wallet). */
const qrQuery = ['qrType', 'receiverType', 'receiverId']

/** The service rejects an address without it; there it uses the uniqueId up. */
export const uriNamesReceiver: Rule = ({ uri }) => {
  const query = typeof uri === 'string' && URL.canParse(uri) ? new URL(uri).searchParams : null
  const absent = query === null ? [] : qrQuery.filter((name) => !query.get(name)?.trim())
  if (absent.length === 0) return []
  const why = `has no ${absent.join(', no ')} in its query: give the whole address of the QR code, in quotes`
  return [violation('uri', why, createParameter)]
}

/** The payee that the address of the QR code names; the address itself where it names none. */
export function payeeOf(uri: unknown): string {
  const address = String(uri)
  const query = URL.canParse(address) ? new URL(address).searchParams : null
  const receiver = query?.get('receiverId')
  return receiver ? `${query?.get('receiverType') ?? 'receiver'} ${receiver}` : address
}
