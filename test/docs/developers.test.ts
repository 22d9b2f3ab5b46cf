/** Every command line of the page for developers is typed, against a sandbox that runs, and ends as the page says. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { shellLines, typeIn } from '../kit/docs/command-lines.ts'
import { root } from '../kit/docs/page.ts'
import { create } from '../kit/payment.ts'
import { isMissingProgram } from '../kit/program/missing.ts'
import { paydesk } from '../kit/program/paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { standingSandbox } from '../kit/world.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const lines = shellLines(readFileSync(join(root, 'docs/developers.md'), 'utf8'))
const [home, folder] = [temporaryDirectory('developers'), temporaryDirectory('developers')]
const noCurl = isMissingProgram('curl', ['--version'], 'that the lines for curl are answered')
const instead: Record<string, string> = { '<id>': '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11' }

beforeAll(async () => {
  instead['https://pay.example.com'] = (await standingSandbox(home, () => undefined)).url
  const { json } = await paydesk([...create(), '--json'], { home })
  instead['<journalId>'] = String(json.journalId)
})

const typed = (line: string) =>
  typeIn(
    folder,
    home,
    Object.entries(instead).reduce((text, [from, to]) => text.replaceAll(from, to), line),
  )

test('there are lines', () => {
  expect(lines.length).toBeGreaterThan(3)
})

test.each(lines.filter((line) => !(noCurl && line.includes('| curl'))))('%s', async (line) => {
  const { code, stdout, stderr } = await typed(line)
  expect(code, `${line}\n${stderr}`).toBe(0)
  expect(stdout).not.toBe('')
})

test.skipIf(noCurl)('curl is answered with the token that came by the pipe', async () => {
  const { stdout } = await typed(lines.find((line) => line.includes('| curl')) ?? '')
  expect(JSON.parse(stdout)).toMatchObject({ value: { currency: 'GEL' } })
})
