/** A run that slept past its lease, in a team: another machine has discarded the plan by then, or pays it. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, payroll } from '../kit/batch.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { gate } from '../kit/tools.ts'

const server = postgresServer()
const rows = 40

/** A run that sleeps for 75 seconds while its first rows are at the service, one for each lane; `meanwhile` is SQL of another machine. */
async function overslept(meanwhile: string, lanes: number) {
  const address = await server.newAddress()
  const clock = hurriedClock()
  let creates = 0
  const { opened: asleep, open: wake } = gate()
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    creates += 1
    if (creates === lanes) {
      await server.run(address, meanwhile)
      clock.skip(75_000)
      wake()
    }
    await asleep
    return undefined
  })
  const around = { home: newHome(), env: { PAYDESK_STORE: address }, clock, random: impatient }
  await addHandProfile(around.home, service.url)
  const file = join(around.home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1.25' })))
  const planned = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'hand', '--json'], around)
  expect(planned.code, planned.stderr).toBe(0)
  const { planId } = planned.json
  const line = ['--confirm', 'GEL 50.00', '--concurrency', String(lanes), '--json'] as const
  const ended = await paydesk(['batch', 'run', String(planId), ...line], around)
  return { ended, sent: creates }
}

const discarded = `update plans set holder = null, held_until = null, held_until_steady = null, discarded_at = '2026-11-20T06:31:00.000Z'`
const taken = `update plans set holder = 'office/7/7/7/other', held_until_steady = null`

test.each([1, 4])(
  'batch run --concurrency %i: the run sleeps past its lease and the plan is discarded meanwhile: nothing more is sent (12)',
  async (lanes) => {
    const { ended, sent } = await overslept(discarded, lanes)
    expect(ended, ended.stderr).toMatchObject({ code: 12, json: { accepted: lanes, unknown: 0 } })
    expect(ended.error.message).toContain('it was discarded')
    expect(sent).toBe(lanes)
  },
)

test.each([1, 4])(
  'batch run --concurrency %i: the run sleeps past its lease and another run takes the plan over: nothing more is sent (12)',
  async (lanes) => {
    const { ended, sent } = await overslept(taken, lanes)
    expect(ended, ended.stderr).toMatchObject({
      code: 12,
      json: { accepted: lanes, unknown: 0, planned: rows - lanes },
      error: { moneyMoved: 'unknown', retry: 'same-id' },
    })
    expect(String(ended.error.hints)).toContain('shows the progress of the other run')
    expect(ended.json.stopped).toContain('another run has taken over the plan')
    expect(sent).toBe(lanes)
  },
)

test('batch run: the run sleeps past its lease and nobody takes the plan over: it pays the rest (0)', async () => {
  const { ended, sent } = await overslept('select 1', 4)
  expect(ended, ended.stderr).toMatchObject({ code: 0, json: { accepted: rows } })
  expect(sent).toBe(rows)
})
