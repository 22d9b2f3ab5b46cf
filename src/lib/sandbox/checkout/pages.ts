/** The pages of the checkout: to pay, to confirm, to wait, and the end of an order. */
import { html, raw } from 'hono/html'
import { fromMinorUnits, minorUnits } from '../../contract/core/decimal.ts'
import { orderEnd } from '../../contract/order/status.ts'
import { hint, hintInWords, paste } from '../../hint.ts'
import { type Html, htmlPage } from '../../html.ts'
import type { OrderRow } from '../../store/sandbox/schema.ts'
import { type TestCard, testCards } from '../areas/cards.ts'
import { choiceOf, type Method, type OrderStage, stageOf } from '../areas/orders/payment.ts'
import { cardFields, providerInputs, providerName, savedCardFields, textField, tipFields, yesNo } from './form.ts'
import { groupDigits } from './groups.ts'
import { type CheckoutVisit, propertyField, queryOf, type Scene, type ShownProperty, timeText } from './scene.ts'
import { checkoutStyle } from './style.ts'
import { isTextKey, type Language, languageNames, languages, type TextKey, type Translate } from './texts.ts'

// The frame around every checkout page: head, the strip that says that no money moves, one card, languages.

interface Frame extends Pick<CheckoutVisit, 'language' | 'say'> {
  readonly title: string
  readonly main: Html
  /** More of the address of the same page in another language. */
  readonly more?: string
  /** The page to which the browser goes by itself, and the seconds until then; an empty address is this page. */
  readonly next?: { readonly seconds: number; readonly address: string } | null
  readonly drawer?: Html
  readonly script?: string | null
}

function languageLinks({ language, say, more = '' }: Frame): Html {
  const link = (each: Language) =>
    html`<li><a href="?lang=${each}${more}" lang="${each.toLowerCase()}" hreflang="${each.toLowerCase()}"${
      each === language ? raw(' aria-current="true"') : ''
    }>${languageNames[each]}</a></li>`
  return html`<nav class="languages" aria-label="${say('language')}"><ul>${languages.map(link)}</ul></nav>`
}

function refresh({ next }: Frame): Html | string {
  if (!next) return ''
  const address = next.address === '' ? '' : `; url=${next.address}`
  return html`<meta http-equiv="refresh" content="${next.seconds}${address}">`
}

function documentOf(frame: Frame): Promise<string> {
  const { language, say, title, main, drawer = '', script = null } = frame
  return htmlPage({
    language: language.toLowerCase(),
    title,
    style: checkoutStyle,
    head: html`<meta name="robots" content="noindex">${refresh(frame)}`,
    body: html`<header><p class="strip">${say('sandbox')}</p></header>
<main>
${main}
</main>
${drawer}
<footer>${languageLinks(frame)}</footer>`,
    script,
  })
}

// The same payment without a browser, for tests of an integration.

function fromTerminal({ request }: Scene, say: Translate): Html {
  const line = (event: string, ...more: readonly string[]) =>
    hintInWords(hint`${paste('sandbox trigger', event, '--order', request.integratorOrderId, ...more)}`)
  const lines = [line('paid'), line('paid', '--card', 'declined'), line('expired')]
  return html`<h2>${say('fromTerminal')}</h2><pre>${lines.join('\n')}</pre>`
}

// The drawer of the sandbox below the card: whatever only a test has. It looks like no part of the payment, for it is
// none.

/** The form of the payment, which buttons in the drawer belong to. */
const payFormId = 'payment'

function whatHappens({ name, outcome }: TestCard, say: Translate): string {
  const key = `card-${name}`
  return isTextKey(key) ? say(key) : outcome
}

function testCardList(say: Translate): Html {
  const button = (card: TestCard) =>
    html`<li><button form="${payFormId}" name="do" value="fill:${card.name}" formnovalidate><b>${card.cardBrand} ${groupDigits(card.number)}</b> <span>${whatHappens(card, say)}</span></button></li>`
  return html`<p class="quiet">${say('testCardsHelp')}</p><ul>${testCards.map(button)}</ul>`
}

function drawer({ scene, say, method }: CheckoutVisit): Html {
  const byCard = method === 'card'
  return html`<aside class="drawer" aria-label="${say('drawer')}"><details>
<summary><span>${say('drawer')}</span> ${say(byCard ? 'testCards' : 'fromTerminal')}</summary>
${byCard ? testCardList(say) : ''}
${fromTerminal(scene, say)}
</details></aside>`
}

// The sum, its recipient and what it is for; below, the facts of the order besides.

/** While it is paid, what is editable stands in the form, and not here. */
type SummaryPlace = 'pay' | 'step' | 'end'

