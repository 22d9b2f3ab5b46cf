/** A run that has paid rows ends with no code of which the table says that no money moved, whatever stops it then. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll, payroll } from '../kit/batch/payroll.ts'
import { hurriedClock, impatient } from '../kit/program/hurried.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { addHandProfile, json, serviceByHand } from '../kit/service/service-by-hand.ts'
import { postgresServer } from '../kit/store/postgres.ts'

const server = postgresServer()

test('a newer paydesk changes the store in the middle of a run (10)', async () => {
  const address = await server.newAddress()
  let creates = 0
  const service = await serviceByHand(async ({ path }) => {
    if (path !== '/api/distributor') return undefined
    creates += 1
    if (creates === 3) await server.run(address, 'update paydesk_store set schema = schema + 1')
    return undefined
  })
  const around = { home: newHome(), env: { PAYDESK_STORE: address }, clock: hurriedClock(), random: impatient }
  await addHandProfile(around.home, service.url)
  const file = join(around.home, 'payroll.csv')
  writeFileSync(file, payroll(employees(12, { amount: '1' })))
  const planned = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'hand', '--json'], around)
  const line = ['--confirm', 'GEL 12', '--concurrency', '1', '--json']
  const ended = await paydesk(['batch', 'run', String(planned.json.planId), ...line], around)
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { accepted: 3, planned: 9 },
    error: { name: 'partial', moneyMoved: 'yes', retry: 'after-fix' },
  })
  expect(ended.error.message).toContain('was written by a newer paydesk')
  expect(String(ended.error.hints)).toContain('Update paydesk.')
})

test('the token is refused: the code says what to mend (4), and nothing of the rows before', async () => {
  const payrollOf = await handPayroll(employees(12, { amount: '1' }), ({ path }, count) =>
    path === '/api/distributor' && count > 3 ? json({ message: 'no', statusCode: 5021 }, 401) : undefined,
  )
  await payrollOf.plan()
  const line = ['--confirm', 'GEL 12', '--concurrency', '1']
  const first = await payrollOf.run(['batch', 'run', payrollOf.planId, ...line])
  expect(first, first.stderr).toMatchObject({
    code: 4,
    json: { accepted: 3, turnedAway: 1, planned: 8 },
    error: { moneyMoved: 'yes', retry: 'after-fix' },
  })
  const second = await payrollOf.run(['batch', 'resume', payrollOf.planId, ...line])
  expect(second, second.stderr).toMatchObject({ code: 4, json: { accepted: 3 }, error: { moneyMoved: 'yes' } })
})
