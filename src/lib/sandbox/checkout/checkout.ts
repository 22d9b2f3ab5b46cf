/**
 * The checkout page of an order: GET shows its state, POST moves it on and leads back to GET. The transaction that begins a
 * payment decides whether it can be tried, so two tabs cannot pay twice.
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { baseStyle, pageHeaders } from '../../html.ts'
import type { HttpAnswer } from '../../http/message.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { SandboxWriter } from '../../store/sandbox/schema.ts'
import { testCard } from '../areas/cards.ts'
import { checkoutPath } from '../areas/orders/orders.ts'
import { awaitPayer, confirmTry, type Method, refuseToPay, stageOf, tryToPay } from '../areas/orders/payment.ts'
import { executeDue, type HandlerContext, readUpToDate } from '../handler.ts'
import { money } from '../ledger.ts'
import type { Sandbox } from '../sandbox.ts'
import { readBody } from '../server/exchange.ts'
import type { PageRequest, SandboxPage } from '../server/server.ts'
import { cardFilledIn, codeField, judgeFields, judgeForm, readPayment, type Visit } from './fields.ts'
import { type CheckoutOrder, describeForPayer, languageOf } from './order.ts'
import { endPage, payPage, plainPage, queryOf, stepPage, tipShares, waitPage } from './pages.ts'
import { checkoutStyle } from './style.ts'
import { type TextKey, translator } from './texts.ts'

interface Ask {
  readonly id: string
  readonly query: URLSearchParams
  readonly typed: URLSearchParams
}

/** The method that the form or the address names, if the order offers it; else the first. */
function methodOf({ offer }: CheckoutOrder, named: string | null): Method {
  return offer.methods.find((each) => each === named) ?? offer.methods[0] ?? 'card'
}

function visitOf(of: CheckoutOrder, { query, typed }: Ask): Visit {
  const chosen = languageOf(query.get('lang'))
  const language = chosen ?? of.language
  return {
    ...{ of, language, choseLanguage: chosen !== null, say: translator(language), typed },
    method: methodOf(of, typed.get('method') ?? query.get('method')),
    ...{ complaints: new Map(), filled: null, sumChanged: false },
  }
}

function renderPage(visit: Visit): Promise<string> {
  const { order } = visit.of
  const stage = stageOf(order)
  if (stage === 'payable') return payPage(visit)
  if (stage !== 'being-paid') return endPage(visit, stage)
  return order.awaits === null ? waitPage(visit) : stepPage(visit)
}

/** The result of a form: the same page once more, in another state or with complaints; or a change that is done. */
type Result = { readonly page: Visit } | 'done' | null

/** The same form with other texts in it. */
function withTexts(visit: Visit, texts: Readonly<Record<string, string>>, more: Partial<Visit> = {}): Result {
  return { page: { ...visit, typed: new URLSearchParams({ ...Object.fromEntries(visit.typed), ...texts }), ...more } }
}

/** A tip of so many percent of the order. */
function tipText({ amount }: CheckoutOrder['order'], percent: string): string {
  const share = tipShares.find((each) => String(each) === percent) ?? 0
  return share === 0 ? '' : String(money(Math.round((amount * share) / 100)))
}

async function beginPayment(db: SandboxWriter, visit: Visit, context: HandlerContext): Promise<Result> {
  const complaints = judgeForm(visit)
  if (complaints.size > 0) return { page: { ...visit, complaints } }
  const { order, now, sumsWith } = visit.of
  const { awaits, ...payment } = readPayment(visit)
  const shown = visit.typed.get('shown')
  // The page has shown another sum than the one that would be charged now.
  if (shown !== null && shown !== sumsWith(payment.tip).charged) return { page: { ...visit, sumChanged: true } }
  const made = { ...payment, at: now }
  if (awaits === null) await tryToPay(db, order, made, context.random)
  else await awaitPayer(db, order, made, awaits)
  return 'done'
}

