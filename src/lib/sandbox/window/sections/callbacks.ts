/** Messages to integrators, with their addresses and every attempt. */
import { withoutCardTokens } from '../../../contract/mask.ts'
import { readJson, writeJson } from '../../../json.ts'
import { callbackAttempts } from '../../../store/sandbox/callbacks.ts'
import { orderById } from '../../../store/sandbox/orders.ts'
import type { CallbackRow } from '../../../store/sandbox/schema/callbacks.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { localMoment } from '../../clock/clock.ts'
import { orderRequest } from '../../ledger/accepted.ts'
import { type Facts, moment, most, type Section, shortly, type Tone } from './section.ts'

const tones: Readonly<Record<CallbackRow['state'], Tone>> = { delivered: 'good', 'given-up': 'bad', waiting: 'waiting' }

export const callbacksSection: Section = {
  name: 'callbacks',
  title: 'Callbacks',
  table: 'callbacks',
  columns: [
    { name: 'created', kind: 'id' },
    { name: 'kind' },
    { name: 'state', kind: 'status' },
    { name: 'address', kind: 'words' },
    { name: 'next attempt', kind: 'id', minor: true },
  ],
  empty: 'Nobody was told anything yet.',
  rows: async ({ db, now, words }) =>
    (await newestOf(db, 'callbacks', words, most)).map(({ callback_id, created, kind, state, url, due }) => ({
      id: String(callback_id),
      tone: tones[state],
      cells: [shortly(created, now), kind, state, url, due === null ? null : shortly(due, now)],
    })),
  detail: async ({ db, now, names }, id) => {
    const callback = await rowNamed(db, 'callbacks', id)
    if (!callback) return null
    const { kind, state, url, sealed, created, due, integrator_id, order_id, plain } = callback
    const order = await orderById(db, order_id)
    const about = order ? orderRequest(order).integratorOrderId : order_id
    const attempts: Facts['rows'] = (await callbackAttempts(db, callback.callback_id)).map(
      ({ number, time, http, why, milliseconds }) =>
        [`${number}.`, `${shortly(time, now)}: ${why ?? `HTTP ${http}`}, ${milliseconds} ms`] as const,
    )
    return {
      title: `Callback of a ${kind}`,
      tone: tones[state],
      status: state,
      about,
      facts: [
        {
          title: 'Delivery',
          rows: [
            ['state', state],
            ['to', url],
            ['body', sealed === 1 ? 'sealed to the integrator' : 'plain JSON'],
            ['integrator', names.get(integrator_id) ?? integrator_id],
            ['order', about],
            ['created', moment(localMoment(created))],
            ['next attempt', due === null ? null : moment(localMoment(due))],
          ],
        },
        { title: 'Attempts', rows: attempts },
      ],
      texts: [{ title: 'Payload', text: writeJson(withoutCardTokens(readJson(plain)), 2) }],
    }
  },
}
