import { expect, test } from 'vitest'
import { readLongTime } from '../../../src/lib/sandbox/clock.ts'
import { callers, toIban } from '../../kit/sandbox/callers.ts'
import { qrOpen, walletUser } from '../../kit/sandbox/integrator.ts'
import { desk, fileSandbox, freshDirectory, handClock, memorySandbox } from '../../kit/sandbox/stand.ts'

const minute = 60_000
const start = Date.UTC(2026, 10, 20, 10)

test('the clock is the machine’s and so much ahead; it runs on from where it was moved', async () => {
  const clock = handClock()
  const sandbox = await memorySandbox(clock)
  expect(await sandbox.clock()).toEqual({ now: start, ahead: 0 })
  expect(await sandbox.moveClock((now) => now + minute)).toEqual({ now: start + minute, ahead: minute })
  clock.forward(minute)
  expect(await sandbox.moveClock(() => start + 5 * minute)).toEqual({ now: start + 5 * minute, ahead: 4 * minute })
  clock.forward(minute)
  expect((await sandbox.clock()).now).toBe(start + 6 * minute)
})

test('it only goes forward, and not beyond all measure; what was refused changes nothing', async () => {
  const sandbox = await memorySandbox()
  await sandbox.moveClock((now) => now + minute)
  const back = sandbox.moveClock((now) => now - 1)
  await expect(back).rejects.toMatchObject({ kind: 'usage' })
  expect(await back.catch((error) => error.toLine().error.hints)).toEqual([expect.stringContaining('reset')])
  await expect(sandbox.moveClock(() => Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ kind: 'usage' })
  expect(await sandbox.clock()).toEqual({ now: start + minute, ahead: minute })
  expect(await sandbox.moveClock((now) => now)).toEqual({ now: start + minute, ahead: minute })
})

test('the time of a world is the same for all that use it', async () => {
  const directory = freshDirectory()
  const [one, other] = [await fileSandbox(directory), await fileSandbox(directory)]
  await Promise.all([one, other, one, other].map((each) => each.moveClock((now) => now + minute)))
  expect((await one.clock()).ahead).toBe(4 * minute)
  expect(await other.clock()).toEqual(await one.clock())
})

test('tokens and payouts move with it', async () => {
  const sandbox = await memorySandbox()
  const { byIban } = await callers(sandbox)
  await byIban.create(toIban())
  expect((await sandbox.ledger()).payouts[0]?.status).toBe('INITIAL')
  await sandbox.moveClock((now) => now + 3000)
  expect((await sandbox.ledger()).payouts[0]?.status).toBe('SUCCESS')
  expect((await byIban.balanceIn('GEL')).http).toBe(200)
  await sandbox.moveClock((now) => now + 30 * minute)
  expect((await byIban.balanceIn('GEL')).http).toBe(401)
})

test('so do orders, refunds and the five minutes of a wallet order', async () => {
  const { sandbox, integrator, wallet, pay } = await desk()
  const us = await integrator()
  const their = await wallet()
  const paid = await us.created()
  await pay(paid)
  await us.refund(paid, 12.5)
  const open = await us.created({ validUntil: '2026-11-20 14:04:00' })
  const { value } = await their.create(qrOpen(walletUser))
  await sandbox.moveClock((now) => now + 3000)
  expect(await us.status(paid)).toBe('REFUNDED_BY_INTEGRATOR')
  await sandbox.moveClock((now) => now + 5 * minute)
  expect(await us.status(open)).toBe('EXPIRED')
  expect(await their.finalize(value.uniqueId, 5)).toMatchObject({ value: { status: 'ORDER_NOT_FOUND' } })
})

test.each([
  ['1500ms', 1500],
  ['90', 90_000],
  ['90s', 90_000],
  ['1.5m', 90_000],
  ['2h', 7_200_000],
  ['31d', 2_678_400_000],
  ['8w', 4_838_400_000],
  ['-1s', null],
  ['1y', null],
  ['', null],
  ['soon', null],
])('%s is %s milliseconds', (text, milliseconds) => {
  expect(readLongTime(text)).toBe(milliseconds)
})
