/** A write that the service took and whose payment has ended unpaid by then is refused (5), not done. */
import { describe, expect, test } from 'vitest'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'
import { json } from '../kit/service/service-by-hand.ts'

const order = { integratorOrderId: handOrder }
const url = { urlForQR: 'https://pay.example/1' }
const made = ['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--yes']
const create = [...made, '--integrator-order-id', handOrder]
const charge = [...create, '--card-from-order', foreignOrder]
const token = '454d428e-4419-4cee-aa68-eae36cc82c81'
const card: Said = { value: { token, integratorOrderId: foreignOrder } }

/** The write, what it stands for in the journal, and how often it was sent. */
async function told(argv: readonly string[], answering: (name: string) => Said, state: string, status: string) {
  const desk = await handDesk(({ name }) => (name === 'card.get' ? card : answering(name)))
  for (const run of ['first', 'again']) {
    const ended = await desk.run(...argv)
    expect(ended, run + ended.stdout).toMatchObject({ code: 5, stdout: '' })
    const facts = { moneyMoved: 'no', status, operation: 'order.create', retry: 'after-fix', uniqueId: handOrder }
    expect(ended.error).toMatchObject(facts)
    expect(String(ended.error.hints)).toContain('another --integrator-order-id')
    if (run === 'again') expect(ended.error.message).toContain('nothing was sent now')
  }
  expect(desk.count('order.create')).toBe(1)
  const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
  expect(known).toMatchObject({ state, status })
  const resumed = await desk.run('resume', String(known?.journalId))
  expect(resumed, resumed.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no', status } })
}

describe.each(['FAILED', 'EXPIRED', 'CANCELED'])('%s', (status) => {
  test('in the answer to a charge of a saved card', () =>
    told(charge, (name) => (name === 'order.create' ? { value: { ...order, status } } : broken), 'accepted', status))

  test('in the answer to an order that a payer is to pay', () =>
    told(create, () => ({ value: { ...order, ...url, status } }), 'accepted', status))

  test('in the status, where the answer to the charge was lost', () =>
    told(
      charge,
      (name) => (name === 'order.create' ? { plain: 'reset' } : { value: { ...order, status } }),
      'exists',
      status,
    ))
})

const isCreate = (path: string) => path === '/api/distributor'
const accepted = { transactionId: 4711, uniqueId: handOrder, createdAt: '2026-11-20T10:00:00' }

describe('a payout', () => {
  test.each(['REJECTED', 'FAILED', 'DELETED'])('that is answered with %s', async (status) => {
    const desk = await handPayout(({ path }) => (isCreate(path) ? json({ ...accepted, status }) : undefined))
    for (const more of [{}, {}, { wait: true }] as const) {
      const ended = await desk.pay(more)
      expect(ended, ended.stdout).toMatchObject({ code: 5, stdout: '' })
      expect(ended.error).toMatchObject({ moneyMoved: 'no', status, transactionId: '4711', uniqueId: handOrder })
      expect(String(ended.error.hints)).toContain('another --unique-id')
    }
    expect(desk.creates()).toBe(1)
    const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
    expect(known).toMatchObject({ state: 'accepted', status, transactionId: '4711' })
  })

  test.each(['CANCELED', '', 'nonsense', 'F\u0410ILED', 'rejected'])(
    'with the status "%s", of which nothing is known, is accepted, and the status is named',
    async (status) => {
      const desk = await handPayout(({ path }) => (isCreate(path) ? json({ ...accepted, status }) : undefined))
      const written = status === 'F\u0410ILED' ? '"F\\u0410ILED"' : `"${status}"`
      for (const ended of [await desk.pay(), await desk.pay()]) {
        expect(ended.json, ended.stderr).toMatchObject({ outcome: 'accepted', status })
        expect(ended.json.warnings).toEqual([expect.stringContaining(written)])
      }
    },
  )
})
