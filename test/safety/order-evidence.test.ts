/**
 * What one answer or one read has shown of an order is not denied by a later one, whichever command asks: two that
 * contradict each other leave the payment in doubt (7 or 9).
 */

import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { succeeds } from '../kit/program.ts'
import {
  chargeCard,
  createWallet,
  finalizeWallet,
  foreignOrder,
  handDesk,
  handOrder,
  type Said,
} from '../kit/service.ts'
import { cardToken, mustBeUndecided, mustBeUnknown, orderIn, reset } from '../kit/verdict.ts'
import { memoryDesk } from './memory-desk.ts'

const charge = chargeCard()
const complete = ['order', 'complete', handOrder, '--amount', '5', '--yes']
const cancel = ['order', 'cancel', handOrder, '--yes']
const finalize = [...finalizeWallet, '--no-local-check']
const status = ['order', 'status', handOrder]
const wait = ['order', 'wait', handOrder]
const details = ['wallet', 'details', handOrder]
const otherSum = { amount: new JsonNumber('99') }

/** The service answers `operation` as `told`, and shows every other question `shown`. */
async function service(operation: string, told: Said, shown: Said = reset, make = memoryDesk) {
  const state = { shown }
  const desk = await make(({ name }) => (name === operation ? told : state.shown))
  return Object.assign(state, desk)
}

const isDone = async (desk: Awaited<ReturnType<typeof memoryDesk>>, line: readonly string[]) => {
  const ended = await succeeds(desk.run(...line))
  return ended.json
}

describe.each(['FAILED', 'EXPIRED', 'CANCELED'])('charge answered SUCCESS, then read as %s', (shown) => {
  test(`charge answered SUCCESS, then read as ${shown}: each wait and each repeat is unknown (9)`, async () => {
    const desk = await service('order.create', orderIn('SUCCESS'), orderIn(shown))
    await isDone(desk, charge)
    for (const line of [wait, wait, wait, charge]) mustBeUnknown(await desk.run(...line))
  })
})

test('charge answered SUCCESS, then read as FAILED, the real commands: warned of, listed as in doubt, unknown (9)', async () => {
  const desk = await handDesk(({ name }) => orderIn(name === 'order.create' ? 'SUCCESS' : 'FAILED'))
  expect((await desk.run(...charge)).code).toBe(0)
  const read = await desk.run(...status)
  expect(read.json.warnings, read.stderr).toEqual([expect.stringContaining('SUCCESS, and shows FAILED since')])
  const [row] = (await desk.run('order', 'list')).json.rows as readonly Record<string, unknown>[]
  expect(row).toMatchObject({
    end: null,
    open: true,
    moneyMoved: 'unknown',
    inDoubt: expect.stringContaining('FAILED'),
  })
  for (const more of [[], ['--dry-run'], ['--wait']]) mustBeUnknown(await desk.run(...charge, ...more))
  mustBeUnknown(await desk.run(...wait))
  expect(desk.count('order.create')).toBe(1)
})

test('charge answered SUCCESS, then read as FAILED by its own --wait: unknown (9) until SUCCESS is read again', async () => {
  const desk = await service('order.create', orderIn('SUCCESS'), orderIn('FAILED'))
  for (const more of [['--wait'], ['--wait'], []]) {
    const ended = await desk.run(...charge, ...more)
    mustBeUnknown(ended)
    expect(ended.error.message).toContain('answered SUCCESS, and shows FAILED since')
  }
  desk.shown = orderIn('SUCCESS')
  await isDone(desk, wait)
  expect(desk.count('order.create')).toBe(1)
})

test('order read as SUCCESS, then as FAILED, then as PROCESSING: wait and a repeat with --wait are unknown (9)', async () => {
  const desk = await service('order.create', orderIn('INITIAL'), orderIn('SUCCESS'))
  for (const line of [charge, wait]) await isDone(desk, line)
  for (const shown of ['FAILED', 'PROCESSING']) {
    desk.shown = orderIn(shown)
    mustBeUnknown(await desk.run(...wait))
    mustBeUnknown(await desk.run(...charge, '--wait'))
  }
  const { warnings, status: read } = await isDone(desk, status)
  expect([read, warnings]).toEqual([
    'PROCESSING',
    [expect.stringContaining('answered SUCCESS, and shows FAILED since')],
  ])
})

