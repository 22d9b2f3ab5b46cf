/** A wallet order has five minutes from its creation: a finalization is not sent once more after them, whenever it was first sent. */
import { expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'

test.each([
  ['inside the five minutes it is sent once more', 30, 1],
  ['after them it is not', 150, 0],
])('a finalization that left no trace: %s', async (_when, seconds, sent) => {
  let isLost = true
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.finalize' && isLost) return { plain: 'reset' }
    if (name === 'wallet.finalize') return { value: { uniqueId: handOrder, status: 'SUCCESS' } }
    return { value: { uniqueId: handOrder, status: 'REGISTERED', amount: 25 } }
  })
  expect(await desk.run(...createWallet)).toMatchObject({ code: 0 })
  desk.skip(200_000)
  const first = await desk.run(...finalizeWallet)
  expect(first, first.stderr).toMatchObject({ code: 9 })
  const before = desk.count('wallet.finalize')
  isLost = false
  desk.skip(seconds * 1000)
  const resumed = await desk.run('resume', String(first.error.journalId), '--yes')
  expect(desk.count('wallet.finalize') - before, resumed.stderr).toBe(sent)
})

test('a clock that was set back lengthens the five minutes neither for the first nor for another time', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.finalize') return { plain: 'reset' }
    return { value: { uniqueId: handOrder, status: 'REGISTERED', amount: 25 } }
  })
  expect(await desk.run(...createWallet)).toMatchObject({ code: 0 })
  desk.skip(400_000)
  desk.set(-3_600_000)
  const late = await desk.run(...finalizeWallet)
  expect(late, late.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  expect(late.error.message).toContain('five minutes were over')
  expect(desk.count('wallet.finalize')).toBe(0)
})

test('nor is it sent once more by a clock that was set back since', async () => {
  const desk = await handDesk(({ name }) => {
    if (name === 'wallet.finalize') return { plain: 'reset' }
    return { value: { uniqueId: handOrder, status: 'REGISTERED', amount: 25 } }
  })
  expect(await desk.run(...createWallet)).toMatchObject({ code: 0 })
  const first = await desk.run(...finalizeWallet)
  expect(first, first.stderr).toMatchObject({ code: 9 })
  const before = desk.count('wallet.finalize')
  desk.skip(400_000)
  desk.set(-3_600_000)
  await desk.run('resume', String(first.error.journalId), '--yes')
  await desk.run(...finalizeWallet)
  expect(desk.count('wallet.finalize')).toBe(before)
})
