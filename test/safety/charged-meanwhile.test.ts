/** A charge whose card cannot be read, while another run of it has read the card and charged it: what came of that is told. */
import { expect, test } from 'vitest'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

const charge = [
  ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--card-from-order', foreignOrder],
  ...['--key', 'k-1', '--yes'],
]
const token = '454d428e-4419-4cee-aa68-eae36cc82c81'
const card: Said = { value: { token, integratorOrderId: foreignOrder } }
const unread: Readonly<Record<string, Said>> = {
  'is refused': { code: 6031, group: 3 },
  fails: { plain: { status: 500, body: '{}' } },
  'breaks off': { plain: 'reset' },
}

/** The charge of the second run, which begins and ends while the first waits for its card. */
async function twoRuns(first: Said, answerToCharge: Said) {
  let id = handOrder
  const desk = await handDesk(async ({ name, request, count }) => {
    if (name === 'card.get' && count === 1) {
      await desk.run(...charge)
      return first
    }
    if (name === 'card.get') return card
    if (name !== 'order.create')
      return name === 'order.status' ? { value: { integratorOrderId: id, status: 'SUCCESS' } } : broken
    id = String(request.integratorOrderId)
    return 'value' in answerToCharge ? { value: { integratorOrderId: id, status: 'SUCCESS' } } : answerToCharge
  })
  return { desk, ended: await desk.run(...charge) }
}

test.each(Object.entries(unread))('one whose read %s is a conflict still', async (_how, first) => {
  // The order of the card is one of this journal, and was not paid.
  const desk = await handDesk(({ name, request, count }) => {
    if (name === 'card.get') return count === 1 ? card : first
    if (name !== 'order.create') return { value: { integratorOrderId: foreignOrder, status: 'FAILED' } }
    if (request.integratorOrderId === foreignOrder)
      return { value: { integratorOrderId: foreignOrder, status: 'FAILED' } }
    return { code: 6023, group: 2 }
  })
  const [, , ...rest] = charge.slice(0, 6)
  await desk.run('order', 'create', ...rest, '--integrator-order-id', foreignOrder, '--yes')
  expect(await desk.run(...charge)).toMatchObject({ code: 7, error: { moneyMoved: 'unknown' } })
  const again = await desk.run(...charge)
  expect(again.code, again.stderr).not.toBe(0)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown' })
  expect(desk.count('order.create')).toBe(2)
})

test.each(Object.entries(unread))('one whose read %s tells that it was charged', async (_how, first) => {
  const { desk, ended } = await twoRuns(first, { value: null })
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { outcome: 'accepted', replayed: true } })
  expect(desk.count('order.create')).toBe(1)
})

test.each(Object.entries(unread))(
  'one whose read %s asks what came of a charge without an answer',
  async (_how, first) => {
    const { desk, ended } = await twoRuns(first, { plain: 'reset' })
    expect(ended, ended.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
    expect(desk.count('order.create')).toBe(1)
  },
)
