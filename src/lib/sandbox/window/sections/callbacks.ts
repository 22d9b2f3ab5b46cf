/** Messages to integrators, with their addresses and every attempt. */
import { html } from 'hono/html'
import { withoutCardTokens } from '../../../contract/mask.ts'
import { readJson, writeJson } from '../../../json.ts'
import { callbackAttempts } from '../../../store/sandbox/callbacks.ts'
import { orderById } from '../../../store/sandbox/orders.ts'
import type { CallbackAttemptRow, CallbackRow } from '../../../store/sandbox/schema.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { localMoment } from '../../clock/clock.ts'
import { orderRequest } from '../../ledger/accepted.ts'
import { orderLink } from './related.ts'
import { type Facts, moment, most, type PageHtml, type Row, type Section, shortly, type Tone } from './section.ts'

/** One that nobody can be sent to was never tried: that is no failure. */
function stateOf({ state }: Pick<CallbackRow, 'state'>, attempts: readonly CallbackAttemptRow[]) {
  const never = state === 'given-up' && attempts.every(({ http, why }) => http === null && why?.startsWith('not sent'))
  return never ? ({ tone: 'plain', words: 'not sent' } as const) : { tone: tones[state], words: state }
}

function resendForm(id: number, order: string): PageHtml {
  return html`<form method="post" action="/_sandbox/callback/resend" class="actions"><input type="hidden" name="callback" value="${id}">
    <input type="hidden" name="order" value="${order}"><button id="resend">Send it again</button></form>`
}

const tones: Readonly<Record<CallbackRow['state'], Tone>> = { delivered: 'good', 'given-up': 'bad', waiting: 'waiting' }

export const callbacksSection: Section = {
  name: 'callbacks',
  title: 'Callbacks',
  table: 'callbacks',
  columns: [
    { name: 'created', kind: 'id', zoned: true },
    { name: 'kind' },
    { name: 'state', kind: 'status' },
    { name: 'address', kind: 'words' },
    { name: 'next attempt', kind: 'id', minor: true, zoned: true },
  ],
  empty: 'Nobody was told anything yet.',
  rows: async ({ db, now, words }) => {
    const rows: Row[] = []
    for (const callback of await newestOf(db, 'callbacks', words, most)) {
      const { callback_id, created, kind, url, due } = callback
      const { tone, words: state } = stateOf(callback, await callbackAttempts(db, callback_id))
      const next = due === null ? null : shortly(due, now)
      rows.push({ id: String(callback_id), tone, cells: [shortly(created, now), kind, state, url, next] })
    }
    return rows
  },
  detail: async ({ db, names }, id) => {
    const callback = await rowNamed(db, 'callbacks', id)
    if (!callback) return null
    const { callback_id, kind, url, sealed, created, due, integrator_id, order_id, plain, note } = callback
    const order = await orderById(db, order_id)
    const about = order ? orderRequest(order).integratorOrderId : order_id
    const tries = await callbackAttempts(db, callback_id)
    const { tone, words: state } = stateOf(callback, tries)
    const attempts: Facts['rows'] = tries.map(
      ({ number, time, http, why, milliseconds }) =>
        [`${number}.`, `${moment(localMoment(time))}: ${why ?? `HTTP ${http}`}, ${milliseconds} ms`] as const,
    )
    const replies = tries.flatMap(({ number, reply }) =>
      reply === null || reply === '' ? [] : [{ title: `Reply to attempt ${number}`, text: reply }],
    )
    const text = writeJson(withoutCardTokens(readJson(plain)), 2)
    return {
      title: `Callback of a ${kind}`,
      tone,
      status: state,
      about,
      actions: resendForm(callback_id, order_id),
      links: [orderLink(order_id)],
      copies: [{ as: 'JSON', text }],
      facts: [
        {
          title: 'Delivery',
          rows: [
            ['state', state],
            ['to', url],
            ['played', note],
            ['body', sealed === 1 ? 'sealed to the integrator' : 'plain JSON'],
            ['integrator', names.get(integrator_id) ?? integrator_id],
            ['order', about],
            ['created', moment(localMoment(created))],
            ['next attempt', due === null ? null : moment(localMoment(due))],
          ],
        },
        { title: 'Attempts', rows: attempts },
      ],
      texts: [{ title: 'Payload', text }, ...replies],
    }
  },
}
