import { expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { addFault, done, onSandbox, ordered, place, play } from '../../kit/world.ts'

const list = (...flags: readonly string[]) => ['order', 'list', ...flags]

test('order list: every order stands once, and --refresh, --open and --status work on it', async () => {
  const around = place()
  const paid = await ordered(around, { key: 'shop-1' })
  await ordered(around, { key: 'shop-2', currency: 'USD', amount: '7' })
  await play(around, paid)
  const { json } = await done(list(), around)
  expect(json).toMatchObject({
    rows: [
      { key: 'shop-2', amount: 7, currency: 'USD', status: null, open: true, name: null },
      { key: 'shop-1', uniqueId: paid, amount: 12.5, currency: 'GEL', open: true },
    ],
    more: false,
    warnings: [],
  })
  const read = await done(list('--refresh'), around)
  expect(read.json).toMatchObject({
    rows: [
      { key: 'shop-2', status: 'INITIAL', end: null },
      { key: 'shop-1', status: 'SUCCESS', end: 'paid', moneyMoved: 'yes', open: false },
    ],
  })
  expect((await done(list('--open'), around)).json.rows).toHaveLength(1)
  expect((await done(list('--status', 'SUCCESS'), around)).json.rows).toHaveLength(1)
  const [, row] = read.json.rows as readonly { journalId: string }[]
  const status = await done(['order', 'status', String(row?.journalId), ...onSandbox], around)
  expect(status.json.integratorOrderId).toBe(paid)
})

test('order list: a refund whose outcome is unknown is told in the row of its order', async () => {
  const around = place()
  const id = await ordered(around)
  await play(around, id)
  await done(['order', 'status', id, ...onSandbox], around)
  await addFault(around.home, { op: 'order.refund', at: 'before', kind: 'reset', times: 9 })
  await paydesk(['order', 'refund', id, '--amount', '5', '--yes', ...onSandbox], around)
  const { json } = await done(list('--open'), around)
  expect(json.rows).toMatchObject([
    {
      uniqueId: id,
      status: 'SUCCESS',
      open: true,
      moneyMoved: 'unknown',
      unresolved: [{ operation: 'order.refund' }],
    },
  ])
  expect(json.warnings).toEqual([expect.stringMatching(/one write is unknown: do not send it again, .*resume j-/)])
  const shown = await paydesk(list(), { ...around, terminal: true, columns: 80 })
  expect(shown.stdout).toContain('\u001b[33mSUCCESS, order.refund unknown\u001b[39m')
})

test('order list: an unknown write to an order that was made elsewhere is warned about', async () => {
  const around = place()
  const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  await addFault(around.home, { op: 'order.cancel', at: 'before', kind: 'reset', times: 9 })
  await paydesk(['order', 'cancel', id, '--yes', ...onSandbox], around)
  const { json } = await done(list(), around)
  expect(json.rows).toEqual([])
  expect(json.warnings).toEqual([
    expect.stringContaining('one write about a thing of this kind (order) that was not made'),
  ])
})
