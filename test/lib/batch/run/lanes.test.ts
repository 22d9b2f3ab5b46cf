import { expect, test } from 'vitest'
import { inLanes, Lanes } from '../../../../src/lib/batch/run/lanes.ts'
import { Rounds } from '../../../../src/lib/batch/run/rounds.ts'
import type { SendLimits, Transmission } from '../../../../src/lib/http/transport.ts'
import type { HttpRequest } from '../../../../src/lib/wire/message.ts'

const limits: SendLimits = { connectTimeout: 1, answerTimeout: 1, signal: new AbortController().signal }
const answered: Transmission = { kind: 'answered', answer: { status: 200, headers: {}, body: '' }, milliseconds: 1 }

const requestTo = (path: string): HttpRequest => ({ method: 'POST', path, query: [], headers: {}, body: null })

/** A transport whose answers the test gives. */
function waiting() {
  const left: string[] = []
  const answers = new Map<string, { give: () => void; fail: () => void }>()
  return {
    left,
    give: (path: string) => answers.get(path)?.give(),
    fail: (path: string) => answers.get(path)?.fail(),
    transport: (_: string, { path }: HttpRequest) => {
      left.push(path)
      return new Promise<Transmission>((resolve, reject) => {
        answers.set(path, { give: () => resolve(answered), fail: () => reject(new Error('defect')) })
      })
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('so many requests are on their way at once, the others in their order', async () => {
  const service = waiting()
  const send = inLanes(service.transport, new Lanes(2), async () => undefined)
  const all = ['a', 'b', 'c', 'd'].map((path) => send('', requestTo(path), limits))
  await settled()
  expect(service.left).toEqual(['a', 'b'])
  service.give('b')
  await settled()
  expect(service.left).toEqual(['a', 'b', 'c'])
  service.fail('a')
  await expect(all[0]).rejects.toThrow('defect')
  await settled()
  expect(service.left).toEqual(['a', 'b', 'c', 'd'])
  service.give('c')
  service.give('d')
  expect(await Promise.all(all.slice(1))).toEqual([answered, answered, answered])
})

test('a lane that is free is held until requests may leave', async () => {
  const service = waiting()
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const send = inLanes(service.transport, new Lanes(1), () => opened)
  const first = send('', requestTo('a'), limits)
  await settled()
  expect(service.left).toEqual([])
  open()
  await settled()
  service.give('a')
  expect(await first).toEqual(answered)
})

test('a lane goes over to the next request before the answer of the first is read', async () => {
  const service = waiting()
  const send = inLanes(service.transport, new Lanes(1, new Rounds()), async () => undefined)
  const first = send('', requestTo('a'), limits)
  const second = send('', requestTo('b'), limits)
  await settled()
  await settled()
  service.give('a')
  expect(await first).toEqual(answered)
  expect(service.left).toEqual(['a', 'b'])
  service.give('b')
  expect(await second).toEqual(answered)
})

test('an answer is read before rows that wait to be opened', async () => {
  const service = waiting()
  const rounds = new Rounds()
  const send = inLanes(service.transport, new Lanes(1, rounds), async () => undefined)
  const order: string[] = []
  const first = send('', requestTo('a'), limits).then(() => order.push('answer'))
  await settled()
  const opened = [1, 2, 3].map((row) => rounds.next().then(() => order.push(`row ${row}`)))
  service.give('a')
  await Promise.all([first, ...opened])
  expect(order).toEqual(['row 1', 'answer', 'row 2', 'row 3'])
})
