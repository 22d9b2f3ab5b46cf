/** The pages of the checkout: to pay, to confirm, to wait, and the end of an order. */
import { html, raw } from 'hono/html'
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { orderEnd } from '../../contract/order/status.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { type Html, htmlPage } from '../../html.ts'
import { type TestCard, testCards } from '../areas/cards.ts'
import { choiceOf, type Method, type OrderStage, stageOf } from '../areas/orders/payment.ts'
import { localMoment, serviceZone } from '../clock.ts'
import { isReservedName } from '../courier.ts'
import {
  codeField,
  drawField,
  groupDigits,
  methodFields,
  propertyFields,
  propertyId,
  tipField,
  tipOf,
  type Visit,
} from './fields.ts'
import { providerOf, type ShownProperty } from './order.ts'
import { checkoutStyle } from './style.ts'
import { isTextKey, type Language, languageNames, languages, type TextKey, type Translate } from './texts.ts'

/** The query that keeps what the payer has chosen. */
export function queryOf({ language, choseLanguage }: Pick<Visit, 'language' | 'choseLanguage'>): string {
  return choseLanguage ? `?lang=${language}` : ''
}

/** A moment as the service writes it, to the minute, with its zone: 2026-11-20 14:00 (UTC+4). */
function timeText(milliseconds: number): string {
  return `${localMoment(milliseconds).slice(0, 16).replace('T', ' ')} (${serviceZone})`
}

interface Frame extends Pick<Visit, 'language' | 'say'> {
  readonly title: string
  readonly main: Html
  /** More of the address of the same page in another language. */
  readonly more?: string
  /** Seconds until the browser goes on by itself, and the address it goes to: `3`, or `5; url=…`. */
  readonly refresh?: string | null
  readonly drawer?: Html
}

/** The frame of every page: the strip that says that no money moves, one card, languages. */
function documentOf({ language, say, title, main, more = '', refresh = null, drawer }: Frame): Promise<string> {
  const link = (each: Language) =>
    html`<li><a href="?lang=${each}${more}" lang="${each.toLowerCase()}" hreflang="${each.toLowerCase()}"${
      each === language ? raw(' aria-current="true"') : ''
    }>${languageNames[each]}</a></li>`
  return htmlPage({
    language: language.toLowerCase(),
    title,
    style: checkoutStyle,
    head: html`<meta name="robots" content="noindex">${refresh === null ? '' : html`<meta http-equiv="refresh" content="${refresh}">`}`,
    body: html`<header><p class="strip">${say('sandbox')}</p></header>
<main>
${main}
</main>
${drawer ?? ''}
<footer><nav class="languages" aria-label="${say('language')}"><ul>${languages.map(link)}</ul></nav></footer>`,
  })
}

/** The title of a page with a form: it says so where something is wrong. */
function formTitle(title: string, { complaints, say }: Visit): string {
  return complaints.size > 0 ? `${say('error')}: ${title}` : title
}

/** The form of the payment, which buttons in the drawer belong to. */
const payFormId = 'payment'

/** What only a test has, below the card: test cards, and the same payment from a terminal. */
function drawer({ of, say, method }: Visit): Html {
  const isCard = method === 'card'
  const button = ({ name, outcome, cardBrand, number }: TestCard) => {
    const key = `card-${name}`
    return html`<li><button form="${payFormId}" name="do" value="fill:${name}" formnovalidate><b>${cardBrand} ${groupDigits(number)}</b> <span>${isTextKey(key) ? say(key) : outcome}</span></button></li>`
  }
  const command = (event: string, ...more: readonly string[]) =>
    hintInWords(hint`${paste('sandbox trigger', event, '--order', of.request.integratorOrderId, ...more)}`)
  return html`<aside class="drawer" aria-label="${say('drawer')}"><details>
<summary><span>${say('drawer')}</span> ${say(isCard ? 'testCards' : 'fromTerminal')}</summary>
${isCard ? html`<p class="quiet">${say('testCardsHelp')}</p><ul>${testCards.map(button)}</ul>` : ''}
<h2>${say('fromTerminal')}</h2><pre>${[command('paid'), command('paid', '--card', 'declined'), command('expired')].join('\n')}</pre>
</details></aside>`
}

const line = (name: string, value: unknown): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** While the order is paid, what is editable stands in the form, and not in the text. */
function propertiesAsText({ of }: Visit, isPayable: boolean): readonly ShownProperty[] {
  return of.properties.filter(({ editable }) => !(isPayable && editable))
}

