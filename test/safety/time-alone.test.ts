/**
 * An end that comes by time alone is shown by a copy of the service, too, that has not heard of the write: it denies nothing before
 * a quarter of an hour is over. Nothing is sent once more meanwhile.
 */
import { describe, expect, test } from 'vitest'
import { handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { createWallet, finalizeWallet } from '../kit/service/hand-lines.ts'

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
