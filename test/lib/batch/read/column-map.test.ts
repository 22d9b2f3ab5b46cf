import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readColumnMap } from '../../../../src/lib/batch/read/column-map.ts'
import { readWhole } from '../../../kit/batch.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

function mapFile(text: string): string {
  const path = join(temporaryDirectory('map'), 'map.yaml')
  writeFileSync(path, text)
  return path
}

const payroll = `Betrag;IBAN;Vorname;Name;Abteilung
12.50;GE29NB0000000101904917;Nino;Beridze;HR
0.5;GE29NB0000000101904917;;Gelashvili;
`

const map = `
columns: {Betrag: amount, IBAN: to-iban}
constants: {currency: GEL, description: 'Salary, November'}
joins: {beneficiaryName: [Vorname, Name]}
ignore: [Abteilung]
`

test('a map renames columns, sets constants, joins columns and ignores the rest', async () => {
  const { file, rows, complaints } = await readWhole(payroll, { map: await readColumnMap(mapFile(map)) })
  expect(complaints).toEqual([])
  expect(file.delimiter).toBe('semicolon')
  expect(rows.map(({ request }) => request)).toEqual([
    {
      ...{ amount: '12.50', currency: 'GEL', description: 'Salary, November' },
      ...{ toIban: 'GE29NB0000000101904917', beneficiaryName: 'Nino Beridze' },
    },
    expect.objectContaining({ amount: '0.5', beneficiaryName: 'Gelashvili' }),
  ])
  expect(rows[0]?.source).toEqual(['12.50', 'GE29NB0000000101904917', 'Nino', 'Beridze', 'HR'])
})

test('lines of NDJSON take a map, too', async () => {
  const line =
    '{"Betrag": 12.50, "IBAN": "GE29NB0000000101904917", "Vorname": "Nino", "Name": "Beridze", "Abteilung": 7}'
  const { rows, complaints } = await readWhole(line, { map: await readColumnMap(mapFile(map)) })
  expect(complaints).toEqual([])
  expect(rows[0]?.request).toMatchObject({ amount: '12.50', currency: 'GEL', beneficiaryName: 'Nino Beridze' })
})

test('a map that does not fit the file is told by its columns, before any row', async () => {
  const wrong = map.replace('to-iban', 'iban').replace('GEL', 'LEI').replace('Vorname', 'Rufname')
  const { rows, complaints } = await readWhole(payroll, { map: await readColumnMap(mapFile(wrong)) })
  expect(rows).toEqual([])
  expect(complaints).toEqual([
    'file:1 (currency) must be one of GEL, USD, EUR (a constant of --map)',
    'file:1:2 (IBAN) is mapped to "iban", which is not a field of a payout',
    'file:1:3 (Vorname) is not a field of a payout: --key-column can make it the key, --map can give it a field, or ignore it',
    'file:1 (Rufname) is named by --map, but the file has no such column',
    'file:1 (toIban) or receiverId with receiverType is required, but the file has no such column',
  ])
})

test.each([
  ['columns: [a]', /is wrong: columns/],
  ['renames: {a: b}', /there is no renames in a map/],
  ['joins: {description: 7x}', /joins.description must be a list of columns/],
  ['a: b: c', /is not YAML/],
  ['columns: [a', /is not YAML: .* at line 1, column \d+$/],
  ['&a [*a, *a]', /is not YAML|is wrong/],
])('a map that says %j is refused', async (text, words) => {
  await expect(readColumnMap(mapFile(text))).rejects.toThrow(words)
})

test('an empty map is no map, and a map that is not there is told', async () => {
  expect((await readColumnMap(mapFile(''))).columns.size).toBe(0)
  await expect(readColumnMap('/nowhere/map.yaml')).rejects.toThrow('--map: /nowhere/map.yaml cannot be read')
})

const toIban = 'constants: {toIban: GE29NB0000000101904917, to-iban: GE60NB0000000123456789}'
const asField = 'is the key of the rows, but --map reads it as a field'
const ignoredAndRead = 'columns: {Betrag: amount}\nignore: [Betrag]'

test.each([
  ['constants of one field', toIban, 'to-iban', 'gives toIban, which another constant gives already'],
  ['a key that is ignored', 'ignore: [key]', 'key', 'is the key of the rows, but --map ignores it'],
  ['a key that is a field', 'columns: {key: description}', 'key', asField],
  ['a key that is joined', 'joins: {description: [key]}', 'key', asField],
  ['a column that is ignored and read', ignoredAndRead, 'Betrag', 'is both ignored and read by --map'],
])('two meanings are one too many: %s', async (_what, text, header, why) => {
  const map = await readColumnMap(mapFile(text))
  const csv = `key,Betrag,currency,beneficiaryName\ne-1,12.50,GEL,Nino\n`
  const line = '{"key":"e-1","currency":"GEL","beneficiaryName":"Nino"}'
  for (const content of [csv, line]) {
    const { rows, complaints } = await readWhole(content, { map })
    expect(rows).toEqual([])
    expect(complaints.join('\n')).toContain(`(${header}) ${why}`)
  }
})

test.each(['Key,key', 'key,--key'])('two columns of keys are one too many: %s', async (keys) => {
  const csv = `${keys},amount,currency,description,toIban\n1,e-1,12.50,GEL,Salary,GE29NB0000000101904917\n`
  const [first, second] = keys.split(',')
  const { rows, complaints } = await readWhole(csv)
  expect([rows, complaints]).toEqual([[], [`file:1 (${second}) is the key of the rows, which ${first} is already`]])
})

test('a column that --key-column names may be a field as well', async () => {
  const csv = 'Invoice,amount,currency,toIban\ni-1,12.50,GEL,GE29NB0000000101904917\n'
  const map = await readColumnMap(mapFile('columns: {Invoice: description}'))
  const { rows } = await readWhole(csv, { map, keyColumn: 'Invoice' })
  expect(rows).toMatchObject([{ key: 'i-1', request: { description: 'i-1' } }])
})
