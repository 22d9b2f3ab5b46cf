/**
 * The checkout page of an order: GET shows its state, POST moves it on and leads back to GET. The transaction that begins a
 * payment decides whether it can be tried, so two tabs cannot pay twice.
 */

import type { HttpAnswer, HttpRequest } from '../../http/message.ts'
import { orderById } from '../../store/sandbox/orders.ts'
import type { SandboxWriter } from '../../store/sandbox/schema.ts'
import { testCard } from '../cards/test-card.ts'
import { executeDue, readUpToDate } from '../clock/due.ts'
import type { Surroundings } from '../handler.ts'
import { awaitPayer, confirmTry, refuseToPay, tryToPay } from '../orders/payment.ts'
import { stageOf } from '../orders/stage.ts'
import { money } from '../world/money.ts'
import { type Html, isFromHere, pageAnswer, seeOther } from './answer.ts'
import type { EntryComplaint } from './entries/complaint.ts'
import { methodOf, readPayment, tipTyped } from './entries/pay.ts'
import { cardFilledIn } from './pages/card-form.ts'
import { endPage, plainPage } from './pages/end.ts'
import { payPage } from './pages/pay.ts'
import { stepPage, waitPage } from './pages/step.ts'
import { speaker } from './pages/texts/texts.ts'
import { tipShares } from './pages/tip.ts'
import { checkoutPath } from './path.ts'
import { languageOf, type Scene, sceneOf } from './scene.ts'
import { type CheckoutVisit, queryOf } from './visit.ts'

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
    ...{ scene, language, choseLanguage: chosen !== null, say: speaker(language) },
    method: methodOf(scene, typed.get('method') ?? query.get('method')),
    tip: tipTyped(scene, typed),
    ...{ typed, complaints: [], filled: null, sumChanged: false, script },
    ...more,
  }
}

function draw(visit: CheckoutVisit): Html {
  const { order } = visit.scene
  const stage = stageOf(order)
  if (stage === 'payable') return payPage(visit)
  if (stage !== 'being-paid') return endPage(visit, stage)
  return order.awaits === null ? waitPage(visit) : stepPage(visit)
}

/** The result of a form: the same page again, in another state or with complaints; or a change that is done. */
type Result = { readonly again: CheckoutVisit } | 'done' | null

function filledIn(ask: Ask, name: string): URLSearchParams {
  const card = testCard(name)
  return new URLSearchParams({ ...Object.fromEntries(ask.typed), ...(card ? cardFilledIn(card) : {}) })
}

/** The form with a tip of so many percent of the order. */
function tipped({ order }: Scene, { typed }: Ask, percent: string): URLSearchParams {
  const share = tipShares.find((each) => String(each) === percent) ?? 0
  const tip = share === 0 ? '' : String(money(Math.round((order.amount * share) / 100)))
  return new URLSearchParams({ ...Object.fromEntries(typed), tip })
}

/** True if the page has shown another sum than the one that would be charged now. */
function isAnotherSum(scene: Scene, { typed }: Ask, tip: number): boolean {
  const shown = typed.get('shown')
  return shown !== null && shown !== scene.sumsWith(tip).charged
}

async function beginPayment(db: SandboxWriter, scene: Scene, ask: Ask, around: Surroundings): Promise<Result> {
  const entry = readPayment(scene, ask.typed)
  if (!entry.ok) return { again: visitOf(scene, ask, { complaints: entry.complaints }) }
  const { awaits, ...payment } = entry.payment
  if (isAnotherSum(scene, ask, payment.tip)) return { again: visitOf(scene, ask, { sumChanged: true }) }
  const made = { ...payment, at: scene.now }
  if (awaits === null) await tryToPay(db, scene.order, made, around)
  else await awaitPayer(db, scene.order, made, awaits)
  return 'done'
}

async function endStep(db: SandboxWriter, scene: Scene, ask: Ask, around: Surroundings): Promise<Result> {
  const code = (ask.typed.get('code') ?? '').replace(/\s/g, '')
  const wrong: EntryComplaint = { field: 'code', text: 'wrongCode' }
  if (scene.order.awaits === 'code' && !/^\d{6}$/.test(code))
    return { again: visitOf(scene, ask, { complaints: [wrong] }) }
  await confirmTry(db, scene.order, scene.now, around)
  return 'done'
}

/** A button that does not fit the order's state any more does nothing: the page that follows shows how it is now. */
async function act(db: SandboxWriter, scene: Scene, ask: Ask, around: Surroundings): Promise<Result> {
  const { order, now, offer } = scene
  const [what = '', which = ''] = (ask.typed.get('do') ?? '').split(':')
  if (stageOf(order) === 'payable') {
    if (what === 'pay') return await beginPayment(db, scene, ask, around)
    if (what === 'method') return { again: visitOf(scene, ask, { method: methodOf(scene, which) }) }
    if (what === 'fill') return { again: visitOf(scene, { ...ask, typed: filledIn(ask, which) }, { filled: which }) }
    if (what === 'tip') return { again: visitOf(scene, { ...ask, typed: tipped(scene, ask, which) }) }
    if (what === 'refuse' && offer.preselected) await refuseToPay(db, order, now, around)
  }
  if (stageOf(order) === 'being-paid' && order.awaits !== null) {
    if (what === 'confirm') return await endStep(db, scene, ask, around)
    if (what === 'refuse-step') await refuseToPay(db, order, now, around)
  }
  return 'done'
}

async function submitted(ask: Ask, around: Surroundings): Promise<Result> {
  const { store, clock } = around
  return await store.write(async (db) => {
    const now = clock.now()
    await executeDue(db, now, around)
    const order = await orderById(db, ask.id)
    return order ? await act(db, await sceneOf(db, order, now), ask, around) : null
  })
}

async function looked(ask: Ask, around: Surroundings): Promise<CheckoutVisit | null> {
  return await readUpToDate(around, async (db, now) => {
    const order = await orderById(db, ask.id)
    return order ? visitOf(await sceneOf(db, order, now), ask) : null
  })
}

export async function answerCheckout(
  http: HttpRequest,
  around: Surroundings,
  script: string | null,
): Promise<HttpAnswer> {
  const query = new URLSearchParams(http.query.map(([name, value]): [string, string] => [name, value]))
  const id = http.path.slice(checkoutPath.length).toLowerCase()
  const ask = { id, query, script, typed: new URLSearchParams(http.method === 'POST' ? (http.body ?? '') : '') }
  const chosen = languageOf(query.get('lang'))
  const visitor = { language: chosen ?? 'EN', say: speaker(chosen ?? 'EN') } as const
  if (http.method !== 'POST') {
    const visit = await looked(ask, around)
    if (!visit) return await pageAnswer(404, plainPage(visitor, 'noOrder'), null)
    return await pageAnswer(200, draw(visit), script)
  }
  if (!isFromHere(http.headers)) return await pageAnswer(403, plainPage(visitor, 'notFromHere'), null)
  const result = await submitted(ask, around)
  if (result === null) return await pageAnswer(404, plainPage(visitor, 'noOrder'), null)
  if (result === 'done') {
    // Relative: a proxy may stand before the sandbox, under a path of its own.
    return seeOther(`${id}${queryOf({ language: visitor.language, choseLanguage: chosen !== null })}`)
  }
  return await pageAnswer(result.again.complaints.length > 0 ? 422 : 200, draw(result.again), script)
}
