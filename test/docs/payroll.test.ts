/** The payroll of the README, and the lines to pay it, word for word. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { root } from '../kit/docs/page.ts'
import { cleanEnv, program } from '../kit/program/built-paydesk.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The block of the README that begins like that. */
function block(head: string, first: string): string {
  const blocks = [...readme.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)]
  const found = blocks.find(([, kind = '', text = '']) => kind === head && text.startsWith(first))
  if (!found?.[2]) throw new Error(`the README has no block of ${head} that begins with ${first}`)
  return found[2]
}

test('the payroll of the README is paid by its lines', async () => {
  const folder = temporaryDirectory('payroll')
  writeFileSync(join(folder, 'payroll.csv'), block('csv payroll.csv', 'key,'))
  const lines = block('sh', 'paydesk batch check')
  const script = `set -e\npaydesk() { "${process.execPath}" "${program}" "$@"; }\n${lines}`
  const ended = await new Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>(
    (resolve) => {
      const child = execFile('bash', ['-c', script], { cwd: folder, env: cleanEnv(folder) }, (_error, stdout, stderr) =>
        resolve({ code: child.exitCode, stdout, stderr }),
      )
    },
  )
  expect(ended.code, ended.stdout + ended.stderr).toBe(0)
  expect(JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    rows: 10,
    accepted: 10,
    totals: { GEL: 8351.5, USD: 950 },
  })
})
