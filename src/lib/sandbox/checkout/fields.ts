/**
 * The fields of the payment form. Each is described once: the page draws it from that, and what was typed is judged by it.
 */
import { html, raw } from 'hono/html'
import { isIdentityNumber, unitsOf } from '../../contract/core/rules.ts'
import { createOrder } from '../../contract/order/order.ts'
import type { OrderProperty } from '../../contract/order/property.ts'
import { validate } from '../../contract/validate.ts'
import type { Html } from '../../html.ts'
import { type TestCard, testCard, testCards, usualCard } from '../areas/cards.ts'
import type { Method, PayerChoice } from '../areas/orders/payment.ts'
import { largestSum } from '../ledger.ts'
import { type CheckoutOrder, providerOf, providersFor, type ShownProperty, type VisibleProperty } from './order.ts'
import type { Language, Translate } from './texts.ts'

/** One request for the page, and what it is to show. */
export interface Visit {
  readonly of: CheckoutOrder
  readonly language: Language
  /** True if the payer has chosen the language, so that the next address keeps it. */
  readonly choseLanguage: boolean
  readonly say: Translate
  readonly method: Method
  readonly typed: URLSearchParams
  /** What is wrong, by the id of its field. */
  readonly complaints: ReadonlyMap<string, string>
  /** The test card that was just filled in. */
  readonly filled: TestCard | null
  /** True if the payer was about to pay another sum than the button had said. */
  readonly sumChanged: boolean
}

interface Field {
  /** Its name as well. */
  readonly id: string
  readonly label: string
  readonly value: string
  /** Radio buttons instead of a text. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly help?: string
  /** The form of what is typed here. */
  readonly placeholder?: string
  readonly optional?: boolean
  readonly digits?: 'numeric' | 'decimal'
  readonly longest?: number
  /** The complaint about a text, without blanks at its ends; null where it is right. */
  readonly judge: (text: string) => string | null
}

/** Label, help and complaint are tied to the field for screen readers; the focus goes to the first that is wrong. */
export function drawField(field: Field, { complaints }: Pick<Visit, 'complaints'>): Html {
  const { id, label, value, options, help, placeholder, optional = false, digits, longest = 200 } = field
  const wrong = complaints.get(id)
  const focus = wrong !== undefined && [...complaints.keys()][0] === id ? raw(' autofocus') : ''
  const about = [...(help === undefined ? [] : [`${id}-help`]), ...(wrong === undefined ? [] : [`${id}-wrong`])]
  const described = html`${about.length > 0 ? html` aria-describedby="${about.join(' ')}"` : ''}${wrong === undefined ? '' : raw(' aria-invalid="true"')}`
  const helpText = help === undefined ? '' : html`<p class="quiet" id="${id}-help">${help}</p>`
  const wrongText = wrong === undefined ? '' : html`<p class="wrong" id="${id}-wrong">${wrong}</p>`
  if (options) {
    const radios = options.map(
      (option, at) =>
        html`<label class="choice"><input type="radio" id="${at === 0 ? id : `${id}-${at}`}" name="${id}" value="${option.value}" required${
          option.value === value ? raw(' checked') : ''
        }${at === 0 ? focus : ''}${described}> ${option.label}</label>`,
    )
    return html`<fieldset class="field"><legend>${label}</legend>${helpText}${wrongText}${radios}</fieldset>`
  }
  // Never completed by the browser: no real card or name belongs into a sandbox.
  return html`<div class="field"><label for="${id}">${label}</label>${helpText}<input id="${id}" name="${id}" value="${value}" maxlength="${longest}" autocomplete="off" spellcheck="false"${
    digits === undefined ? '' : html` inputmode="${digits}"`
  }${placeholder === undefined ? '' : html` placeholder="${placeholder}"`}${optional ? '' : raw(' required')}${focus}${described}>${wrongText}</div>`
}

// The properties of the order that the payer may edit.

export const propertyId = (key: VisibleProperty) => `property-${key}`

const yesNo = (say: Translate) => [
  { value: 'true', label: say('yes') },
  { value: 'false', label: say('no') },
]

/** The editable properties as the payer left them. A field that the form leaves out stays as it was. */
function enteredProperties({ of, typed }: Visit): ReadonlyMap<VisibleProperty, string> {
  const editable = of.properties.filter((each) => each.editable)
  return new Map(editable.map(({ key, value }) => [key, (typed.get(propertyId(key)) ?? value).trim()]))
}

