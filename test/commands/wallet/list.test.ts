import { expect, test } from 'vitest'
import { newTill, open, requested } from '../../kit/world.ts'

const minute = 60_000

test('wallet list: receiver, finalized amount and status are shown, and an order that is over is not open', async () => {
  const till = newTill()
  const finalized = await till.created({ uri: open, key: 'till-1' })
  await till.finalize({ 'unique-id': finalized, amount: '9.00' })
  const left = await till.created({ uri: requested, key: 'till-2' })
  const rows = async (...flags: readonly string[]) => (await till.run(['wallet', 'list', ...flags])).json.rows
  expect(await rows()).toMatchObject([
    { uniqueId: left, amount: 25, currency: 'GEL', status: 'REGISTERED', end: null, open: true },
    {
      uniqueId: finalized,
      amount: 9,
      currency: null,
      status: 'SUCCESS',
      end: 'paid',
      moneyMoved: 'yes',
      open: false,
    },
  ])
  const [row] = (await rows('--key', 'till-1')) as readonly { name: string; journalId: string }[]
  expect(row?.name).toMatch(/\S/)
  const details = await till.run(['wallet', 'details', String(row?.journalId)])
  expect(details.json.uniqueId).toBe(finalized)
  expect(await rows('--open')).toHaveLength(1)
  till.clock.skip(6 * minute)
  expect(await rows('--open')).toEqual([])
  expect(await rows('--refresh', '--status', 'FAILED')).toMatchObject([
    { uniqueId: left, end: 'not-paid', moneyMoved: 'no' },
  ])
})

test('wallet list: a deleted order is not open', async () => {
  const till = newTill()
  const id = await till.created({ uri: requested })
  await till.run(['wallet', 'cancel', id, '--yes'])
  expect((await till.run(['wallet', 'list'])).json.rows).toMatchObject([
    { uniqueId: id, end: 'not-paid', open: false, moneyMoved: 'no' },
  ])
})
