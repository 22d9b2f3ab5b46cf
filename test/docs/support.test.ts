/** Every command line of the page for support staff is typed, and ends as the page says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { shellLines, typeIn } from '../kit/docs/command-lines.ts'
import { root } from '../kit/docs/page.ts'
import { create } from '../kit/payment.ts'
import { paydesk } from '../kit/program/paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

const lines = shellLines(readFileSync(join(root, 'docs/support.md'), 'utf8'))
const [home, folder] = [temporaryDirectory('support'), temporaryDirectory('support')]

beforeAll(async () => {
  const ended = await paydesk(create({ key: 'payroll-2026-11:emp-17', 'beneficiary-name': 'ნინო ბერიძე' }), { home })
  expect(ended.code, ended.stderr).toBe(0)
})

test('there are lines', () => {
  expect(lines.length).toBeGreaterThan(10)
})

test.each(lines.map((line) => [line]))('%s', async (line) => {
  const { code, stderr } = await typeIn(folder, home, line)
  expect(code, `${line}\n${stderr}`).toBe(0)
})

test('what was listed is what was paid', async () => {
  const { stdout } = await typeIn(folder, home, 'paydesk payout list --today | cut -f4,7')
  expect(stdout).toBe('ნინო ბერიძე\t12.50\n')
})
