/** The rate of a file that a team's workers pay: it is that of all of them together, repeats included. */
import { expect, test, vi } from 'vitest'
import { teamMachine } from '../../kit/batch/fleet.ts'
import { serviceByHand } from '../../kit/service/service-by-hand.ts'
import { postgresServer } from '../../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 180_000 })

const server = postgresServer()

test('two workers together send no more than their rate says, also behind pauses that the service asks for', async () => {
  const address = await server.newAddress()
  const arrived: number[] = []
  const service = await serviceByHand(({ path }) => {
    if (path !== '/api/distributor') return undefined
    arrived.push(performance.now())
    const isBusy = arrived.length > 5 && arrived.length <= 40
    return isBusy ? { status: 429, headers: { 'retry-after': '1' }, body: '' } : undefined
  })
  const machine = await teamMachine(address, service.url, 120)
  const planId = await machine.plan()
  const workers = [machine.work(), machine.work()]
  const ended = await machine.handOver(planId, '--rate', '10/s', '--timeout', '2m').end
  expect(ended.code, ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 120 })
  for (const { child } of workers) child.kill('SIGTERM')
  for (const { end } of workers) expect((await end).code).toBe(0)
  const inOneSecond = arrived.map((start) => arrived.filter((at) => at >= start && at < start + 1_000).length)
  // A turn may be late by a quarter of a second.
  expect(Math.max(...inOneSecond)).toBeLessThanOrEqual(18)
})