/** "every 2 months, the first at once"; null without a plan. */
function planText({ of: { request }, say }: Visit): string | null {
  const { subscriptionPlan: plan } = request
  if (!plan) return null
  const { intervalCount: n, interval, startDate } = plan
  const isOne = minorUnits(n) === 100n
  const one = interval === 'WEEKLY' ? 'everyWeek' : 'everyMonth'
  const every = isOne ? say(one) : say(`${one}s`, { n })
  return `${every}, ${startDate === undefined ? say('firstNow') : say('firstOn', { day: startDate })}`
}

/** First of all: how much, to whom, what for. */
function head(visit: Visit, isPayable: boolean, isTitle = true): Html {
  const { of, say } = visit
  const { sum } = of.sumsWith(tipOf(visit))
  const plan = planText(visit)
  const about = propertiesAsText(visit, isPayable).find(({ key }) => key === 'DESCRIPTION')
  return html`${isTitle ? html`<h1 class="sum">${sum}</h1>` : html`<p class="sum">${sum}</p>`}
<p class="shop"><span class="unseen">${say('recipient')}</span> ${of.recipient}</p>
${about ? html`<p class="about"><span class="unseen">${say('DESCRIPTION')}</span> ${about.value}</p>` : ''}
${plan === null ? '' : html`<p class="quiet">${plan}</p><p class="quiet">${say('planSaves')}</p>`}`
}

/** The payer's charge, where it differs from the sum and is or will be taken. */
function chargedLine(visit: Visit): Html | string {
  const { of, say } = visit
  const { order, request } = of
  const { sum, charged } = of.sumsWith(tipOf(visit))
  const end = orderEnd(order.status)
  if (charged === sum || request.subscriptionPlan || end === 'not-paid') return ''
  const isExchanged = order.currency !== order.acquiring_currency
  const both = order.commission_type === 'RECEIVER' ? 'withExchange' : 'withBoth'
  const why = say(isExchanged ? both : 'withCommission')
  return html`<div><dt>${say(end === 'paid' ? 'wasCharged' : 'charged')}</dt><dd>${charged}</dd><dd class="why">${why}</dd></div>`
}

/** All else of the order. */
function facts(visit: Visit, isPayable: boolean, endedAt: number | null = null): Html {
  const { of, say } = visit
  const { order, parts } = of
  const tip = order.tip + tipOf(visit)
  const validUntil = stageOf(order) === 'payable' ? order.valid_until : null
  const property = ({ key, value }: ShownProperty) => {
    const text = key === 'IS_FOREIGN' ? say(value === 'true' ? 'yes' : 'no') : value
    return html`<div id="${propertyId(key)}-text"><dt>${say(key)}</dt><dd>${text}</dd></div>`
  }
  const others = propertiesAsText(visit, isPayable).filter(({ key }) => key !== 'DESCRIPTION')
  const share = ({ name, account, sum }: (typeof parts)[number]) =>
    line(account ? `${say('account')} ${name}` : name, sum)
  return html`<dl>${endedAt === null ? '' : line(say('time'), timeText(endedAt))}
${chargedLine(visit)}${tip === 0 ? '' : line(say('tip'), `${fromMinorUnits(BigInt(tip))} ${order.currency}`)}
${others.map(property)}
${validUntil === null ? '' : html`<div><dt class="whole">${say('payUntil', { time: timeText(validUntil) })}</dt></div>`}</dl>
${parts.length === 0 ? '' : html`<h2>${say('split')}</h2><dl>${parts.map(share)}</dl>`}`
}

/** The id, for whoever asks the shop about it. */
function orderId({ of, say }: Visit): Html {
  return html`<p class="id">${say('order')} <span>${of.request.integratorOrderId}</span></p>`
}

const methodNames: Readonly<Record<Method, TextKey>> = {
  card: 'card',
  'saved-card': 'savedCard',
  'open-banking': 'openBanking',
  crypto: 'crypto',
  installment: 'installment',
}

/** The heading above the fields of a method; buttons where there are several, so that changing keeps what was typed. */
function methodChoice({ of: { offer }, say, method }: Visit): Html {
  const name = say(methodNames[method])
  if (offer.methods.length === 1) {
    return html`<h2>${offer.provider === null ? name : `${name}: ${offer.provider}`}</h2>`
  }
  const button = (each: Method) =>
    html`<button name="do" value="method:${each}" formnovalidate${
      each === method ? raw(' aria-current="true"') : ''
    }>${say(methodNames[each])}</button>`
  return html`<h2 class="unseen">${say('method')}</h2><div class="methods">${offer.methods.map(button)}</div>`
}

