/** The files that docs/batches.md shows are files that paydesk reads. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readColumnMap } from '../../src/lib/batch/read/column-map.ts'
import { fileFormats } from '../../src/lib/batch/read/row.ts'
import { readWhole } from '../kit/batch/read.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/batches.md'), 'utf8')

function block(language: string): string {
  const [, text] = page.split(`\n\`\`\`${language}\n`)
  expect(text, language).toBeDefined()
  return text?.split('\n```')[0] ?? ''
}

test.each([
  ['csv', 2],
  ['ndjson', 1],
  ['xml', 1],
])('the file in %s passes', async (language, count) => {
  const { rows, complaints } = await readWhole(block(language))
  expect([rows.length, complaints]).toEqual([count, []])
  expect(rows.every(({ key }) => key !== null)).toBe(true)
})

test('the map fits its file', async () => {
  const path = join(temporaryDirectory('map'), 'map.yaml')
  writeFileSync(path, block('yaml'))
  const { rows, complaints } = await readWhole(block('csv mapped'), { map: await readColumnMap(path) })
  expect(complaints).toEqual([])
  expect(rows[0]?.request).toMatchObject({ beneficiaryName: 'Nino Beridze', description: 'Salary, November' })
})

test('the complaint that it shows is one', async () => {
  const [header = '', first = ''] = block('csv').split('\n')
  const { complaints } = await readWhole(`${header}\n${first.replace('1250.00', '"1,250"')}\n`)
  const [shown = ''] = /\(amount\).*/.exec(page) ?? []
  expect(complaints).toEqual([`file:2:2 ${shown}`])
})

test('every format is named', () => {
  for (const format of fileFormats) expect(page).toContain(`| \`${format}\` |`)
})
