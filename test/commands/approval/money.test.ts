/** What failing approval commands say about money: none of them denies that a plan was paid. */
import { expect, test } from 'vitest'
import { employees, plannedSandboxPayroll } from '../../kit/batch.ts'
import { paydesk } from '../../kit/program.ts'
import { as, asked, people } from '../../kit/team.ts'

async function planned() {
  const payroll = await plannedSandboxPayroll(employees(2))
  const { planId } = payroll
  const around = { home: payroll.home }
  const { anna, nino } = await people(around)
  const says = async (...argv: readonly string[]) => {
    const { code, error } = await paydesk(['approval', ...argv, '--json'], around)
    return [code, error.moneyMoved]
  }
  const words = { request: ['request', planId, ...as(anna)], approve: (id: string) => ['approve', id, ...as(nino)] }
  return { payroll, planId, around, anna, says, ...words }
}

test('approval commands: a failure about the approval of a paid plan says moneyMoved yes', async () => {
  const { payroll, planId, around, anna, says, request, approve } = await planned()
  expect((await payroll.run(['batch', 'run', planId, '--yes'])).code).toBe(0)
  expect(await says(...request, '--valid-for', '999h')).toEqual([2, 'yes'])
  const id = await asked(planId, anna, around)
  expect(await says(...request)).toEqual([7, 'yes'])
  expect(await says(...approve(id), '--confirm', 'GEL 1')).toEqual([3, 'yes'])
  expect(await says('show', id, '--bogus')).toEqual([2, 'yes'])
  expect(await says('reject', id, ...as(anna))).toEqual([4, 'yes'])
  expect((await payroll.run(['batch', 'discard', planId])).code).toBe(0)
  expect(await says(...request)).toEqual([12, 'yes'])
  // As the run of it.
  expect((await payroll.run(['batch', 'run', planId, '--bogus'])).error).toMatchObject({ moneyMoved: 'yes' })
})

test('approval commands: a failure about the approval of an unsent plan, or of an unknown one, says moneyMoved no', async () => {
  const { planId, around, anna, says, request, approve } = await planned()
  const id = await asked(planId, anna, around)
  expect(await says(...request)).toEqual([7, 'no'])
  expect(await says(...approve(id), '--confirm', 'GEL 1')).toEqual([3, 'no'])
  expect(await says('show', 'a-000000000000')).toEqual([6, 'no'])
})