/** The editable properties that the contract's own rules complain about, with those of the order that are not editable. */
function wrongProperties(visit: Visit): ReadonlySet<VisibleProperty> {
  const { request, integrator, order } = visit.of
  const entered = enteredProperties(visit)
  const [first] = entered.keys()
  if (first === undefined) return new Set()
  const properties = Object.entries(request.orderProperties ?? {}).map(([key, property]) => {
    return [key, { ...property, value: entered.get(key as VisibleProperty) ?? property.value }]
  })
  // As of the moment the order was made: its other fields were judged then.
  const circumstances = {
    ...{ permits: new Set(integrator.permissions), orderType: integrator.orderType, now: order.created },
  }
  const judged = validate(createOrder, { ...request, orderProperties: Object.fromEntries(properties) }, circumstances)
  const violations = judged.ok ? [] : judged.violations.filter(({ field }) => field === 'orderProperties')
  const wrong = [...entered.keys()].filter((key) => violations.some(({ within }) => within[0] === key))
  // A value of the payer can make a field wrong that only the integrator may write: IS_FOREIGN and the number.
  return new Set(violations.length > 0 && wrong.length === 0 ? [first] : wrong)
}

function propertyField({ key, value }: ShownProperty, visit: Visit, wrong: ReadonlySet<VisibleProperty>): Field {
  const { say, typed } = visit
  const id = propertyId(key)
  const why = (text: string) => {
    if (text === '') return say(key === 'IS_FOREIGN' ? 'wrongChoice' : 'empty')
    return say(key === 'PERSONAL_NUMBER' ? 'wrongIdentity' : 'wrongValue')
  }
  return {
    ...{ id, label: say(key), value: typed.get(id) ?? value },
    ...(key === 'IS_FOREIGN' && { options: yesNo(say) }),
    judge: () => (wrong.has(key) ? why(enteredProperties(visit).get(key) ?? '') : null),
  }
}

export function propertyFields(visit: Visit): readonly Field[] {
  const wrong = wrongProperties(visit)
  return visit.of.properties.filter(({ editable }) => editable).map((property) => propertyField(property, visit, wrong))
}

/** Minor units; null where it is no sum. A comma is how many people write it. */
function readTip(text: string): number | null {
  if (text === '') return 0
  const units = unitsOf(text.replace(',', '.'))
  return units === null || units > largestSum ? null : Number(units)
}

/** The tip that was typed, in minor units; 0 where none was, or nothing that is a sum. */
export function tipOf({ of, typed }: Visit): number {
  return of.tipFor === null ? 0 : (readTip((typed.get('tip') ?? '').trim()) ?? 0)
}

export function tipField({ of, say, typed }: Visit): Field | null {
  if (of.tipFor === null) return null
  return {
    ...{ id: 'tip', label: `${say('tip')} (${of.order.currency})`, value: typed.get('tip') ?? '' },
    ...{
      help: say('tipFor', { name: of.tipFor }),
      placeholder: '0.00',
      optional: true,
      digits: 'decimal',
      longest: 12,
    },
    judge: (text) => (readTip(text) === null ? say('wrongTip') : null),
  }
}

// The card form, judged as a bank would: the number of a test card, its own date, a code of its length.

/** A card number in groups of four. A text that is no number stays as it is. */
export function groupDigits(typed: string): string {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d+$/.test(digits) ? digits.replace(/\d{4}(?=\d)/g, '$& ') : typed
}

/** The number of digits in the security code of a card. */
const codeLength = ({ cardBrand }: TestCard): number => (cardBrand === 'AMEX' ? 4 : 3)

/** A date as people type it: 1/29, 01 29, 01/2029. Null where it is none. */
function readExpiry(typed: string): string | null {
  const [, month = '', year = ''] = /^(0?[1-9]|1[0-2])\s*(?:[/.-]\s*)?(?:20)?(\d{2})$/.exec(typed) ?? []
  return month === '' ? null : `${month.padStart(2, '0')}/${year}`
}

function cardTyped(typed: URLSearchParams): TestCard | null {
  const number = (typed.get('number') ?? '').replace(/[\s-]/g, '')
  return testCards.find((card) => card.number === number) ?? null
}

/** The texts that a click on a test card types. */
export function cardFilledIn(card: TestCard): Readonly<Record<string, string>> {
  return { number: groupDigits(card.number), expiry: card.expirationDate, cvv: '1234'.slice(0, codeLength(card)) }
}

function cardFields({ say, typed, complaints }: Visit): readonly Field[] {
  const card = cardTyped(typed)
  const length = card && codeLength(card)
  const text = (name: string) => typed.get(name) ?? ''
  return [
    {
      ...{ id: 'number', label: say('number'), value: groupDigits(text('number')), digits: 'numeric', longest: 25 },
      placeholder: '1234 1234 1234 1234',
      judge: () => (card ? null : say('wrongNumber')),
    },
    {
      ...{ id: 'expiry', label: say('expiry'), value: text('expiry'), digits: 'numeric', longest: 9 },
      placeholder: say('expiryForm'),
      judge: (typedDate) => {
        const date = readExpiry(typedDate)
        if (date === null) return say('wrongExpiry')
        return !card || date === card.expirationDate ? null : say('otherExpiry', { date: card.expirationDate })
      },
    },
    {
      ...{ id: 'cvv', label: say('cvv'), digits: 'numeric', placeholder: '123', longest: 4 },
      // Typed again after a mistake, and only then.
      value: complaints.size > 0 ? '' : text('cvv'),
      judge: (code) => {
        const isCode = /^\d{3,4}$/.test(code) && (length === null || code.length === length)
        return isCode ? null : say('wrongCvv', { n: length === null ? '3–4' : String(length) })
      },
    },
  ]
}