function line(name: string, value: unknown): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`
}

function propertyText({ key, value }: ShownProperty, say: Translate): string {
  if (key !== 'IS_FOREIGN') return value
  return say(value === 'true' ? 'yes' : 'no')
}

function planInterval({ request: { subscriptionPlan: plan } }: Scene, say: Translate): string | null {
  if (!plan) return null
  const n = plan.intervalCount
  const one = minorUnits(n) === 100n
  if (plan.interval === 'WEEKLY') return one ? say('everyWeek') : say('everyWeeks', { n })
  return one ? say('everyMonth') : say('everyMonths', { n })
}

function beginning({ request: { subscriptionPlan: plan } }: Scene, say: Translate): string {
  return plan?.startDate === undefined ? say('firstNow') : say('firstOn', { day: plan.startDate })
}

function chargedWhy({ order }: Scene, say: Translate): string {
  const exchanged = order.currency !== order.acquiring_currency
  const commission = order.commission_type !== 'RECEIVER'
  return say(exchanged && commission ? 'withBoth' : exchanged ? 'withExchange' : 'withCommission')
}

/** The payer's charge, where it differs from the sum and is or will be taken. */
function chargedLine({ scene, say, tip }: CheckoutVisit): Html | string {
  const { sum, charged } = scene.sumsWith(tip)
  const over = orderEnd(scene.order.status)
  if (charged === sum || scene.request.subscriptionPlan || over === 'not-paid') return ''
  return html`<div><dt>${say(over === 'paid' ? 'wasCharged' : 'charged')}</dt><dd>${charged}</dd><dd class="why">${chargedWhy(scene, say)}</dd></div>`
}

/** Tips are part of the sum once they are known. */
function tipLine({ scene: { order }, say, tip }: CheckoutVisit): Html | string {
  const all = order.tip + tip
  return all === 0 ? '' : line(say('tip'), `${fromMinorUnits(BigInt(all))} ${order.currency}`)
}

function propertiesShownAt({ properties }: Scene, place: SummaryPlace): readonly ShownProperty[] {
  return properties.filter(({ editable }) => !(place === 'pay' && editable))
}

/** First of all: how much, to whom, what for. */
function head({ scene, say, tip }: CheckoutVisit, place: SummaryPlace): Html {
  const every = planInterval(scene, say)
  const { sum } = scene.sumsWith(tip)
  const about = propertiesShownAt(scene, place).find(({ key }) => key === 'DESCRIPTION')
  return html`${place === 'end' ? html`<p class="sum">${sum}</p>` : html`<h1 class="sum">${sum}</h1>`}
<p class="shop"><span class="unseen">${say('recipient')}</span> ${scene.recipient}</p>
${about ? html`<p class="about"><span class="unseen">${say('DESCRIPTION')}</span> ${about.value}</p>` : ''}
${every === null ? '' : html`<p class="quiet">${every}, ${beginning(scene, say)}</p><p class="quiet">${say('planSaves')}</p>`}`
}

/** All else of the order, ids last. */
function facts(visit: CheckoutVisit, place: SummaryPlace): Html {
  const { scene, say } = visit
  const { order, parts } = scene
  const others = propertiesShownAt(scene, place).filter(({ key }) => key !== 'DESCRIPTION')
  const payable = order.valid_until !== null && stageOf(order) === 'payable'
  return html`<dl>${place === 'end' && scene.endedAt !== null ? line(say('time'), timeText(scene.endedAt)) : ''}
