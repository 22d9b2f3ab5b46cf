import { expect, test } from 'vitest'
import { JsonNumber } from '../../../src/lib/contract/core/decimal.ts'
import { paydesk } from '../../kit/program.ts'
import { handDesk, handOrder } from '../../kit/service.ts'
import { done, onSandbox, order, ordered, place, play, recordedSandbox } from '../../kit/world.ts'

const diff = (id: string) => ['order', 'diff', id, ...onSandbox]

test('order diff: status, amount and currency are compared or say why not, and the status is remembered', async () => {
  const around = place()
  const id = await ordered(around)
  await done(['order', 'status', id, ...onSandbox], around)
  const { json } = await done(diff(id), around)
  expect(json).toMatchObject({ integratorOrderId: id, equal: true, profile: 'sandbox', warnings: [] })
  expect(json.compared).toEqual([
    { field: 'status', journal: 'INITIAL', service: 'INITIAL', equal: true, note: null },
    { field: 'amount', journal: '12.50', service: null, equal: null, note: 'the service does not show it' },
    { field: 'currency', journal: 'GEL', service: null, equal: null, note: 'the service does not show it' },
  ])
  await play(around, id)
  const table = await paydesk(diff(id), around)
  expect(table.code).toBe(0)
  expect(table.stdout).toMatch(/^status +INITIAL +SUCCESS +NO/m)
  expect(table.stdout).toContain(`differs from ${json.journalId} in status`)
  expect((await done(diff(id), around)).json).toMatchObject({ equal: true })
})

test('order diff: the amount is compared with the charge, unless a commission may explain a difference', async () => {
  const around = place()
  await recordedSandbox(around)
  const id = await ordered(around, { 'commission-type': 'RECEIVER' })
  await play(around, id)
  await done(['order', 'status', id, ...onSandbox], around)
  const { json } = await done(diff(id), around)
  expect(json).toMatchObject({ equal: true })
  expect(json.compared).toContainEqual({
    field: 'amount',
    journal: '12.50',
    service: '12.50',
    equal: true,
    note: null,
  })
  const sender = await ordered(around, { 'commission-type': 'SENDER' })
  await play(around, sender)
  const charged = (await done(diff(sender), around)).json.compared as { field: string }[]
  expect(charged.find(({ field }) => field === 'amount')).toMatchObject({
    equal: null,
    note: expect.stringContaining('commission'),
  })
})

test.each([
  [{ amount: 99 }, 'amount', '99.00'],
  [{ initialCurrency: 'USD' }, 'currency', 'USD'],
  [{ currency: 'USD' }, 'currency', 'USD'],
])('order diff: a status with %j differs in %s', async (more, field, service) => {
  const desk = await handDesk(({ name }) => {
    const own = { integratorOrderId: handOrder }
    const numbers = 'amount' in more ? { amount: new JsonNumber(`${more.amount}`) } : more
    return {
      value:
        name === 'order.create'
          ? { ...own, urlForQR: 'https://pay.example/1' }
          : { ...own, ...numbers, status: 'INITIAL' },
    }
  })
  const create = ['order', 'create', '--amount', '12.50', '--receiver-id', handOrder, '--yes']
  expect((await desk.run(...create, '--integrator-order-id', handOrder)).code).toBe(0)
  const { json } = await desk.run('order', 'diff', handOrder)
  expect(json).toMatchObject({ equal: false })
  expect(json.compared).toContainEqual(expect.objectContaining({ field, service, equal: false, note: null }))
})

test('order diff: a sum written otherwise, and another sum of a pre-authorised order, do not differ', async () => {
  for (const [shown, flags] of [
    [{ amount: new JsonNumber('12.5'), initialCurrency: 'gel' }, []],
    [{ amount: new JsonNumber('5') }, ['--pay-with-pre-auth']],
  ] as const) {
    const desk = await handDesk(({ name }) => {
      const own = { integratorOrderId: handOrder }
      return {
        value:
          name === 'order.create'
            ? { ...own, urlForQR: 'https://pay.example/1' }
            : { ...own, ...shown, status: 'INITIAL' },
      }
    })
    const create = ['order', 'create', '--amount', '12.50', '--receiver-id', handOrder, '--yes', ...flags]
    expect((await desk.run(...create, '--integrator-order-id', handOrder)).code).toBe(0)
    expect((await desk.run('order', 'diff', handOrder)).json).toMatchObject({ equal: true })
  }
})

test('order diff: a key names the order, and an order that the journal does not know is 6', async () => {
  const around = place()
  await done(order({ key: 'shop-4711' }), around)
  expect((await done(diff('shop-4711'), around)).json.equal).toBe(true)
  const stranger = await paydesk(diff('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'), around)
  expect(stranger.code).toBe(6)
  expect(stranger.stderr).toContain('paydesk order status')
})
