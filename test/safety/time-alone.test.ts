/**
 * An end that comes by time alone is shown by a copy of the service, too, that has not heard of the write: it denies nothing before
 * a quarter of an hour is over. Nothing is sent once more meanwhile.
 */
import { describe, expect, test } from 'vitest'
import { foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'
import type { Said } from '../kit/service/sealed-by-hand.ts'

interface Case {
  readonly name: string
  readonly operation: string
  readonly before: readonly (readonly string[])[]
  readonly argv: readonly string[]
  /** The end that time alone leads to, and the status that shows the write. */
  readonly lapsed: string
  readonly done: string
}

const cases: readonly Case[] = [
  {
    name: 'a finalization, beside the end of the five minutes',
    operation: 'wallet.finalize',
    before: [createWallet],
    argv: finalizeWallet,
    lapsed: 'FAILED',
    done: 'SUCCESS',
  },
  {
    name: 'a completion, beside an amount that is blocked no more',
    operation: 'order.complete',
    before: [],
    argv: ['order', 'complete', handOrder, '--amount', '5', '--yes'],
    lapsed: 'EXPIRED',
    done: 'SUCCESS',
  },
  {
    name: 'a cancellation, beside an order that expired',
    operation: 'order.cancel',
    before: [],
    argv: ['order', 'cancel', handOrder, '--yes'],
    lapsed: 'EXPIRED',
    done: 'CANCELED',
  },
]

async function afterLost({ operation, before, argv, lapsed }: Case) {
  let status = lapsed
  const ids = { uniqueId: handOrder, integratorOrderId: handOrder }
  const desk = await handDesk(({ name }) => {
    if (name === operation) return { plain: 'reset' }
    if (name === 'wallet.create') return { value: { uniqueId: handOrder, status: 'REGISTERED', amount: 25 } }
    return { value: { ...ids, status } }
  })
  for (const line of before) expect(await desk.run(...line)).toMatchObject({ code: 0 })
  const lost = await desk.run(...argv)
  return {
    ...desk,
    lost,
    sent: desk.count(operation),
    resume: () => desk.run('resume', String(lost.error.journalId), '--yes'),
    reads: (other: string) => {
      status = other
    },
  }
}

/** A finalization whose answer was lost; its repeats are answered by `later`, in their order, and the details read `first` until another is set. */
async function finalizedAgain(first: string, ...later: readonly Said[]) {
  let status = first
  const desk = await handDesk(({ name, count }) => {
    if (name === 'wallet.create') return { value: { uniqueId: handOrder, status: 'REGISTERED', amount: 25 } }
    if (name === 'wallet.details') return { value: { uniqueId: handOrder, status } }
    return later[Math.min(count, later.length + 1) - 2] ?? { plain: 'reset' }
  })
  expect(await desk.run(...createWallet)).toMatchObject({ code: 0 })
  const lost = await desk.run(...finalizeWallet)
  const reads = (other: string) => {
    status = other
  }
  return { ...desk, lost, reads, resume: () => desk.run('resume', String(lost.error.journalId), '--yes') }
}

test.each(['FAILED', 'REGISTERED', 'CANCELED'])(
  '"already paid" behind a lost finalization is denied by no read of %s',
  async (status) => {
    const desk = await finalizedAgain('REGISTERED', { code: 6016, group: 2 })
    expect(desk.lost, desk.lost.stderr).toMatchObject({ code: 9 })
    expect(desk.count('wallet.finalize')).toBe(2)
    desk.reads(status)
    for (const minutes of [0, 16, 60]) {
      desk.skip(minutes * 60_000)
      const ended = await desk.resume()
      expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
    }
    desk.reads('SUCCESS')
    expect((await desk.resume()).code).toBe(0)
  },
)

test('a resume of several names what was executed, too, and never says of all that no money moved', async () => {
  const statuses: Record<string, string> = { [handOrder]: 'SUCCESS', [foreignOrder]: 'EXPIRED' }
  const desk = await handDesk(({ name, request }) => {
    if (name === 'order.complete') return { plain: 'reset' }
    const id = String(request.integratorOrderId)
    return {
      value: { integratorOrderId: id, status: statuses[id] === 'SUCCESS' && !isLate ? 'INITIAL' : statuses[id] },
    }
  })
  let isLate = false
  const lost = [handOrder, foreignOrder].map((id) => desk.run('order', 'complete', id, '--amount', '5', '--yes'))
  const [executed, over] = (await Promise.all(lost)).map(({ code, error }) => [code, String(error.journalId)] as const)
  expect([executed?.[0], over?.[0]]).toEqual([9, 9])
  isLate = true
  desk.skip(16 * 60_000)
  const ended = await desk.run('resume', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'yes', retry: 'after-fix' } })
  expect(ended.error.message).toMatch(/^2 of 2 resolved; it was not executed/)
  const named = (ended.error.hints as string[]).map((hint) => hint.slice(0, hint.indexOf(':')))
  expect(named).toEqual([executed?.[1], over?.[1]])
  expect(ended.json).toMatchObject([{ journalId: executed?.[1] }])
})