${chargedLine(visit)}${tipLine(visit)}
${others.map((property) => html`<div id="${propertyField(property.key)}-text"><dt>${say(property.key)}</dt><dd>${propertyText(property, say)}</dd></div>`)}
${payable && order.valid_until !== null ? html`<div><dt class="whole">${say('payUntil', { time: timeText(order.valid_until) })}</dt></div>` : ''}</dl>
${
  parts.length === 0
    ? ''
    : html`<h2>${say('split')}</h2><dl>${parts.map(({ name, account, sum: part }) =>
        line(account ? `${say('account')} ${name}` : name, part),
      )}</dl>`
}`
}

/** The id, for whoever asks the shop about it. */
function orderId({ scene, say }: CheckoutVisit): Html {
  return html`<p class="id">${say('order')} <span>${scene.request.integratorOrderId}</span></p>`
}

const methodNames: Readonly<Record<Method, TextKey>> = {
  card: 'card',
  'saved-card': 'savedCard',
  'open-banking': 'openBanking',
  crypto: 'crypto',
  installment: 'installment',
}

/** Buttons, so that changing the method keeps what was typed. */
function methodButtons({ scene, say, method }: CheckoutVisit): Html | string {
  const { methods } = scene.offer
  if (methods.length === 1) return ''
  const button = (each: Method) =>
    html`<button name="do" value="method:${each}" formnovalidate${
      each === method ? raw(' aria-current="true"') : ''
    }>${say(methodNames[each])}</button>`
  return html`<div class="methods">${methods.map(button)}</div>`
}

function heading({ scene: { offer }, say, method }: CheckoutVisit): string {
  if (offer.methods.length > 1) return say('method')
  const name = say(methodNames[method])
  return offer.provider === null ? name : `${name}: ${offer.provider}`
}

function editableProperty(property: ShownProperty, visit: CheckoutVisit): Html {
  const id = propertyField(property.key)
  const value = visit.typed.get(id) ?? property.value
  if (property.key === 'IS_FOREIGN') return yesNo(id, visit.say('IS_FOREIGN'), value, visit)
  return textField({ id, label: visit.say(property.key), value }, visit)
}

function methodFields(visit: CheckoutVisit): Html | string {
  if (visit.method === 'card') return cardFields(visit)
  return visit.method === 'saved-card' ? savedCardFields(visit) : providerInputs(visit)
}

/** The sum on the button is the one that is charged. */
function payWords({ scene, say, method, tip }: CheckoutVisit): string {
  if (method !== 'card' && method !== 'saved-card') {
    const provider = providerName(scene, method)
    if (scene.offer.preselected) return say('confirm')
    return provider === null ? say('continue') : say('continueTo', { provider })
  }
  const sum = scene.sumsWith(tip).charged
  const { subscriptionPlan: plan } = scene.request
  if (plan) return plan.startDate === undefined ? say('payPlanNow', { sum }) : say('payPlan')
  return say('paySum', { sum })
}

/** The last try failed and the order can still be paid. */
function lastTry({ scene: { order, failAddress }, say }: CheckoutVisit): Html | string {
  const { fail_reason: reason, due: payableUntil } = order
  if (reason === null || payableUntil === null) return ''
  const why = isTextKey(reason) ? say(reason) : reason
  return html`<div class="notice" role="status"><h2>${say('failed')}</h2><p>${why} ${say('nothingTaken')}</p>
<p>${say('tryAgain', { time: timeText(payableUntil) })}</p><p><a href="${failAddress}">${say('backToShop')}</a></p></div>`
}

/** The sum that the button says, and that nothing else is charged than it. */
function shownSum({ scene, tip }: CheckoutVisit): Html {
  return html`<input type="hidden" name="shown" value="${scene.sumsWith(tip).charged}">`
}

function notices(visit: CheckoutVisit): Html | string {
  const { complaints, sumChanged, say, scene, tip } = visit
  if (complaints.length > 0) return ''
  if (!sumChanged) return lastTry(visit)
  return html`<p class="notice" role="status">${say('sumChanged', { sum: scene.sumsWith(tip).charged })}</p>`
}

function form(visit: CheckoutVisit): Html {
  const { scene, say, method } = visit
  const atProvider = scene.offer.preselected && method !== 'card'
  // The first button of a form is what the Enter key presses, so paying comes first, unseen.
  return html`${notices(visit)}
<form method="post" id="${payFormId}" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="pay" tabindex="-1" aria-hidden="true">${payWords(visit)}</button>
<input type="hidden" name="method" value="${method}">${shownSum(visit)}
<h2${scene.offer.methods.length > 1 ? raw(' class="unseen"') : ''}>${heading(visit)}</h2>
${methodButtons(visit)}
${atProvider && scene.offer.provider !== null ? html`<p>${say('atProviderHelp', { provider: scene.offer.provider })}</p>` : ''}
${scene.properties.filter(({ editable }) => editable).map((property) => editableProperty(property, visit))}
${tipFields(visit)}
${methodFields(visit)}
<button class="main" name="do" value="pay"${visit.filled === null && !visit.sumChanged ? '' : raw(' autofocus')}>${payWords(visit)}</button>
${atProvider ? html`<button class="second" name="do" value="refuse" formnovalidate>${say('decline')}</button>` : ''}
</form>`
}

export function payPage(visit: CheckoutVisit): Promise<string> {
  const { scene, say, language, complaints, method, script } = visit
  const title = `${say('payment')}: ${scene.recipient}`
  return documentOf({
    ...{ language, say, script },
    title: complaints.length > 0 ? `${say('error')}: ${title}` : title,
    more: scene.offer.methods[0] === method ? '' : `&method=${method}`,
    main: html`${head(visit, 'pay')}${facts(visit, 'pay')}${form(visit)}${orderId(visit)}`,
    drawer: drawer(visit),
  })
}

// The page of an order whose payment is under way: the bank asks for a code or a yes, or takes its time.

function codeForm(visit: CheckoutVisit): Html {
  const { say } = visit
  return html`<h2>${say('codeTitle')}</h2><p>${say('codeHelp')}</p>
