/** The pages of docs/reference, and those for `man`: as the program is now, and without a complaint of those who draw them. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manPages } from '../../scripts/manuals/man.mts'
import { manualsOf } from '../../scripts/manuals/manuals.mts'
import { markdownPages } from '../../scripts/manuals/markdown.mts'
import { referencePages } from '../../scripts/manuals/references.mts'
import { roff, roffProse } from '../../scripts/manuals/roff.mts'
import { variableRows } from '../../src/lib/cli/help/pages.ts'
import { isMissingProgram } from '../kit/process.ts'
import { root } from './typed/page.ts'

const manuals = manualsOf(join(root, 'dist'))
const folder = join(root, 'docs', 'reference', 'commands')
const again = 'the commands have changed: run npm run manuals'

describe('docs/reference/commands', () => {
  const pages = markdownPages(manuals)

  test('has a page for each topic, and no other', () => {
    expect(readdirSync(folder).toSorted(), again).toEqual([...pages.keys()].toSorted())
  })

  test.each([...pages.keys()])('%s is as the help is', (file) => {
    expect(readFileSync(join(folder, file), 'utf8') === pages.get(file), again).toBe(true)
  })

  test('tells every command', () => {
    const { commands } = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8'))
    const told = [...pages.values()].flatMap((text) => [...text.matchAll(/^## ([a-z -]+)$/gm)].map(([, name]) => name))
    expect(told.toSorted()).toEqual(commands.map((id: string) => id.replaceAll(':', ' ')).toSorted())
  })
})

// Every command is loaded for its schemas.
test('docs/reference has its tables as the program is', { timeout: 60_000 }, async () => {
  for (const [file, text] of await referencePages())
    expect(readFileSync(join(folder, '..', file), 'utf8') === text, `${file}: ${again}`).toBe(true)
})

test('package.json names the pages for man', () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(man, again).toEqual([...manPages(manuals, '').keys()].map((file) => `dist/man/${file}`))
})

test('every variable of its own that the program reads is told', () => {
  const names = variableRows.map(([name]) => name)
  const sources = execFileSync('grep', ['-rhoE', '\\bPAYDESK_[A-Z_]+', 'src'], { cwd: root, encoding: 'utf8' })
  const read = new Set(sources.trim().split('\n'))
  expect(read.size).toBeGreaterThan(5)
  for (const name of read) expect(names).toContain(name)
})

describe('pages for man', () => {
  const pages = readdirSync(join(root, 'dist', 'man')).map((file) => join(root, 'dist', 'man', file))
  const drawn = ['-man', '-Tutf8', '-ww']

  test.skipIf(isMissingProgram('groff', ['-v'], 'that groff draws the manuals without a warning'))('groff', () => {
    for (const page of pages) {
      const { status, stderr } = spawnSync('groff', [...drawn, '-z', page], { encoding: 'utf8' })
      expect([status, stderr], page).toEqual([0, ''])
    }
  })

  test.skipIf(isMissingProgram('groff', ['-v'], 'that groff shows command lines as they are typed'))(
    'can be copied',
    () => {
      const shown = execFileSync('groff', [...drawn, '-P-cbou', join(root, 'dist', 'man', 'paydesk-envelope.1')], {
        encoding: 'utf8',
      })
      expect(shown).toContain(
        `paydesk envelope inspect 'encryptedData=…' --json --query \\\n             'damage[].code'`,
      )
      const order = execFileSync('groff', [...drawn, '-P-cbou', join(root, 'dist', 'man', 'paydesk-sandbox.1')], {
        encoding: 'utf8',
      })
      expect(order).toContain("--query 'payouts[?executions > `1`]'")
    },
  )

  test.skipIf(isMissingProgram('sh', ['-c', 'command -v mandoc'], 'that mandoc finds no fault in the manuals'))(
    'mandoc',
    () => {
      const { status, stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', '-W', 'style', ...pages], {
        encoding: 'utf8',
      })
      expect([status, stdout, stderr]).toEqual([0, '', ''])
    },
  )
})

test('what roff would read as its own stays what it is', () => {
  expect(roff(`.x -a 'b' \`c\` ^~ "d" \\n`)).toBe('\\&.x \\-a \\(aqb\\(aq \\(gac\\(ga \\(ha\\(ti \\(dqd\\(dq \\en')
  expect(roff('ნ…')).toBe('\\[u10DC]\\[u2026]')
  expect(roffProse(`${'x'.repeat(77)} .sh`)).toEqual(['x'.repeat(77), '\\&.sh'])
  expect(roffProse('see `help flags`')).toEqual(['see \\fBhelp flags\\fR'])
})