/** The sum on the button is the one that is charged. */
function payWords(visit: Visit): string {
  const { of, say, method } = visit
  if (method !== 'card' && method !== 'saved-card') {
    const provider = providerOf(of.offer, method)
    if (of.offer.preselected) return say('confirm')
    return provider === null ? say('continue') : say('continueTo', { provider })
  }
  const sum = of.sumsWith(tipOf(visit)).charged
  const { subscriptionPlan: plan } = of.request
  if (plan) return plan.startDate === undefined ? say('payPlanNow', { sum }) : say('payPlan')
  return say('paySum', { sum })
}

const reasonText = (reason: string, say: Translate): string => (isTextKey(reason) ? say(reason) : reason)

/** The sum has changed, or the last try failed and the order can still be paid. */
function notice(visit: Visit): Html | string {
  const { of, complaints, sumChanged, say } = visit
  if (complaints.size > 0) return ''
  if (sumChanged) {
    const sum = of.sumsWith(tipOf(visit)).charged
    return html`<p class="notice" role="status">${say('sumChanged', { sum })}</p>`
  }
  const { fail_reason: reason, due: payableUntil } = of.order
  if (reason === null || payableUntil === null) return ''
  return html`<div class="notice" role="status"><h2>${say('failed')}</h2><p>${reasonText(reason, say)} ${say('nothingTaken')}</p>
<p>${say('tryAgain', { time: timeText(payableUntil) })}</p><p><a href="${of.failAddress}">${say('backToShop')}</a></p></div>`
}

/** In percent of the order; 0 for none. */
export const tipShares = [0, 10, 15, 20]

/** Shares by a click are buttons, so that the sum on the button to pay is right at once. */
function tipInput(visit: Visit): Html | string {
  const field = tipField(visit)
  const button = (share: number) =>
    html`<button name="do" value="tip:${share}" formnovalidate>${share === 0 ? visit.say('noTip') : `${share} %`}</button>`
  return field === null ? '' : html`${drawField(field, visit)}<div class="shares">${tipShares.map(button)}</div>`
}

/** Ticked until the payer takes it away; a form that was sent off without it keeps it so. */
function keepBox({ of: { request }, say, typed }: Visit): Html | string {
  if (request.saveCard !== 'true' || request.subscriptionPlan) return ''
  const kept = typed.has('method') ? typed.get('keep') === 'yes' : true
  return html`<div class="field"><label class="choice"><input type="checkbox" id="keep" name="keep" value="yes"${
    kept ? raw(' checked') : ''
  }> ${say('keepCard')}</label></div>`
}

function methodInputs(visit: Visit): Html {
  const { method, filled, say } = visit
  const [first, ...others] = methodFields(visit).map((field) => drawField(field, visit))
  if (method !== 'card') return html`${first ?? ''}${others}`
  const name = filled && `${filled.cardBrand} … ${filled.number.slice(-4)}`
  return html`${name === null ? '' : html`<p class="filled" role="status">${say('filled', { card: name })}</p>`}${first ?? ''}
<div class="pair">${others}</div>
${keepBox(visit)}`
}

function payForm(visit: Visit): Html {
  const { of, say, method, filled, sumChanged } = visit
  const { provider, preselected } = of.offer
  const isAtProvider = preselected && method !== 'card'
  const words = payWords(visit)
  // The first button of a form is what the Enter key presses, so paying comes first, unseen.
  return html`${notice(visit)}
<form method="post" id="${payFormId}" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="pay" tabindex="-1" aria-hidden="true">${words}</button>
<input type="hidden" name="method" value="${method}"><input type="hidden" name="shown" value="${of.sumsWith(tipOf(visit)).charged}">
${methodChoice(visit)}
${isAtProvider && provider !== null ? html`<p>${say('atProviderHelp', { provider })}</p>` : ''}
${propertyFields(visit).map((field) => drawField(field, visit))}
${tipInput(visit)}
${methodInputs(visit)}
<button class="main" name="do" value="pay"${filled === null && !sumChanged ? '' : raw(' autofocus')}>${words}</button>
${isAtProvider ? html`<button class="second" name="do" value="refuse" formnovalidate>${say('decline')}</button>` : ''}
</form>`
}