test('a resume of several says of an order that nobody has paid yet no more than that it is there', async () => {
  let isLate = false
  const desk = await handDesk(({ name, request }) => {
    if (!isLate && name !== 'order.status') return { plain: 'reset' }
    const id = String(request.integratorOrderId)
    if (id === handOrder) return isLate ? { value: { integratorOrderId: id, status: 'INITIAL' } } : { plain: 'reset' }
    return { value: { integratorOrderId: id, status: isLate ? 'EXPIRED' : 'INITIAL' } }
  })
  const named = ['--receiver-id', foreignOrder, '--integrator-order-id', handOrder]
  const create = await desk.run('order', 'create', '--amount', '12.50', ...named, '--yes')
  const complete = await desk.run('order', 'complete', foreignOrder, '--amount', '5', '--yes')
  expect([create.code, complete.code]).toEqual([9, 9])
  isLate = true
  desk.skip(16 * 60_000)
  const ended = await desk.run('resume', '--yes')
  expect(ended, ended.stderr).toMatchObject({ code: 10, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toContain('the service has it (INITIAL)')
  expect(String(ended.error.hints)).not.toContain('it was executed,')
})

/** A code whose text is the name of a status. */
const coded = (statusCode: number, message: string): Said => ({
  plain: { status: 400, body: JSON.stringify({ statusCode, exceptionGroup: 1, message }) },
})

test('the text of a code is no status that agrees', async () => {
  const desk = await finalizedAgain('FAILED', coded(6110, 'ORDER_NOT_FOUND'))
  expect(desk.lost, desk.lost.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
  expect(desk.count('wallet.finalize')).toBe(2)
})

test('the text of a code is no status that refuses the body of a lost attempt', async () => {
  const desk = await finalizedAgain('REGISTERED', coded(6110, 'WRONG_AMOUNT'), { plain: { status: 429, body: '' } })
  expect(desk.lost, desk.lost.stderr).toMatchObject({ code: 9 })
  const resumed = await desk.resume()
  expect(resumed, resumed.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
})

test('a clock that is set ahead while a request is on its way keeps nothing open for longer', async () => {
  const hung = handDesk(async ({ name }) => {
    if (name !== 'order.complete') return { value: { integratorOrderId: handOrder, status: 'WAITING_FOR_CONFIRM' } }
    ;(await hung).set(48 * 60 * 60_000)
    return { plain: 'reset' }
  })
  const desk = await hung
  const lost = await desk.run('order', 'complete', handOrder, '--amount', '5', '--yes')
  desk.skip(16 * 60_000)
  const resumed = await desk.run('resume', String(lost.error.journalId), '--yes')
  expect(resumed, resumed.stderr).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
})

test('the quarter of an hour counts from when a request may have been sent, not from when it was begun', async () => {
  const hung = handDesk(async ({ name }) => {
    if (name !== 'order.complete')
      return { value: { integratorOrderId: handOrder, status: 'WAITING_FOR_CONFIRM' } }
      // The line stalls for so long.
    ;(await hung).skip(16 * 60_000)
    return { plain: 'reset' }
  })
  const desk = await hung
  const lost = await desk.run('order', 'complete', handOrder, '--amount', '5', '--yes')
  const resume = () => desk.run('resume', String(lost.error.journalId), '--yes')
  expect(await resume()).toMatchObject({ code: 9 })
  desk.skip(16 * 60_000)
  expect(await resume()).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
})

describe.each(cases)('$name', (write) => {
  test('is unknown at first, and not executed a quarter of an hour later', async () => {
    const desk = await afterLost(write)
    const { lost, sent } = desk
    expect(lost, lost.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown' } })
    desk.skip(10 * 60_000)
    const early = await desk.resume()
    expect(early, early.stderr).toMatchObject({ code: 9 })
    desk.skip(6 * 60_000)
    const late = await desk.resume()
    expect(late, late.stderr).toMatchObject({ code: 5, error: { status: write.lapsed, moneyMoved: 'no' } })
    expect(desk.count(write.operation)).toBe(sent)
  })

  test('is done as soon as a read shows that', async () => {
    const desk = await afterLost(write)
    desk.reads(write.done)
    const { code, stderr } = await desk.resume()
    expect(code, stderr).toBe(0)
  })
})
