import { expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { done, ledger, onSandbox, order, ordered, place, play } from '../../kit/world.ts'

const cancel = (id: string, ...more: readonly string[]) => ['order', 'cancel', id, '--yes', ...onSandbox, ...more]

test('order cancel: the order is cancelled once, and a second run reads that it still is and replays', async () => {
  const around = place()
  await done(order({ key: 'shop-4711' }), around)
  const first = await done(cancel('shop-4711'), around)
  expect(first.json).toMatchObject({ operation: 'order.cancel', outcome: 'accepted', status: 'CANCELED', amount: null })
  expect(first.json.replayed).toBe(false)
  const again = await done(cancel(String(first.json.integratorOrderId)), around)
  expect(again.json).toEqual({ ...first.json, replayed: true })
  expect((await ledger(around)).orders).toMatchObject([{ status: 'CANCELED' }])
  expect((await done(['journal', 'show', 'shop-4711'], around)).json.status).toBe('CANCELED')
})

test('order cancel: a paid order is refused (5)', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  const ended = await paydesk(cancel(id, '--json'), around)
  expect(ended.code).toBe(5)
  expect(ended.error.service).toMatchObject({ statusCode: 6006 })
})

test('order cancel: an unknown order is 6, and text that is no id 2', async () => {
  const ended = await paydesk(cancel('0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11', '--json'), place())
  expect(ended.code).toBe(6)
  expect(ended.error.service).toMatchObject({ statusCode: 6005 })
  expect((await paydesk(cancel('nonsense'), place())).code).toBe(2)
})

test("order cancel: --confirm takes the order's id; another phrase is 3, and no consent 2", async () => {
  const around = place()
  const id = await ordered(around)
  const argv = ['order', 'cancel', id, ...onSandbox]
  expect((await paydesk([...argv, '--confirm', 'GEL 12.50'], around)).code).toBe(3)
  expect((await paydesk(argv, around)).code).toBe(2)
  expect((await paydesk([...argv, '--confirm', id], around)).code).toBe(0)
})

test('order cancel --dry-run: the sealed query is shown, and nothing is sent', async () => {
  const around = place()
  const id = await ordered(around)
  const { json } = await done(cancel(id, '--dry-run'), around)
  expect(json).toMatchObject({ method: 'DELETE', body: null, payload: { integratorOrderId: id } })
  expect(String(json.url)).toContain('encryptedKeys=')
  expect((await ledger(around)).orders).toMatchObject([{ status: 'INITIAL' }])
})
