import { expect, test } from 'vitest'
import { Rounds } from '../../../../src/lib/batch/run/rounds.ts'

test('each piece has a round of the event loop of its own, first come, first served', async () => {
  const rounds = new Rounds()
  const order: string[] = []
  const piece = (name: string) => rounds.next().then(() => order.push(name))
  const pieces = ['first', 'second', 'third'].map(piece)
  // What comes from outside is seen to between two rounds.
  const outside = () => new Promise<void>((resolve) => setImmediate(() => resolve(void order.push('outside'))))
  await outside()
  await outside()
  await Promise.all(pieces)
  expect(order).toEqual(['first', 'outside', 'second', 'outside', 'third'])
})

test('those that come behind the last of a row of pieces have their round, too', async () => {
  const rounds = new Rounds()
  await rounds.next()
  let isDone = false
  void rounds.next().then(() => {
    isDone = true
  })
  expect(isDone).toBe(false)
  await rounds.next()
  expect(isDone).toBe(true)
})

test('what comes soon waits for none of them', async () => {
  const rounds = new Rounds()
  const order: string[] = []
  const pieces = ['first', 'second', 'third'].map((name) => rounds.next().then(() => order.push(name)))
  await rounds.soon()
  order.push('soon')
  await Promise.all(pieces)
  expect(order).toEqual(['first', 'soon', 'second', 'third'])
})