${textField({ id: 'code', label: say('code'), value: '', digits: 'numeric', placeholder: '123456', longest: 9 }, visit)}`
}

function confirmation({ scene, say }: CheckoutVisit): Html {
  const provider = choiceOf(scene.order)?.provider
  return html`<h2>${say('atProvider')}</h2>${provider ? html`<p>${say('atProviderHelp', { provider })}</p>` : ''}`
}

export function stepPage(visit: CheckoutVisit): Promise<string> {
  const { scene, say, language, complaints } = visit
  const asks = scene.order.awaits === 'code'
  const title = say(asks ? 'codeTitle' : 'atProvider')
  const main = html`${head(visit, 'step')}${facts(visit, 'step')}
<form method="post" action="${queryOf(visit) || '?'}">
<button class="first" name="do" value="confirm" tabindex="-1" aria-hidden="true">${say('confirm')}</button>
${asks ? codeForm(visit) : confirmation(visit)}
<button class="main" name="do" value="confirm">${say('confirm')}</button>
<button class="second" name="do" value="refuse-step" formnovalidate>${say('decline')}</button>
</form>${orderId(visit)}`
  return documentOf({
    language,
    say,
    main,
    title: complaints.length > 0 ? `${say('error')}: ${title}` : title,
  })
}

/** A page for a payer who can only wait. */
export function waitPage(visit: CheckoutVisit): Promise<string> {
  const { say, language } = visit
  const main = html`<div role="status"><h1>${say('processing')}</h1>
<p>${say('processingText')}</p></div><p><a class="button" href="${queryOf(visit) || '?'}">${say('reload')}</a></p>`
  return documentOf({ language, say, main, title: say('processing'), next: { seconds: 3, address: '' } })
}

// The end of an order, and the way back to the shop.

/** An order that can still be paid has pages of its own. */
type EndStage = Exclude<OrderStage, 'payable' | 'being-paid'>

const titles: Readonly<Record<EndStage, TextKey>> = {
  paid: 'paid',
  held: 'held',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
  refunding: 'refunding',
  'partly-refunded': 'partlyRefunded',
  refunded: 'refunded',
  'refund-failed': 'paid',
}

function explanation({ status, fail_reason: reason }: OrderRow, stage: OrderStage, say: Translate): string {
  if (stage === 'paid') return say('paidText')
  if (stage === 'held') return say('heldText')
  if (orderEnd(status) !== 'not-paid') return ''
  const why = stage === 'failed' && reason !== null ? `${isTextKey(reason) ? say(reason) : reason} ` : ''
  return `${why}${say('nothingTaken')}`
}

/** Names that lead nowhere, kept for examples and tests (RFC 2606, RFC 6761); `localhost` leads to this machine. */
function isReserved(address: string): boolean {
  const { hostname } = new URL(address)
  return /(^|\.)(example|invalid|test|example\.(com|net|org))$/.test(hostname)
}

const secondsToRead = 5

/** Only after a payment has just ended: the page of an older order stays. */
const leadsAway: readonly OrderStage[] = ['paid', 'held', 'failed']

const marks = { good: '✓', bad: '×', over: '–' } as const

/** Nothing went wrong with an order that was cancelled or whose time is over. */
function markOf(stage: EndStage, good: boolean): keyof typeof marks {
  if (good) return 'good'
  return stage === 'failed' ? 'bad' : 'over'
}

export function endPage(visit: CheckoutVisit, stage: EndStage): Promise<string> {
  const { scene, say, language } = visit
  const { order } = scene
  const good = orderEnd(order.status) === 'paid' || stage === 'held'
  const address = good ? scene.successAddress : scene.failAddress
  const next = leadsAway.includes(stage) && !isReserved(address) ? { seconds: secondsToRead, address } : null
  const title = say(titles[stage])
  const main = html`<div class="end"><div role="status">
<div class="mark ${markOf(stage, good)}" aria-hidden="true">${marks[markOf(stage, good)]}</div>
<h1>${title}</h1><p class="quiet">${explanation(order, stage, say)}</p></div>
${head(visit, 'end')}</div>${facts(visit, 'end')}
<p><a class="button main" href="${address}">${say('backToShop')}</a></p>
${next === null ? '' : html`<p class="quiet soon">${say('soon', { n: String(secondsToRead) })}</p>`}
${orderId(visit)}`
  return documentOf({ language, say, main, title: `${title}: ${scene.recipient}`, next })
}

export function plainPage({ language, say }: Pick<CheckoutVisit, 'language' | 'say'>, text: TextKey): Promise<string> {
  const main = html`<h1>${say(text)}</h1>`
  return documentOf({ language, say, main, title: say(text) })
}