test.each([
  ['a charge', 'order.create', charge, status, 'FAILED'],
  ['a wallet order', 'wallet.create', createWallet, details, 'FAILED'],
  ['a completion', 'order.complete', complete, status, 'CANCELED'],
  ['a finalization', 'wallet.finalize', finalize, details, 'FAILED'],
] as const)('%s (%s) lost and read as SUCCESS: a later read of its end does not deny it (9)', async (...row) => {
  const [, operation, argv, read, end] = row
  const desk = await service(operation, reset)
  const lost = await desk.run(...argv)
  mustBeUnknown(lost)
  const id = String(lost.error.journalId)
  desk.shown = orderIn('SUCCESS')
  await isDone(desk, read)
  desk.shown = orderIn(end)
  mustBeUnknown(await desk.run('resume', id, '--yes'))
  mustBeUnknown(await desk.run(...argv))
  // The operator may settle it in either way.
  expect(await isDone(desk, ['journal', 'show', id])).toMatchObject({ state: 'unknown' })
  expect(desk.count(operation)).toBeLessThanOrEqual(2)
})

test.each([
  ['charge', 'order.create', charge, status],
  ['finalization', 'wallet.finalize', finalizeWallet, details],
] as const)('%s (%s) answered SUCCESS, read as FAILED, called executed by the operator: never "no"', async (...row) => {
  const [, operation, write, read] = row
  let shown = 'SUCCESS'
  const desk = await memoryDesk(({ name }) =>
    orderIn(name === 'wallet.create' ? 'REGISTERED' : name === operation ? 'SUCCESS' : shown),
  )
  if (operation === 'wallet.finalize') await isDone(desk, createWallet)
  const id = String((await isDone(desk, write)).journalId)
  shown = 'FAILED'
  await desk.run(...read)
  mustBeUndecided(await desk.run(...write))
  await isDone(desk, ['resume', id, '--settle', 'executed', '--because', 'the bank shows it', '--yes'])
  for (const again of [write, ['resume', id], read, write, ['resume', id]]) {
    const ended = await desk.run(...again)
    expect([0, 9], ended.stderr).toContain(ended.code)
    if (ended.code !== 0) expect(ended.error.moneyMoved, ended.stderr).not.toBe('no')
  }
  expect(desk.count(operation)).toBe(1)
})

test.each([
  ['a completion is executed', orderIn('SUCCESS'), complete],
  ['a completion loses its answer', reset, complete],
  ['a read shows it as paid', orderIn('SUCCESS'), status],
] as const)('order wait: %s in another process, a read of CANCELED is no end (7 or 9)', async (_what, told, argv) => {
  let reads = 0
  const desk = await memoryDesk(async ({ name }) => {
    if (name === 'order.create') return orderIn('INITIAL')
    if (name === 'order.complete') return told
    reads += 1
    const read = reads
    // While the one that waits asks for the second time, another process has done its own, reads and all.
    if (read === 2) await desk.run(...argv)
    return orderIn(read === 1 ? 'PROCESSING' : read === 2 ? 'CANCELED' : 'SUCCESS')
  })
  await isDone(desk, charge)
  mustBeUndecided(await desk.run(...wait))
})

test('charge refused (6001) and read as SUCCESS: order status warns, wait and a repeat are in doubt, also offline', async () => {
  const desk = await service('order.create', { code: 6001, group: 1 }, orderIn('SUCCESS'))
  expect((await desk.run(...charge)).code).toBe(5)
  expect((await isDone(desk, status)).warnings).toContainEqual(expect.stringContaining('a conflict'))
  desk.shown = reset
  mustBeUndecided(await desk.run(...wait))
  expect((await desk.run(...charge)).error.moneyMoved).toBe('unknown')
})

test('wallet create refused (6001) and read as SUCCESS: neither finalized nor created again', async () => {
  const desk = await service('wallet.create', { code: 6001, group: 1 }, orderIn('SUCCESS'))
  expect((await desk.run(...createWallet)).code).toBe(5)
  await desk.run(...details)
  expect((await desk.run(...finalizeWallet)).error.moneyMoved).toBe('unknown')
  mustBeUndecided(await desk.run(...createWallet))
})

test.each([
  ['answered SUCCESS with another sum', orderIn('SUCCESS', otherSum)],
  ['answered INITIAL with another sum', orderIn('INITIAL', otherSum)],
  ['answered 6023', { code: 6023, group: 2 }],
] as const)('charge %s and read as FAILED: wait and a repeat are in doubt', async (_what, told) => {
  const desk = await service('order.create', told, orderIn('FAILED'))
  for (const line of [charge, wait, charge]) mustBeUndecided(await desk.run(...line))
})

test('charge lost and read as SUCCESS, cancel answered 6006 beside CANCELED: unknown (9), not "cancelled already"', async () => {
  const state = { shown: reset }
  const desk = await memoryDesk(({ name }) => {
    if (name === 'order.create') return reset
    return name === 'order.cancel' ? { code: 6006, group: 2 } : state.shown
  })
  mustBeUnknown(await desk.run(...charge))
  state.shown = orderIn('SUCCESS')
  await isDone(desk, wait)
  state.shown = orderIn('CANCELED')
  mustBeUnknown(await desk.run(...cancel))
})

