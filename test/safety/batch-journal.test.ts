/** A journal that breaks in the middle of a run: the run never says that nothing was sent. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, handPayroll } from '../kit/batch.ts'
import { settled } from '../kit/clock.ts'
import { gate } from '../kit/tools.ts'

test.each([1, 4])('batch run: the journal breaks meanwhile, %i rows at once: may have moved', async (concurrency) => {
  const { opened: broken, open: isBroken } = gate()
  const payroll = await handPayroll(employees(40, { amount: '1' }), async ({ path }, count) => {
    const journal = join(payroll.home, 'journal', 'journal.db')
    if (path !== '/api/distributor') return undefined
    if (count === 4) {
      // The rows behind it are opened by then: SQLite does not notice what is done to its files while it writes.
      await settled()
      for (const end of ['', '-wal', '-shm']) writeFileSync(`${journal}${end}`, 'no journal'.repeat(9000))
      isBroken()
    }
    if (count > 4 - concurrency) await broken
    return undefined
  })
  await payroll.plan()
  const ended = await payroll.batch('run', '--confirm', 'GEL 40', '--concurrency', String(concurrency))
  expect(payroll.service.creates.length).toBeGreaterThan(3)
  expect(payroll.service.creates.length).toBeLessThan(40)
  expect(ended.code, ended.stderr).not.toBe(0)
  expect(ended.error, ended.stderr).toMatchObject({ moneyMoved: 'unknown' })
  expect(ended.error.message).not.toContain('nothing was sent')
})
