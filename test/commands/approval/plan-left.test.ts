/** A plan that was paid in part: its request and its run need the same number of approvers. */
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../../kit/batch.ts'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { paydesk, succeeds } from '../../kit/program.ts'
import { json } from '../../kit/service.ts'
import { approve, asked, did, people } from '../../kit/team.ts'

const morning = Date.parse('2026-11-20T06:00:00Z')
const hour = 3_600_000
const words = 'GEL 7800.00'

/** 12 rows of GEL 650, of which some went out, approved by one, before the balance was gone and the approval over. */
async function halfPaid() {
  let isGone = true
  let sent = 0
  const payroll = await handPayroll(
    employees(12, { amount: '650' }),
    ({ method, path }) => {
      if (method !== 'POST' || path !== '/api/distributor') return undefined
      sent += 1
      return isGone && sent > 4 ? json({ message: 'no funds', statusCode: 5038 }, 400) : undefined
    },
    'test',
    hurriedClock(morning),
  )
  const first = { home: payroll.home, clock: hurriedClock(morning), random: impatient }
  const around = { ...first, clock: hurriedClock(morning + 2 * hour) }
  const { anna, nino, giorgi } = await people(first, { from: '1000' }, { from: '8000', approvers: 2 })
  await payroll.plan()
  const { planId } = payroll
  const id = await asked(planId, anna, first, '--valid-for', '1h')
  await paydesk(approve(id, nino, words), first)
  const argv = ['batch', 'resume', planId, '--confirm', words, '--concurrency', '1']
  const stopped = await payroll.run(argv, first)
  expect(stopped.json, stopped.stderr).toMatchObject({ accepted: 4, refused: 1, planned: 7 })
  isGone = false
  const resume = () => payroll.run(argv, { ...around, env: { PAYDESK_PERSON_KEY: anna.file } })
  return { planId, around, anna, nino, giorgi, resume }
}

test('approval request: rows of a plan that were sent today are counted once, so request and run need the same approvers', async () => {
  const { planId, around, anna, nino, resume } = await halfPaid()
  const held = await resume()
  expect(held.code, held.stderr).toBe(13)
  expect(held.error.message).toContain('needs the approval of 1 other person (')
  const id = await asked(planId, anna, around)
  expect(await did(['approval', 'show', id], around)).toMatchObject({ state: 'waiting', needs: 1 })
  const said = await paydesk(approve(id, nino, words), around)
  expect(said.json, said.stderr).toMatchObject({ needs: 1 })
  const ended = await resume()
  expect(ended.json, ended.stderr).toMatchObject({ accepted: 11, refused: 1 })
})

test('approval request: other payments of the day raise the approvers needed, for the request and for the run', async () => {
  const { planId, around, anna, nino, giorgi, resume } = await halfPaid()
  await succeeds(paydesk([...create({ profile: 'hand', key: 'a', amount: '950' }), '--json'], around))
  const id = await asked(planId, anna, around)
  expect(await did(['approval', 'show', id], around)).toMatchObject({ state: 'waiting', needs: 2 })
  expect((await paydesk(approve(id, nino, words), around)).json).toMatchObject({ needs: 2 })
  const held = await resume()
  expect(held.code, held.stderr).toBe(13)
  expect(held.error.message).toContain('needs the approval of 2 other people (')
  await paydesk(approve(id, giorgi, words), around)
  expect((await resume()).json).toMatchObject({ accepted: 11 })
})