test('cancel answered 6006 beside SUCCESS is refused (5); then CANCELED is read: wait and cancel are in doubt', async () => {
  const state = { shown: 'SUCCESS' }
  const desk = await memoryDesk(({ name }) => {
    if (name === 'order.cancel') return { code: 6006, group: 2 }
    return orderIn(name === 'order.create' ? 'INITIAL' : state.shown)
  })
  await isDone(desk, charge)
  expect((await desk.run(...cancel)).code).toBe(5)
  state.shown = 'CANCELED'
  mustBeUndecided(await desk.run(...wait))
  mustBeUnknown(await desk.run(...cancel))
})

test.each([
  ['WAITING_FOR_CONFIRM', 9, 'unknown'],
  ['CANCELED', 5, 'no'],
] as const)(
  'completion lost, its order reads PROCESSING and 20 minutes later %s: ends with %i, money moved: %s',
  async (then, code, moneyMoved) => {
    const desk = await service('order.complete', reset)
    const lost = await desk.run(...complete)
    mustBeUnknown(lost)
    const resume = ['resume', String(lost.error.journalId), '--yes']
    desk.shown = orderIn('PROCESSING')
    await desk.run(...resume)
    desk.shown = orderIn(then)
    desk.skip(20 * 60_000)
    expect(await desk.run(...resume)).toMatchObject({ code, error: { moneyMoved } })
  },
)

test.each([
  ['refund', 'order.refund', ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes'], charge, 6006],
  ['completion', 'order.complete', complete, charge, 6016],
  ['finalization', 'wallet.finalize', finalize, createWallet, 6016],
] as const)('%s (%s) refused beside a read that does not know an order of this journal: in doubt', async (...row) => {
  const [, operation, argv, creation, code] = row
  const desk = await memoryDesk(({ name }): Said => {
    if (name === operation) return { code, group: 2 }
    if (name.endsWith('.create')) return orderIn(name === 'wallet.create' ? 'REGISTERED' : 'SUCCESS')
    return { code: operation === 'wallet.finalize' ? 6045 : 6005, group: 5 }
  })
  await isDone(desk, creation)
  for (const _ of [1, 2]) mustBeUndecided(await desk.run(...argv))
  // A finalization may be asked for once more: the service says that it has it.
  expect(desk.count(operation)).toBeLessThanOrEqual(operation === 'wallet.finalize' ? 2 : 1)
})

const otherCard = cardToken.replace('4', '5')
test.each([['cardToken', { cardToken: otherCard }]])(
  'charge answered with another card in %s: unknown (9), whatever is read, and the card is not shown',
  async (_where, more) => {
    const desk = await memoryDesk(({ name }) => orderIn('SUCCESS', name === 'order.create' ? more : {}))
    for (const ended of [await desk.run(...charge), await desk.run(...charge)]) {
      mustBeUnknown(ended)
      expect(ended.error.message).toContain('another card')
      expect(ended.stdout + ended.stderr).not.toContain(otherCard)
    }
    expect(desk.count('order.create')).toBe(1)
  },
)

const byOrder = [
  ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--card-from-order', foreignOrder],
  ...['--key', 'k-1', '--yes'],
]
const card: Said = { value: { token: '454d428e-4419-4cee-aa68-eae36cc82c81', integratorOrderId: foreignOrder } }

test('charge lost, asked for again while neither the card nor the order can be read: unknown (9), then SUCCESS is read (0)', async () => {
  const state: Record<'card' | 'order', Said> = { card, order: reset }
  const desk = await memoryDesk(({ name, request }): Said => {
    if (name === 'card.get') return state.card
    if (name === 'order.create' || 'plain' in state.order) return reset
    return { value: { integratorOrderId: request.integratorOrderId, status: 'SUCCESS' } }
  })
  mustBeUnknown(await desk.run(...byOrder))
  state.card = reset
  const again = await desk.run(...byOrder)
  mustBeUnknown(again)
  expect(again.error.operation).toBe('order.create')
  state.order = orderIn('SUCCESS')
  await isDone(desk, byOrder)
})

test('order create, the real command, --card-token-file with a token in the place of a file: usage (2), the token is not shown', async () => {
  const token = '454d428e-4419-4cee-aa68-eae36cc82c81'
  const desk = await handDesk(() => reset)
  const line = [
    ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder, '--card-token-file', token],
    ...['--yes'],
  ]
  const ended = await desk.run(...line)
  expect(ended.code).toBe(2)
  expect(ended.stderr + ended.stdout).not.toContain(token)
})
