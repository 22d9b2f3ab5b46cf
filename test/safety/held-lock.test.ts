/**
 * Identical commands that all have read the journal before any of them could write, and one that sleeps in that
 * place: the decision to send is made where the attempt is stored, so the payment leaves once.
 */

import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, chargeCard, handOrder, handToken, json, serviceByHand } from '../kit/service.ts'
import { gate } from '../kit/tools.ts'
import { orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'return-1', '--yes']

/** Something that several wait for, and that the last one of them sets free. */
function barrier(count: number) {
  const { opened, open } = gate()
  let arrived = 0
  const arrive = () => {
    arrived += 1
    if (arrived === count) open()
    return opened
  }
  return { arrive, opened }
}

test.each([
  ['order refund', 'order.refund', refund, orderIn('SUCCESS')],
  ['charge', 'order.create', chargeCard(), { code: 6005, group: 5 }],
] as const)('four times the same %s, past their look at the journal, answers lost: sent once', async (...row) => {
  const [, operation, argv, shown] = row
  const desk = await memoryDesk(({ name }) => (name === operation ? reset : shown))
  desk.beforeWrite = barrier(4).arrive
  const ends = await Promise.all([1, 2, 3, 4].map(() => desk.run(...argv)))
  expect(desk.count(operation)).toBe(1)
  for (const { code, stderr } of ends) expect([9, 12], stderr).toContain(code)
})

test('order refund that sleeps between its look at the journal and its attempt, while another run loses the answer: sent once', async () => {
  const desk = await memoryDesk(({ name }) => (name === 'order.refund' ? reset : orderIn('SUCCESS')))
  const both = barrier(2)
  desk.beforeWrite = async (line) => {
    await both.arrive()
    if (line === 2) await first
  }
  const first = desk.run(...refund)
  const ends = [await Promise.all([first, desk.run(...refund)])].flat()
  expect(desk.count('order.refund')).toBe(1)
  expect(ends.map(({ code }) => code)).toEqual([9, 9])
})

test('payout create that sleeps before its attempt until its time is over: nothing is sent (11), the same id may be run again', async () => {
  const desk = await memoryDesk(() => undefined)
  desk.beforeWrite = async () => desk.skip(60_000)
  const { code, error, stderr } = await desk.pay()
  expect(desk.count('payout.create')).toBe(0)
  expect(code, stderr).toBe(11)
  expect(error).toMatchObject({ moneyMoved: 'no', retry: 'same-id' })
  expect(error.message).toContain('the time for sending it was over')
})

/** Four processes start at once. */
const patient = { timeout: 60_000 }

test('payout create, four processes that all wait for the lock of the journal: one payment', patient, async () => {
  const home = newHome()
  const allSignIn = barrier(4)
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/auth') return undefined
    // Each has looked at the journal by then, and has to write next.
    await allSignIn.arrive()
    return json({ value: { access_token: handToken, expires_in: 1800, token_type: 'Bearer' } })
  })
  await addHandProfile(home, service.url)
  await paydesk(['journal', 'list'], { home })
  const database = new DatabaseSync(join(home, 'journal', 'journal.db'))
  database.exec('begin immediate')
  const argv = [...create({ profile: 'hand', key: 'salary-11' }), '--json']
  const running = [1, 2, 3, 4].map(() => start(argv, home))
  await allSignIn.opened
  database.exec('rollback')
  database.close()
  const ends = await Promise.all(running.map(({ end }) => end))
  expect(service.creates).toHaveLength(1)
  for (const { code, stderr } of ends) expect([0, 12], stderr).toContain(code)
})
