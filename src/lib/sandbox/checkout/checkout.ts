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
import { awaitPayer, confirmTry, refuseToPay, stageOf, tryToPay } from '../areas/orders/payment.ts'
import { executeDue, type HandlerContext, readUpToDate } from '../handler.ts'
import { money } from '../ledger.ts'
import { readBody } from '../server/exchange.ts'
import type { PageRequest, SandboxPage } from '../server/server.ts'
import type { Service } from '../service.ts'
import { methodOf, readPayment, tipTyped } from './entries.ts'
import { cardFilledIn, tipShares } from './form.ts'
import { endPage, payPage, plainPage, stepPage, waitPage } from './pages.ts'
import { type CheckoutVisit, type EntryComplaint, languageOf, queryOf, type Scene, sceneOf } from './scene.ts'
import { checkoutStyle } from './style.ts'
import { type TextKey, translator } from './texts.ts'

interface Ask {
  readonly id: string
  readonly script: string | null
  readonly query: URLSearchParams
  readonly typed: URLSearchParams
}

function visitOf(scene: Scene, { query, typed, script }: Ask, more: Partial<CheckoutVisit> = {}): CheckoutVisit {
  const chosen = languageOf(query.get('lang'))
  const language = chosen ?? scene.language
  return {
    ...{ scene, language, choseLanguage: chosen !== null, say: translator(language) },
    method: methodOf(scene, typed.get('method') ?? query.get('method')),
    tip: tipTyped(scene, typed),
    ...{ typed, complaints: [], filled: null, sumChanged: false, script },
    ...more,
  }
}

function renderPage(visit: CheckoutVisit): Promise<string> {
  const { order } = visit.scene
  const stage = stageOf(order)
  if (stage === 'payable') return payPage(visit)
  if (stage !== 'being-paid') return endPage(visit, stage)
  return order.awaits === null ? waitPage(visit) : stepPage(visit)
}

/** The result of a form: the same page again, in another state or with complaints; or a change that is done. */
type Result = { readonly again: CheckoutVisit } | 'done' | null

function withCard(ask: Ask, name: string): URLSearchParams {
  const card = testCard(name)
  return new URLSearchParams({ ...Object.fromEntries(ask.typed), ...(card ? cardFilledIn(card) : {}) })
}

/** The form with a tip of so many percent of the order. */
function withTip({ order }: Scene, { typed }: Ask, percent: string): URLSearchParams {
  const share = tipShares.find((each) => String(each) === percent) ?? 0
  const tip = share === 0 ? '' : String(money(Math.round((order.amount * share) / 100)))
  return new URLSearchParams({ ...Object.fromEntries(typed), tip })
}

async function beginPayment(db: SandboxWriter, scene: Scene, ask: Ask, context: HandlerContext): Promise<Result> {
  const entry = readPayment(scene, ask.typed)
  if ('length' in entry) return { again: visitOf(scene, ask, { complaints: entry }) }
  const { awaits, ...payment } = entry
  const shown = ask.typed.get('shown')
  // The page has shown another sum than the one that would be charged now.
  if (shown !== null && shown !== scene.sumsWith(payment.tip).charged)
    return { again: visitOf(scene, ask, { sumChanged: true }) }
  const made = { ...payment, at: scene.now }
  if (awaits === null) await tryToPay(db, scene.order, made, context)
  else await awaitPayer(db, scene.order, made, awaits)
  return 'done'
}

async function endStep(db: SandboxWriter, scene: Scene, ask: Ask, context: HandlerContext): Promise<Result> {
  const code = (ask.typed.get('code') ?? '').replace(/\s/g, '')
  const wrong: EntryComplaint = { field: 'code', text: 'wrongCode' }
  if (scene.order.awaits === 'code' && !/^\d{6}$/.test(code))
    return { again: visitOf(scene, ask, { complaints: [wrong] }) }
  await confirmTry(db, scene.order, scene.now, context)
  return 'done'
}