export function payPage(visit: Visit): Promise<string> {
  const { of, say, language, method } = visit
  return documentOf({
    ...{ language, say },
    title: formTitle(`${say('payment')}: ${of.recipient}`, visit),
    more: of.offer.methods[0] === method ? '' : `&method=${method}`,
    main: html`${head(visit, true)}${facts(visit, true)}${payForm(visit)}${orderId(visit)}`,
    drawer: drawer(visit),
  })
}

/** The payment is under way, and the bank asks for a code or a yes. */
export function stepPage(visit: Visit): Promise<string> {
  const { of, say, language } = visit
  const isCode = of.order.awaits === 'code'
  const provider = choiceOf(of.order)?.provider
  const title = say(isCode ? 'codeTitle' : 'atProvider')
  const help = isCode ? say('codeHelp') : provider && say('atProviderHelp', { provider })
  const main = html`${head(visit, false)}${facts(visit, false)}
<form method="post" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="confirm" tabindex="-1" aria-hidden="true">${say('confirm')}</button>
<h2>${title}</h2>${help ? html`<p>${help}</p>` : ''}
${isCode ? drawField(codeField(visit), visit) : ''}
<button class="main" name="do" value="confirm">${say('confirm')}</button>
<button class="second" name="do" value="refuse-step" formnovalidate>${say('decline')}</button>
</form>${orderId(visit)}`
  return documentOf({ language, say, main, title: formTitle(title, visit) })
}

/** A page for a payer who can only wait. */
export function waitPage(visit: Visit): Promise<string> {
  const { say, language } = visit
  const main = html`<div role="status"><h1>${say('processing')}</h1>
<p>${say('processingText')}</p></div><p><a class="button" href="${queryOf(visit) || '?'}">${say('reload')}</a></p>`
  return documentOf({ language, say, main, title: say('processing'), refresh: '3' })
}

/** An order that can still be paid has pages of its own. */
type EndStage = Exclude<OrderStage, 'payable' | 'being-paid'>

/** The title of an end, and its mark. Nothing went wrong with an order that was cancelled or whose time is over. */
const ends: Readonly<Record<EndStage, readonly [title: TextKey, mark: 'good' | 'bad' | 'over']>> = {
  paid: ['paid', 'good'],
  held: ['held', 'good'],
  failed: ['failed', 'bad'],
  canceled: ['canceled', 'over'],
  expired: ['expired', 'over'],
  refunding: ['refunding', 'good'],
  'partly-refunded': ['partlyRefunded', 'good'],
  refunded: ['refunded', 'good'],
  'refund-failed': ['paid', 'good'],
}

const marks = { good: '✓', bad: '×', over: '–' } as const

function explanation({ of: { order }, say }: Visit, stage: EndStage): string {
  if (stage === 'paid') return say('paidText')
  if (stage === 'held') return say('heldText')
  if (orderEnd(order.status) !== 'not-paid') return ''
  const why = stage === 'failed' && order.fail_reason !== null ? `${reasonText(order.fail_reason, say)} ` : ''
  return `${why}${say('nothingTaken')}`
}

const secondsToRead = 5

/** The end of an order, and the way back to the shop: the browser goes there by itself after a payment has just ended. */
export function endPage(visit: Visit, stage: EndStage): Promise<string> {
  const { of, say, language } = visit
  const [titleKey, mark] = ends[stage]
  const address = mark === 'good' ? of.successAddress : of.failAddress
  const leadsAway = ['paid', 'held', 'failed'].includes(stage) && !isReservedName(address)
  const title = say(titleKey)
  const main = html`<div class="end"><div role="status">
<div class="mark ${mark}" aria-hidden="true">${marks[mark]}</div>
<h1>${title}</h1><p class="quiet">${explanation(visit, stage)}</p></div>
${head(visit, false, false)}</div>${facts(visit, false, of.endedAt)}
<p><a class="button main" href="${address}">${say('backToShop')}</a></p>
${leadsAway ? html`<p class="quiet soon">${say('soon', { n: String(secondsToRead) })}</p>` : ''}
${orderId(visit)}`
  const refresh = leadsAway ? `${secondsToRead}; url=${address}` : null
  return documentOf({ language, say, main, title: `${title}: ${of.recipient}`, refresh })
}

export function plainPage({ language, say }: Pick<Visit, 'language' | 'say'>, text: TextKey): Promise<string> {
  return documentOf({ language, say, main: html`<h1>${say(text)}</h1>`, title: say(text) })
}
