import { expect, test } from 'vitest'
import { inLanes, Lanes } from '../../../../src/lib/batch/run/lanes.ts'
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