/** A button that does not fit the order's state any more does nothing: the page that follows shows how it is now. */
async function applyAction(db: SandboxWriter, scene: Scene, ask: Ask, context: HandlerContext): Promise<Result> {
  const { order, now, offer } = scene
  const [what = '', which = ''] = (ask.typed.get('do') ?? '').split(':')
  if (stageOf(order) === 'payable') {
    if (what === 'pay') return await beginPayment(db, scene, ask, context)
    if (what === 'method') return { again: visitOf(scene, ask, { method: methodOf(scene, which) }) }
    if (what === 'fill') return { again: visitOf(scene, { ...ask, typed: withCard(ask, which) }, { filled: which }) }
    if (what === 'tip') return { again: visitOf(scene, { ...ask, typed: withTip(scene, ask, which) }) }
    if (what === 'refuse' && offer.preselected) await refuseToPay(db, order, now, context)
  }
  if (stageOf(order) === 'being-paid' && order.awaits !== null) {
    if (what === 'confirm') return await endStep(db, scene, ask, context)
    if (what === 'refuse-step') await refuseToPay(db, order, now, context)
  }
  return 'done'
}

async function applyForm(ask: Ask, context: HandlerContext): Promise<Result> {
  const { store, clock } = context
  return await store.write(async (db) => {
    const now = clock.now()
    await executeDue(db, now, context)
    const order = await findRow(db, 'orders', { order_id: ask.id })
    return order ? await applyAction(db, await sceneOf(db, order, now), ask, context) : null
  })
}

async function loadVisit(ask: Ask, context: HandlerContext): Promise<CheckoutVisit | null> {
  return await readUpToDate(context, async (db, now) => {
    const order = await findRow(db, 'orders', { order_id: ask.id })
    return order ? visitOf(await sceneOf(db, order, now), ask) : null
  })
}

/** The content security policy allows this text and no other. */
function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const styleHash = hashOf(baseStyle + checkoutStyle)

function headersFor(script: string | null): Record<string, string> {
  return pageHeaders({ script: script === null ? null : hashOf(script), style: styleHash, sendsForms: true })
}

/** `script` is the one that stands on the page; null for a page without. */
async function pageAnswer(status: number, page: Promise<string>, script: string | null): Promise<HttpAnswer> {
  return { status, headers: { ...headersFor(script), 'content-type': 'text/html; charset=utf-8' }, body: await page }
}

/** After a form that changed something: the browser fetches the page anew, so that reloading sends nothing twice. */
function seeOther(location: string): HttpAnswer {
  return { status: 303, headers: { ...headersFor(null), location }, body: '' }
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
  { incoming, method, query, settings }: PageRequest,
  id: string,
  context: HandlerContext,
): Promise<HttpAnswer> {
  const body = await readBody(incoming)
  const script = (await settings.checkoutScript?.()) ?? null
  const typed = method === 'POST' && body.kind === 'text' ? (body.text ?? '') : ''
  const ask = { id, query, script, typed: new URLSearchParams(typed) }
  const chosen = languageOf(query.get('lang'))
  const language = chosen ?? 'EN'
  const plain = (status: number, text: TextKey) =>
    pageAnswer(status, plainPage({ language, say: translator(language) }, text), null)
  if (method !== 'POST') {
    const visit = await loadVisit(ask, context)
    return visit ? await pageAnswer(200, renderPage(visit), script) : await plain(404, 'noOrder')
  }
  if (!isFromOwnPage(incoming.headers)) return await plain(403, 'notFromHere')
  const result = await applyForm(ask, context)
  if (result === null) return await plain(404, 'noOrder')
  // Relative: a proxy may stand before the sandbox, under a path of its own.
  if (result === 'done') return seeOther(`${id}${queryOf({ language, choseLanguage: chosen !== null })}`)
  return await pageAnswer(result.again.complaints.length > 0 ? 422 : 200, renderPage(result.again), script)
}

export function checkoutPage({ context }: Pick<Service, 'context'>): SandboxPage {
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