function savedCardFields({ of, say, typed }: Visit): readonly Field[] {
  // Named by the card behind it, which is offered once: its token would be a secret in the wrong page.
  const options = of.offer.saved.map(({ card, card_brand, card_mask, expiration_date }) => ({
    value: card,
    label: `${card_brand} ${card_mask}, ${say('validUntil', { date: expiration_date })}`,
  }))
  return [
    {
      ...{ id: 'saved', label: say('savedCard'), options, help: say('savedHelp') },
      value: typed.get('saved') ?? options[0]?.value ?? '',
      judge: (card) => (options.some(({ value }) => value === card) ? null : say('wrongChoice')),
    },
  ]
}

function identityFields({ of, say, typed }: Visit): readonly Field[] {
  const { personalNumber = '', isForeign = '' } = of.request
  const foreign = typed.get('isForeign')
  return [
    {
      ...{ id: 'personalNumber', label: say('PERSONAL_NUMBER'), longest: 20 },
      value: typed.get('personalNumber') ?? personalNumber,
      judge: (number) => {
        if (number === '') return say('empty')
        return foreign === 'true' || isIdentityNumber(number) ? null : say('wrongIdentity')
      },
    },
    {
      ...{ id: 'isForeign', label: say('IS_FOREIGN'), options: yesNo(say), value: foreign ?? isForeign },
      judge: (text) => (text === 'true' || text === 'false' ? null : say('wrongChoice')),
    },
  ]
}

/** Open banking, crypto, instalments: nothing is asked where the order has chosen the provider. */
function providerFields(visit: Visit): readonly Field[] {
  const { of, say, typed, method } = visit
  if (of.offer.preselected) return []
  const known = providersFor(of.offer, method)
  const bank: Field = {
    ...{ id: 'bank', label: say('bank'), value: typed.get('bank') ?? '' },
    options: known.map((value) => ({ value, label: value })),
    judge: (text) => (known.includes(text) ? null : say('wrongChoice')),
  }
  return [...(known.length === 1 ? [] : [bank]), ...(method === 'installment' ? identityFields(visit) : [])]
}

export function methodFields(visit: Visit): readonly Field[] {
  if (visit.method === 'card') return cardFields(visit)
  return visit.method === 'saved-card' ? savedCardFields(visit) : providerFields(visit)
}

export function codeField({ say }: Pick<Visit, 'say'>): Field {
  return {
    ...{ id: 'code', label: say('code'), value: '', digits: 'numeric', placeholder: '123456', longest: 9 },
    judge: (text) => (/^\d{6}$/.test(text.replace(/\s/g, '')) ? null : say('wrongCode')),
  }
}

/** What is wrong with the texts of a form, by field, in the order of the fields. */
export function judgeFields(fields: readonly Field[], typed: URLSearchParams): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ id, judge }) => {
      const wrong = judge((typed.get(id) ?? '').trim())
      return wrong === null ? [] : [[id, wrong] as const]
    }),
  )
}

export function judgeForm(visit: Visit): ReadonlyMap<string, string> {
  const tip = tipField(visit)
  return judgeFields([...propertyFields(visit), ...(tip ? [tip] : []), ...methodFields(visit)], visit.typed)
}

interface Payment {
  readonly card: TestCard
  readonly saved: boolean
  readonly tip: number
  readonly choice: PayerChoice
  /** The payer's next step before it is paid. */
  readonly awaits: 'code' | 'confirmation' | null
}

/** The card behind money that comes from elsewhere: the other side says yes. */
const elsewhere = { card: testCard(usualCard), saved: false }

function meansOf({ of: { offer }, typed, method }: Visit) {
  const { preselected, provider } = offer
  if (method === 'card') {
    const card = cardTyped(typed)
    return { card, saved: false, provider, awaits: card && card.secondStep > 0 ? ('code' as const) : null }
  }
  if (method === 'saved-card') {
    const kept = offer.saved.find(({ card }) => card === typed.get('saved'))
    return { card: kept ? testCard(kept.card) : null, saved: true, provider: kept?.provider ?? null, awaits: null }
  }
  if (preselected) return { ...elsewhere, provider, awaits: null }
  return { ...elsewhere, provider: providerOf(offer, method) ?? typed.get('bank'), awaits: 'confirmation' as const }
}

/** The payment that a form without complaints asks for. */
export function readPayment(visit: Visit): Payment {
  const { card, saved, provider, awaits } = meansOf(visit)
  if (!card) throw new Error('a form without complaints names a card')
  // A plan is nothing without its card.
  const keepsCard = visit.of.request.subscriptionPlan !== undefined || visit.typed.get('keep') === 'yes'
  const properties: Partial<Record<OrderProperty, string>> = Object.fromEntries(enteredProperties(visit))
  return { card, saved, awaits, tip: tipOf(visit), choice: { method: visit.method, provider, keepsCard, properties } }
}
