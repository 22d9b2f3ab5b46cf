/**
 * The forms of the checkout page. Each field has its label, its help and its complaint, tied together for screen
 * readers.
 */
import { html, raw } from 'hono/html'
import type { Html } from '../../html.ts'
import type { TestCard } from '../areas/cards.ts'
import type { Method } from '../areas/orders/payment.ts'
import { cardTyped, codeLength } from './entries.ts'
import { addSlash, groupDigits } from './groups.ts'
import { type CheckoutVisit, complaintAbout, type EntryComplaint, providersOf, type Scene } from './scene.ts'
import type { Translate } from './texts.ts'

/** The means to draw a form. */
interface Pen {
  readonly say: Translate
  readonly complaints: readonly EntryComplaint[]
}

interface TextField {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly help?: string
  /** The form of what is typed here. */
  readonly placeholder?: string
  readonly optional?: boolean
  readonly digits?: 'numeric' | 'decimal'
  readonly longest?: number
}

/** The focus goes to the first field that is wrong. */
function notes(id: string, help: string | undefined, { complaints, say }: Pen) {
  const wrong = complaintAbout(id, complaints, say)
  const isFirst = complaints[0]?.field === id
  const described = [...(help === undefined ? [] : [`${id}-help`]), ...(wrong === null ? [] : [`${id}-wrong`])]
  return {
    attributes: html`${described.length > 0 ? html` aria-describedby="${described.join(' ')}"` : ''}${
      wrong === null ? '' : raw(' aria-invalid="true"')
    }`,
    help: help === undefined ? '' : html`<p class="quiet" id="${id}-help">${help}</p>`,
    focus: isFirst ? raw(' autofocus') : '',
    wrong: wrong === null ? '' : html`<p class="wrong" id="${id}-wrong">${wrong}</p>`,
  }
}

export function textField(field: TextField, pen: Pen): Html {
  const { id, label, value, help, placeholder, optional = false, digits, longest = 200 } = field
  const note = notes(id, help, pen)
  // Never completed by the browser: no real card or name belongs into a sandbox.
  return html`<div class="field"><label for="${id}">${label}</label>${note.help}<input id="${id}" name="${id}" value="${value}" maxlength="${longest}" autocomplete="off" spellcheck="false"${
    digits === undefined ? '' : html` inputmode="${digits}"`
  }${placeholder === undefined ? '' : html` placeholder="${placeholder}"`}${optional ? '' : raw(' required')}${note.focus}${note.attributes}>${note.wrong}</div>`
}

interface Option {
  readonly value: string
  readonly label: string
}

/** One of several, all of them seen. */
function radios(id: string, legend: string, options: readonly Option[], chosen: string, pen: Pen, help?: string): Html {
  const note = notes(id, help, pen)
  const option = ({ value, label }: Option, at: number) =>
    html`<label class="choice"><input type="radio" id="${at === 0 ? id : `${id}-${at}`}" name="${id}" value="${value}" required${
      value === chosen ? raw(' checked') : ''
    }${at === 0 ? note.focus : ''}${note.attributes}> ${label}</label>`
  return html`<fieldset class="field"><legend>${legend}</legend>${note.help}${note.wrong}${options.map(option)}</fieldset>`
}

export function yesNo(id: string, legend: string, chosen: string, pen: Pen): Html {
  const options = [
    { value: 'true', label: pen.say('yes') },
    { value: 'false', label: pen.say('no') },
  ]
  return radios(id, legend, options, chosen, pen)
}

/** The texts that a click on a test card types. */
export function cardFilledIn(card: TestCard): Readonly<Record<string, string>> {
  return { number: groupDigits(card.number), expiry: card.expirationDate, cvv: '1234'.slice(0, codeLength(card)) }
}

/** A security code is typed again after a mistake, and only then. */
function codeShown({ typed, complaints }: CheckoutVisit): string {
  return complaints.length > 0 ? '' : (typed.get('cvv') ?? '')
}

