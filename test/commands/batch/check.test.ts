import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { painFile } from '../../kit/batch.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'

const header = 'amount,currency,description,toIban,employee\n'
const row = (amount: string, key: string) => `${amount},GEL,"Salary, November",GE29NB0000000101904917,${key}\n`

function saved(name: string, content: string | Uint8Array): string {
  const path = join(temporaryDirectory('check'), name)
  writeFileSync(path, content)
  return path
}

const check = (path: string, ...more: string[]) => paydesk(['batch', 'check', path, ...more], { home: newHome() })
const byEmployee = ['--key-column', 'employee']

test('batch check: a file without mistakes is counted and added up exactly (0)', async () => {
  const path = saved('payroll.csv', header + row('12.50', 'a') + row('0.1', 'b') + row('0.2', 'c'))
  const { code, stdout, json } = await check(path, ...byEmployee, '--json')
  expect(code).toBe(0)
  expect(stdout).toContain('"totals":{"GEL":12.80}')
  expect(json).toMatchObject({
    format: 'csv',
    encoding: 'UTF-8',
    delimiter: 'comma',
    rows: 3,
    refused: 0,
    complaints: [],
  })
  const table = (await check(path, ...byEmployee)).stdout
  expect(table).toMatch(/^rows +3$/m)
  expect(table).toMatch(/^total +GEL 12.80$/m)
  expect(table).not.toContain('complaints')
})

test('batch check: mistakes are listed on stdout as JSON and as a table, and the exit code is 2', async () => {
  const path = saved('payroll.csv', header + row('12,50', 'a') + row('1.5', 'b') + row('0.505', 'b'))
  const ended = await check(path, ...byEmployee, '--json')
  expect(ended.code).toBe(2)
  expect(ended.json).toMatchObject({
    rows: 3,
    refused: 2,
    complaints: [
      { row: 2, column: null, header: null, message: 'has 6 cells, and the header has 5' },
      { row: 4, column: 1, header: 'amount', message: 'has more than 2 decimals' },
      { row: 4, column: 5, header: 'employee' },
    ],
    moreComplaints: 0,
  })
  expect(ended.error).toMatchObject({ exit: 2, moneyMoved: 'no', message: `${path} has 3 complaints, in 2 of 3 rows` })
  const people = await check(path, ...byEmployee)
  expect(people.code).toBe(2)
  expect(people.stdout).toMatch(/^rows with mistakes +2$/m)
  expect(people.stdout).toMatch(/^total \(rows with a readable amount\) +[A-Z]{3} [\d.]+$/m)
  expect(people.stdout).toContain(`${path}, row 4 (amount) has more than 2 decimals`)
  expect(people.stderr).toContain('has 3 complaints')
})

test('batch check: of 1500 mistakes the first 1000 are listed and the rest is counted', async () => {
  const path = saved('payroll.csv', header + 'x\n'.repeat(1500))
  const { code, json, stdout } = await check(path, '--json', ...byEmployee)
  expect(code).toBe(2)
  expect(json).toMatchObject({ rows: 1500, moreComplaints: 500 })
  expect(json.complaints).toHaveLength(1000)
  expect(stdout.length).toBeLessThan(200_000)
  expect((await check(path, ...byEmployee)).stdout).toContain('… and 500 more')
})

test('batch check: a binary file is refused as not readable, and a byte that is not UTF-8 is named', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const random = Buffer.from('c3281f9d02e17f00', 'hex')
  for (const bytes of [png, random, Buffer.concat([png, Buffer.alloc(5000, 0xfe)])]) {
    const path = saved('picture.csv', bytes)
    expect((await check(path)).stderr.split('\n')[0]).toBe(
      `wrong input: ${path} is neither text nor a workbook: CSV, NDJSON, XLSX and pain.001 can be read`,
    )
  }
  const latin = saved('latin.csv', Buffer.from(header + row('1', 'Müller'), 'latin1'))
  expect((await check(latin, ...byEmployee)).stderr).toContain('holds the byte FC, which is not UTF-8')
})

test('batch check: an old Excel workbook is refused (2) with the advice to save it as .xlsx or CSV', async () => {
  const path = saved('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  const { code, stderr } = await check(path)
  expect([code, stderr.split('\n')[0]]).toEqual([
    2,
    `wrong input: ${path} is a workbook of an old Excel (.xls), or one with a password: save it as .xlsx or CSV`,
  ])
})

test('batch check: a missing file, an empty file and a file without rows are refused', async () => {
  expect(await check('/nowhere/a.csv')).toMatchObject({ code: 2, stdout: '' })
  expect((await check(saved('empty.csv', ''))).stderr).toContain('is empty')
  expect((await check(saved('none.csv', header), ...byEmployee)).stderr).toContain('has no rows')
})

test('batch check: - reads stdin, and --format names the format that cannot be recognised', async () => {
  const stdin = `\n${header}${row('1', 'a')}`
  const piped = (format: string[], text: string) =>
    paydesk(['batch', 'check', '-', ...byEmployee, ...format], { home: newHome(), stdin: text })
  expect((await piped([], header + row('1', 'a'))).code).toBe(0)
  expect((await piped(['--format', 'csv'], stdin)).stdout).toMatch(/^rows +1$/m)
  expect((await piped(['--format', 'pain.001'], stdin)).stderr).toContain('leave --key-column out')
})

test('batch check: a pain.001 file needs no flag, and --map gives foreign column names their field', async () => {
  expect((await check(saved('pain.xml', painFile()))).stdout).toMatch(/^total +GEL 12.50$/m)
  const map = saved('map.yaml', 'columns: {Betrag: amount}\nignore: [employee]\n')
  const path = saved('german.csv', (header + row('1', 'a')).replace('amount', 'Betrag'))
  expect((await check(path, '--map', map)).code).toBe(0)
  expect((await check(path, '--map', '/nowhere')).code).toBe(2)
})

test('batch check: a mistyped field in a header, a map or a line is told with the closest field name', async () => {
  const header = (await check(saved('header.csv', 'amout,toIban\n1,a\n'))).stdout
  expect(header).toContain(
    '(amout) is not a field of a payout: --map can give it a field, or ignore it; did you mean amount?',
  )
  const map = saved('typo.yaml', 'columns: {Betrag: amout}\nconstants: {curency: GEL}\n')
  const mapped = (await check(saved('mapped.csv', 'Betrag,toIban\n1,a\n'), '--map', map)).stdout
  expect(mapped).toContain('is mapped to "amout", which is not a field of a payout; did you mean amount?')
  expect(mapped).toContain('(a constant of --map); did you mean currency?')
  const keys = saved('keys.yaml', 'colums: {Betrag: amount}\n')
  const { stderr } = await check(saved('keys.csv', 'Betrag\n1\n'), '--map', keys)
  expect(stderr).toContain('there is no colums in a map; did you mean columns?')
  expect((await check(saved('line.ndjson', '{"amout":"5"}\n'))).stdout).toContain('did you mean amount?')
})
