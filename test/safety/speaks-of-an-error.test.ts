/** A success that speaks of an error, in whichever member and however deep, is no definite answer to any write. */
import { describe, expect, test } from 'vitest'
import { JsonNumber } from '../../src/lib/contract/core/decimal.ts'
import { broken, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { answeredWith, paidWith, payoutDone, sealedWrites } from '../kit/service/hand-writes.ts'
import { failures, nothingFailed, placesOfErrors } from '../kit/service/spoken-errors.ts'

type Members = Readonly<Record<string, unknown>>

const number = (value: number) => new JsonNumber(String(value))
const places = Object.values(placesOfErrors)

const unclear = { code: 9, stdout: '', error: { moneyMoved: 'unknown' } }

/** A part of the failures for each write, and another one in each place: `test/lib/desk/answer` has all of them. */
const partOf = (write: number, place: number) => failures.filter((_, at) => (at + write + 3 * place) % 7 === 0)

describe.each(Object.entries(sealedWrites).map(([name, write], at) => [name, write, at] as const))(
  '%s',
  (_name, write, at) => {
    test('has no definite answer in a success that speaks of an error, wherever', async () => {
      for (const [nth, place] of places.entries()) {
        for (const failure of partOf(at, nth)) {
          const { ended } = await answeredWith(write, place(write.done, failure))
          expect(ended, JSON.stringify(failure) + ended.stdout).toMatchObject(unclear)
        }
      }
    })

    test('is done where all that it says of errors is that there is none', async () => {
      for (const none of nothingFailed) {
        const { ended } = await answeredWith(write, { ...write.done, ...none })
        // Of a revocation nothing else may be said at all.
        if (write.operation !== 'subscription.revoke') expect(ended.code, JSON.stringify(none) + ended.stderr).toBe(0)
      }
    })
  },
)

describe('a payout', () => {
  test('has no definite answer in a success that speaks of an error, wherever', async () => {
    for (const [nth, place] of places.entries()) {
      for (const failure of nth === 0 ? failures : partOf(10, nth)) {
        const { ended } = await paidWith(place(payoutDone, failure))
        expect(ended, JSON.stringify(failure) + ended.stdout).toMatchObject(unclear)
      }
    }
  })

  test('is accepted where all that it says of errors is that there is none', async () => {
    for (const none of nothingFailed) {
      const { ended } = await paidWith({ ...payoutDone, ...none })
      expect(ended.json, JSON.stringify(none) + ended.stderr).toMatchObject({ outcome: 'accepted' })
    }
  })

  test('that is taken as rejected ends so, with the reason beside it', async () => {
    const { ended } = await paidWith({ ...payoutDone, status: 'REJECTED', rejectReason: 'blocked' })
    expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no', status: 'REJECTED' } })
  })
})

test('a wallet order that is rejected is refused for the reason that stands beside it', async () => {
  const write = sealedWrites['a wallet order']
  if (!write) throw new Error('no wallet order')
  const { ended } = await answeredWith(write, { ...write.done, status: 'REJECTED', rejectReason: 'blocked' })
  expect(ended, ended.stdout).toMatchObject({ code: 5, error: { moneyMoved: 'no' } })
  expect(ended.error.message).toContain('blocked')
})

test('a status that is read beside an error is none, but the reason of a failed one contradicts nothing', async () => {
  const read = async (more: Members) => {
    const desk = await handDesk(({ name }) =>
      name === 'order.status' ? { value: { integratorOrderId: handOrder, ...more } } : broken,
    )
    return desk.run('order', 'status', handOrder)
  }
  for (const failure of failures) {
    const ended = await read({ status: 'SUCCESS', ...failure })
    expect(ended, JSON.stringify(failure) + ended.stdout).toMatchObject({ code: 9, stdout: '' })
  }
  expect((await read({ status: 'FAILED', failReason: 'no money' })).code).toBe(0)
  expect(await read({ status: 'FAILED', errorCode: number(5038) })).toMatchObject({ code: 9, stdout: '' })
})

test('a code beside an envelope that holds a success and speaks of an error, too, refuses nothing', async () => {
  const write = sealedWrites['an order']
  if (!write) throw new Error('no order')
  const desk = await handDesk(({ name }) =>
    name === write.operation
      ? {
          value: { ...write.done, error: 'late' },
          clear: { message: 'no', statusCode: number(6022), exceptionGroup: number(3) },
        }
      : broken,
  )
  expect(await desk.run(...write.argv(desk.home))).toMatchObject(unclear)
})