export function cardFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  const value = (name: string) => typed.get(name) ?? ''
  const field = (id: string, of: { value: string; placeholder: string; longest: number }) =>
    textField({ id, label: say(id === 'number' || id === 'expiry' ? id : 'cvv'), digits: 'numeric', ...of }, visit)
  return html`${filledNotice(visit)}${field('number', { value: groupDigits(value('number')), placeholder: '1234 1234 1234 1234', longest: 25 })}
<div class="pair">${field('expiry', { value: addSlash(value('expiry')), placeholder: say('expiryForm'), longest: 9 })}
${field('cvv', { value: codeShown(visit), placeholder: '123', longest: 4 })}</div>
${scene.request.saveCard === 'true' && !scene.request.subscriptionPlan ? keepBox(visit) : ''}`
}

/** Ticked until the payer takes it away; a form that was sent off without it keeps it so. */
function keepBox({ say, typed }: CheckoutVisit): Html {
  const kept = typed.has('method') ? typed.get('keep') === 'yes' : true
  return html`<div class="field"><label class="choice"><input type="checkbox" id="keep" name="keep" value="yes"${
    kept ? raw(' checked') : ''
  }> ${say('keepCard')}</label></div>`
}

/** Says what a click on a test card has done; the focus is on the button to pay then. */
function filledNotice({ say, filled, typed }: CheckoutVisit): Html | string {
  const card = filled === null ? null : cardTyped(typed)
  if (!card) return ''
  const name = `${card.cardBrand} … ${card.number.slice(-4)}`
  return html`<p class="filled" role="status">${say('filled', { card: name })}</p>`
}

/** The provider of this method; null while the payer can choose among several. */
export function providerName({ offer }: Scene, method: Method): string | null {
  if (offer.preselected) return offer.provider
  const known = providersOf(offer, method)
  return known.length === 1 ? (known[0] ?? null) : null
}

export function savedCardFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  // Named by the card behind it, which is offered once: its token would be a secret in the wrong page.
  const options = scene.offer.saved.map(({ card, card_brand, card_mask, expiration_date }) => ({
    value: card,
    label: `${card_brand} ${card_mask}, ${say('validUntil', { date: expiration_date })}`,
  }))
  const chosen = typed.get('saved') ?? options[0]?.value ?? ''
  return radios('saved', say('savedCard'), options, chosen, visit, say('savedHelp'))
}

function identityFields(visit: CheckoutVisit): Html {
  const { say, typed, scene } = visit
  const number = typed.get('personalNumber') ?? scene.request.personalNumber ?? ''
  const foreign = typed.get('isForeign') ?? scene.request.isForeign ?? ''
  const label = say('PERSONAL_NUMBER')
  return html`${textField({ id: 'personalNumber', label, value: number, longest: 20 }, visit)}
${yesNo('isForeign', say('IS_FOREIGN'), foreign, visit)}`
}

export function providerInputs(visit: CheckoutVisit): Html | string {
  const { say, typed, method, scene } = visit
  if (scene.offer.preselected) return ''
  const known = providersOf(scene.offer, method)
  const options = known.map((value) => ({ value, label: value }))
  const banks = known.length > 1 ? radios('bank', say('bank'), options, typed.get('bank') ?? '', visit) : ''
  return html`${banks}${method === 'installment' ? identityFields(visit) : ''}`
}

// The tip: shares of the sum by a click, or any sum.

/** In percent; 0 for none. */
export const tipShares = [0, 10, 15, 20]

/** Buttons, so that the sum on the button to pay is right at once. */
export function tipFields(visit: CheckoutVisit): Html | string {
  const { scene, say, typed } = visit
  if (scene.tipFor === null) return ''
  const field = textField(
    {
      id: 'tip',
      label: `${say('tip')} (${scene.order.currency})`,
      value: typed.get('tip') ?? '',
      help: say('tipFor', { name: scene.tipFor }),
      placeholder: '0.00',
      ...{ optional: true, digits: 'decimal', longest: 12 },
    },
    visit,
  )
  const button = (share: number) =>
    html`<button name="do" value="tip:${share}" formnovalidate>${share === 0 ? say('noTip') : `${share} %`}</button>`
  return html`${field}<div class="shares">${tipShares.map(button)}</div>`
}
