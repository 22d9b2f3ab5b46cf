/** The pauses between readings until a status is final. */
import { expect, test } from 'vitest'
import { neverRead, waitUntilFinal } from '../../../../src/lib/desk/line/poll.ts'
import { Failure } from '../../../../src/lib/failure.ts'
import { scripted } from '../../../kit/desk/scripted.ts'

/** The pauses between the readings, where it is paid at the reading with that number. */
async function pauses(paidAt: number, deadline = Number.POSITIVE_INFINITY): Promise<number[]> {
  const { desk, clock } = await scripted('orders')
  const slept: number[] = []
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds)
    clock.skip(milliseconds)
  }
  let read = 0
  const watched = {
    subject: { key: null, id: 'one' },
    read: async () => {
      read += 1
      return { status: read < paidAt ? 'INITIAL' : 'SUCCESS' }
    },
    end: (status: string) => (status === 'SUCCESS' ? 'paid' : null),
    ended: () => new Failure('refused', 'ended'),
    notFinal: () => new Failure('pending', 'not final'),
    neverRead: (last: Failure | null) => neverRead(last, {}),
    unreadable: (refused: Failure) => refused,
    stopped: () => new Failure('pending', 'stopped'),
  } as const
  await waitUntilFinal({ ...desk, clock: { ...clock, sleep } }, watched, clock.now() + deadline).catch(() => null)
  return slept
}

test('the pause doubles from half a second to five seconds, and grows no further', async () => {
  expect(await pauses(1)).toEqual([])
  expect(await pauses(8)).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000])
})

test('no pause is begun that does not end before the time is up', async () => {
  expect(await pauses(100, 12_000)).toEqual([500, 1000, 2000, 4000])
})
