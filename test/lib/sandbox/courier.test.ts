import { expect, test, vi } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { courierOf, desk, read, receiver } from '../../kit/callback.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, freshDirectory, served } from '../../kit/sandbox/stand.ts'
import { until } from '../../kit/tools.ts'

// The sandbox waits ten seconds for a receiver.
vi.setConfig({ testTimeout: 60_000 })

const attemptsIn = async (at: Awaited<ReturnType<typeof desk>>, state?: string) => {
  const [callback] = await at.list()
  return callback && (state === undefined || callback.state === state) ? callback.attempts : []
}

test('it is repeated by the plan, on the sandbox’s clock, until 200 comes', async () => {
  const at = await desk()
  const answers = [500, 404, 302, 204, 200] as const
  const there = await receiver((_, count) => answers[count - 1] ?? 200)
  await at.paid({ callbackUri: there.url })
  courierOf(at.sandbox)
  for (const [index, seconds] of [5, 30, 120, 600].entries()) {
    await until('it was tried', async () => (await attemptsIn(at)).filter(({ http }) => http).length === index + 1)
    at.clock.forward(seconds * 1000 - 1)
    await at.looks()
    expect(there.arrived).toHaveLength(index + 1)
    at.clock.forward(1)
    await there.came(index + 2)
  }
  await until('it was delivered', async () => (await attemptsIn(at, 'delivered')).length === 5)
  const attempts = await attemptsIn(at)
  expect(attempts.map(({ http }) => http)).toEqual([...answers])
  expect(attempts.map(({ why }) => why)).toEqual([
    'answered 500, not 200',
    'answered 404, not 200',
    'answered 302: no redirect is followed',
    'answered 204, not 200',
    null,
  ])
  expect(attempts.map(({ at }) => at.slice(11, 19))).toEqual([
    '14:00:00',
    '14:00:05',
    '14:00:35',
    '14:02:35',
    '14:12:35',
  ])
  expect(there.arrived.every(({ path }) => path === '/')).toBe(true)
  expect(new Set(there.arrived.map(({ body }) => body)).size).toBe(1)
})

test('after the last wait it is given up, and never tried again', async () => {
  const at = await desk()
  const there = await receiver((_, count) => (count === 2 ? 'reset' : 503))
  await at.paid({ callbackUri: there.url })
  courierOf(at.sandbox)
  for (let tried = 1; tried <= 7; tried += 1) {
    await until('it was tried', async () => (await attemptsIn(at)).length === tried)
    at.clock.forward(6 * 3_600_000)
  }
  expect(await at.list()).toMatchObject([{ state: 'given-up', nextAttemptAt: null }])
  at.clock.forward(1000 * 3_600_000)
  await at.looks()
  expect(there.arrived).toHaveLength(7)
  expect((await attemptsIn(at))[1]).toMatchObject({ http: null, why: expect.stringMatching(/\S/) })
})

test('a receiver that does not answer takes ten seconds, and holds up no other order; none at all is said at once', async () => {
  const at = await desk()
  const slow = await receiver(() => 'hang')
  const quick = await receiver()
  const hangs = await at.paid({ callbackUri: slow.url })
  courierOf(at.sandbox)
  await slow.came(1)
  await at.paid({ callbackUri: quick.url })
  await quick.came(1)
  const nobody = await at.paid({ callbackUri: 'http://127.0.0.1:1/' })
  await until(
    'it was refused',
    async () => (await at.list(nobody))[0]?.attempts[0]?.why?.includes('ECONNREFUSED') === true,
  )
  await until('it took too long', async () => (await at.list(hangs))[0]?.attempts[0]?.why === 'no answer within 10 s')
  expect(slow.arrived).toHaveLength(1)
})

test('moves that are due are made without a request, and told at once', async () => {
  const at = await desk()
  const there = await receiver()
  const order = await at.us.created({ callbackUri: there.url })
  await at.sandbox.trigger({ what: 'paid', order, card: 'second-step' })
  courierOf(at.sandbox)
  await at.looks()
  expect(there.arrived).toEqual([])
  at.clock.forward(3000)
  await there.came(1)
  expect(await read(there.last, at.us)).toMatchObject({ status: 'SUCCESS' })
})

test('closing ends at once while a receiver hangs, and the next courier sends it again', async () => {
  const at = await desk()
  const there = await receiver((_, count) => (count === 1 ? 'hang' : 200))
  await at.paid({ callbackUri: there.url })
  const first = courierOf(at.sandbox)
  await there.came(1)
  // The receiver would have ten seconds.
  const began = performance.now()
  await first.close()
  expect(performance.now() - began).toBeLessThan(8000)
  expect(await at.list()).toMatchObject([{ state: 'waiting', attempts: [] }])
  courierOf(at.sandbox)
  await until('it was delivered', async () => (await attemptsIn(at, 'delivered')).length === 1)
  expect(there.arrived).toHaveLength(2)
})

test('a payment that another process made is sent by the one that runs; a world that is reset is forgotten', async () => {
  const directory = freshDirectory()
  const running = await fileSandbox(directory, realClock)
  const us = await integratorNamed(running, (await served(running)).url)
  const there = await receiver((_, count) => (count === 2 ? 'hang' : 200))
  const { attempts } = courierOf(running)
  const other = await fileSandbox(directory, realClock)
  await other.trigger({ what: 'paid', order: await us.created({ callbackUri: there.url }) })
  await there.came(1)
  await until('it was heard of', () => attempts.length === 1)
  expect(attempts).toMatchObject([{ id: '1', kind: 'payment', state: 'delivered', http: 200, why: null, nextAt: null }])
  await other.trigger({ what: 'paid', order: await us.created({ callbackUri: there.url }) })
  await there.came(2)
  await other.reset()
  expect(await running.callbacks.list()).toEqual([])
})

test('a store that cannot be read is said once, and the courier goes on', async () => {
  const at = await desk()
  const troubles: string[] = []
  await at.sandbox.close()
  const courier = at.sandbox.callbacks.courier({
    transport: async () => ({ kind: 'unsent', why: 'never' }),
    onTrouble: (why) => troubles.push(why),
  })
  await until('it was said', () => troubles.length > 0)
  await at.looks()
  expect(troubles).toHaveLength(1)
  await courier.close()
})
