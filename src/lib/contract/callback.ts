/**
 * Messages to a callback address (service.md#callbacks). Nothing may be lost over a detail: any member may be missing,
 * one of the wrong kind is named and left out, unknown ones are kept.
 */
import { z } from 'zod'
import { amountReceived, answerOf, orderStatusReceived, scalarReceived } from './answer.ts'
import { JsonNumber, plainDecimal } from './core/decimal.ts'
import { isMembers, type Members } from './core/members.ts'
import { shownCardMask } from './mask.ts'

function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? null)
}

const text = orNull(scalarReceived)
const amount = orNull(amountReceived)
const status = orNull(orderStatusReceived)

/** The guide calls it `token`. */
function cardIn(card: unknown): unknown {
  if (!isMembers(card) || card.token === undefined || (card.cardToken ?? null) !== null) return card
  const { token, cardToken: _, ...rest } = card
  return { cardToken: token, ...rest }
}

const card = z.looseObject({
  cardToken: text,
  provider: text,
  cardMask: text.transform(shownCardMask),
  expirationDate: text,
  cardBrand: text,
})

const paymentCallback = answerOf({
  amount,
  receiverId: text,
  receiverType: text,
  integratorId: text,
  integratorOrderId: text,
  status,
  initialCurrency: text,
  acquiringCurrency: text,
  acquiringAmount: amount,
  transactionId: text,
  toIban: text,
  cardInfo: orNull(z.preprocess(cardIn, card)),
})

const subscriptionCallback = answerOf({ subscriptionId: text, historyId: text, status, amount })

const callbackKinds = ['payment', 'subscription', 'unknown'] as const
export type CallbackKind = (typeof callbackKinds)[number]

export interface ReadCallback {
  readonly kind: CallbackKind
  readonly fields: Members
  /** Members of another kind than they should be. */
  readonly odd: readonly string[]
  /** The same for two callbacks about one event; null where none is named. */
  readonly about: string | null
}

/** With a small or a capital first letter. */
function has(value: Members, name: string): boolean {
  const capital = name.charAt(0).toUpperCase() + name.slice(1)
  return [value[name], value[capital]].some((member) => member !== undefined && member !== null)
}

/** Only a historyId makes it a charge of a subscription (service.md#callbacks). */
function kindOf(value: Members): CallbackKind {
  if (has(value, 'historyId')) return 'subscription'
  if (has(value, 'integratorOrderId') || has(value, 'transactionId')) return 'payment'
  return has(value, 'subscriptionId') ? 'subscription' : 'unknown'
}

function readWith(schema: z.ZodType, value: Members): { fields: Members; odd: readonly string[] } {
  const whole = schema.safeParse(value)
  if (whole.success) return { fields: whole.data as Members, odd: [] }
  const odd = [...new Set(whole.error.issues.map(({ path }) => String(path[0])))]
  const named = (name: string) => odd.includes(name) || odd.includes(name.charAt(0).toLowerCase() + name.slice(1))
  const rest = schema.safeParse(Object.fromEntries(Object.entries(value).filter(([name]) => !named(name))))
  return { fields: rest.success ? (rest.data as Members) : value, odd }
}

function plain(value: unknown): string {
  if (value === null || value === undefined) return ''
  return value instanceof JsonNumber ? (plainDecimal(value.text) ?? value.text) : String(value)
}

/** A second try of the payer has another transaction; another amount is no repeat. */
function aboutOf(kind: CallbackKind, fields: Members): string | null {
  if (kind === 'unknown') return null
  const names =
    kind === 'payment'
      ? ['integratorOrderId', 'transactionId', 'status', 'amount']
      : ['subscriptionId', 'historyId', 'status', 'amount']
  return JSON.stringify([kind, ...names.map((name) => plain(fields[name]).toLowerCase())])
}

/** Never throws, whatever the body holds. */
export function readCallback(value: Members): ReadCallback {
  const kind = kindOf(value)
  if (kind === 'unknown') return { kind, fields: value, odd: [], about: null }
  const { fields, odd } = readWith(kind === 'payment' ? paymentCallback : subscriptionCallback, value)
  return { kind, fields, odd, about: aboutOf(kind, fields) }
}