/** A button that does not fit the order's state any more does nothing: the page that follows shows how it is now. */
async function applyAction(db: SandboxWriter, visit: Visit, context: HandlerContext): Promise<Result> {
  const { order, now, offer } = visit.of
  const [what = '', which = ''] = (visit.typed.get('do') ?? '').split(':')
  if (stageOf(order) === 'payable') {
    if (what === 'pay') return await beginPayment(db, visit, context)
    if (what === 'method') return { page: { ...visit, method: methodOf(visit.of, which) } }
    if (what === 'tip') return withTexts(visit, { tip: tipText(order, which) })
    if (what === 'fill') {
      const card = testCard(which)
      return withTexts(visit, card ? cardFilledIn(card) : {}, { filled: card })
    }
    if (what === 'refuse' && offer.preselected) await refuseToPay(db, order, now)
  }
  if (stageOf(order) === 'being-paid' && order.awaits !== null) {
    if (what === 'refuse-step') await refuseToPay(db, order, now)
    if (what === 'confirm') {
      const complaints = judgeFields(order.awaits === 'code' ? [codeField(visit)] : [], visit.typed)
      if (complaints.size > 0) return { page: { ...visit, complaints } }
      await confirmTry(db, order, now, context.random)
    }
  }
  return 'done'
}

async function applyForm(ask: Ask, context: HandlerContext): Promise<Result> {
  const { store, clock } = context
  return await store.write(async (db) => {
    const now = clock.now()
    await executeDue(db, now, context)
    const order = await findRow(db, 'orders', { order_id: ask.id })
    return order ? await applyAction(db, visitOf(await describeForPayer(db, order, now), ask), context) : null
  })
}

async function loadVisit(ask: Ask, context: HandlerContext): Promise<Visit | null> {
  return await readUpToDate(context, async (db, now) => {
    const order = await findRow(db, 'orders', { order_id: ask.id })
    return order ? visitOf(await describeForPayer(db, order, now), ask) : null
  })
}

/** The content security policy allows this style and no other, and no script at all. */
const styleHash = `'sha256-${createHash('sha256')
  .update(baseStyle + checkoutStyle)
  .digest('base64')}'`

const headers = pageHeaders({ script: null, style: styleHash, sendsForms: true })

async function pageAnswer(status: number, page: Promise<string>): Promise<HttpAnswer> {
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: await page }
}

/** After a form that changed something: the browser fetches the page anew, so that reloading sends nothing twice. */
function seeOther(location: string): HttpAnswer {
  return { status: 303, headers: { ...headers, location }, body: '' }
}

/**
 * True if a form came from one of these pages. Browsers say so in one of two headers, and pages of other sites cannot forge
 * them; a program that sends neither is no browser.
 */
function isFromOwnPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  if (site !== undefined && site !== 'same-origin') return false
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
}

async function answerCheckout(
  { incoming, method, query }: PageRequest,
  id: string,
  context: HandlerContext,
): Promise<HttpAnswer> {
  const body = await readBody(incoming)
  const typed = method === 'POST' && body.kind === 'text' ? (body.text ?? '') : ''
  const ask = { id, query, typed: new URLSearchParams(typed) }
  const chosen = languageOf(query.get('lang'))
  const language = chosen ?? 'EN'
  const plain = (status: number, text: TextKey) =>
    pageAnswer(status, plainPage({ language, say: translator(language) }, text))
  if (method !== 'POST') {
    const visit = await loadVisit(ask, context)
    return visit ? await pageAnswer(200, renderPage(visit)) : await plain(404, 'noOrder')
  }
  if (!isFromOwnPage(incoming.headers)) return await plain(403, 'notFromHere')
  const result = await applyForm(ask, context)
  if (result === null) return await plain(404, 'noOrder')
  // Relative: a proxy may stand before the sandbox, under a path of its own.
  if (result === 'done') return seeOther(`${id}${queryOf({ language, choseLanguage: chosen !== null })}`)
  return await pageAnswer(result.page.complaints.size > 0 ? 422 : 200, renderPage(result.page))
}

export function checkoutPage({ context }: Pick<Sandbox, 'context'>): SandboxPage {
  return {
    isTold: true,
    answer: async (asked) => {
      const { method, path } = asked
      const id = path.startsWith(checkoutPath) ? path.slice(checkoutPath.length).toLowerCase() : ''
      if (id === '' || id.includes('/') || (method !== 'GET' && method !== 'POST')) return null
      return await answerCheckout(asked, id, await context())
    },
  }
}
