/**
 * When a write whose answer was lost counts as not executed: a lagging copy shows an end that comes by time, or no
 * trace, so neither denies the write before a quarter of an hour is over.
 */
import { describe, expect, test } from 'vitest'
import { createWallet, finalizeWallet, foreignOrder, handDesk, handOrder, type Said } from '../kit/service.ts'
import { mustBeUnknown, orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const minutes = 60_000
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']

const lapses = [
  ['wallet finalize', 'FAILED', 'SUCCESS', finalizeWallet, memoryDesk],
  ['order complete', 'EXPIRED', 'SUCCESS', complete, memoryDesk],
  ['order complete', 'FAILED', 'SUCCESS', complete, memoryDesk],
  ['order cancel', 'EXPIRED', 'CANCELED', ['order', 'cancel', handOrder, '--yes'], memoryDesk],
  ['order complete, the real command,', 'EXPIRED', 'SUCCESS', complete, handDesk],
] as const

describe.each(lapses)('%s lost, its thing reads %s', (title, lapsed, done, argv, make) => {
  const operation = argv.slice(0, 2).join('.')

  async function lost() {
    const state = { shown: lapsed as string }
    const desk = await make(({ name }): Said => {
      if (name === 'wallet.create') return orderIn('REGISTERED', { amount: 25 })
      return name === operation ? reset : orderIn(state.shown)
    })
    if (operation === 'wallet.finalize') expect(await desk.run(...createWallet)).toMatchObject({ code: 0 })
    const ended = await desk.run(...argv)
    mustBeUnknown(ended)
    return Object.assign(state, desk, { resume: () => desk.run('resume', String(ended.error.journalId), '--yes') })
  }

  test(`${title} lost, its thing reads ${lapsed}: unknown (9) for 15 minutes, then not executed (5)`, async () => {
    const desk = await lost()
    const sent = desk.count(operation)
    desk.skip(10 * minutes)
    mustBeUnknown(await desk.resume())
    desk.skip(6 * minutes)
    const late = await desk.resume()
    expect(late, late.stderr).toMatchObject({ code: 5, error: { status: lapsed, moneyMoved: 'no' } })
    expect(desk.count(operation)).toBe(sent)
  })

  test(`${title} lost, its thing reads ${lapsed} and then ${done}: executed (0)`, async () => {
    const desk = await lost()
    desk.shown = done
    const { code, stderr } = await desk.resume()
    expect(code, stderr).toBe(0)
  })
})

test.each([
  ['a clock that is set two days ahead meanwhile', 'set', 48 * 60 * minutes, [16]],
  ['a request that stalls for 16 minutes', 'skip', 16 * minutes, [0, 16]],
] as const)('order complete lost, with %s: not executed (5) 15 minutes after it ended', async (...row) => {
  const [, how, milliseconds, waits] = row
  const making = memoryDesk(async ({ name }) => {
    if (name !== 'order.complete') return orderIn('EXPIRED')
    ;(await making)[how](milliseconds)
    return reset
  })
  const desk = await making
  const lost = await desk.run(...complete)
  const codes: number[] = []
  for (const wait of waits) {
    desk.skip(wait * minutes)
    codes.push((await desk.run('resume', String(lost.error.journalId), '--yes')).code)
  }
  expect(codes).toEqual(waits.map((wait) => (wait === 0 ? 9 : 5)))
})

test('resume: one completion executed and one not: partial (10), money moved, both are named', async () => {
  let isLate = false
  const desk = await memoryDesk(({ name, request }) => {
    if (name === 'order.complete') return reset
    const id = String(request.integratorOrderId)
    const status = id === foreignOrder ? 'EXPIRED' : isLate ? 'SUCCESS' : 'INITIAL'
    return { value: { integratorOrderId: id, status } }
  })
  const lines = [handOrder, foreignOrder].map((id) => desk.run('order', 'complete', id, '--amount', '5', '--yes'))
  const lost = await Promise.all(lines)
  for (const each of lost) mustBeUnknown(each)
  const [executed, over] = lost.map(({ error }) => String(error.journalId))
  isLate = true
  desk.skip(16 * minutes)
  const ended = await desk.run('resume', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'yes', retry: 'after-fix' } })
  expect(ended.error.message).toMatch(/^2 of 2 resolved; it was not executed/)
  const named = (ended.error.hints as string[]).map((hint) => hint.slice(0, hint.indexOf(':')))
  expect(named).toEqual([executed, over])
  expect(ended.json).toMatchObject([{ journalId: executed }])
})

test('resume: an order that is there and not paid, and a completion that was not executed: the money is unknown (10)', async () => {
  let isLate = false
  const desk = await memoryDesk(({ name, request }): Said => {
    const id = String(request.integratorOrderId)
    if (!isLate && (name !== 'order.status' || id === handOrder)) return reset
    return { value: { integratorOrderId: id, status: isLate && id === foreignOrder ? 'EXPIRED' : 'INITIAL' } }
  })
  const named = ['--receiver-id', foreignOrder, '--integrator-order-id', handOrder]
  mustBeUnknown(await desk.run('order', 'create', '--amount', '12.50', ...named, '--yes'))
  mustBeUnknown(await desk.run('order', 'complete', foreignOrder, '--amount', '5', '--yes'))
  isLate = true
  desk.skip(16 * minutes)
  const ended = await desk.run('resume', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toContain('the service has it (INITIAL)')
  expect(String(ended.error.hints)).not.toContain('it was executed,')
})
