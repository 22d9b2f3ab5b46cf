/** The page about statements of a bank: its tutorial, typed word for word. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { csvFields } from '../../src/lib/reconcile/csv.ts'
import { linesBelow, shellLines } from './typed/command-lines.ts'
import { root } from './typed/page.ts'
import { Stage } from './typed/stage.ts'

// Lines are given to bash with the built program, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const page = readFileSync(join(root, 'docs/reconciliation.md'), 'utf8')

test('the tutorial on the sandbox has five lines, and every line of the page does what it says', async () => {
  expect(linesBelow(page).get('Try it on the sandbox')).toHaveLength(5)
  // The codes that the remarks behind the lines name.
  const codes = [...page.matchAll(/^paydesk [^#\n]*(?:# (\d+)\b.*)?$/gm)].map(([, code = '0']) => Number(code))
  const lines = shellLines(page)
  expect(codes).toHaveLength(lines.length)
  const stage = new Stage()
  try {
    for (const [at, line] of lines.entries()) {
      const { code, stdout, stderr } = await stage.type(line)
      expect(code, `${line}\n${stdout}${stderr}`).toBe(codes[at])
      if (line === 'paydesk journal reconcile statement.xml --apply') {
        expect(stdout).toContain('2 of 2 matched')
        expect(stdout).toMatch(/resolved in the journal\s+1/)
      }
    }
    expect((await stage.type('paydesk journal show emp-17')).stdout).toContain('accepted')
    expect(existsSync(join(stage.folder, 'damaged.html'))).toBe(true)
  } finally {
    await stage.clear()
  }
})

test('the page names every column of a CSV', () => {
  const [, section = ''] = page.split('## Read a CSV of your bank')
  const [head = ''] = section.split('```')
  expect(Object.keys(csvFields).filter((name) => !head.includes(`\`${name}\``))).toEqual([])
})
