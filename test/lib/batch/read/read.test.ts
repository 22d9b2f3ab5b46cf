import { expect, test } from 'vitest'
import { readWhole } from '../../../kit/batch.ts'

const header = 'amount,currency,description,toIban,beneficiaryName\n'
const row = '12.50,GEL,"Salary, November",GE29NB0000000101904917,Nino Beridze\n'

test('a row of CSV is a payout', async () => {
  const { file, rows, complaints } = await readWhole(header + row)
  expect(complaints).toEqual([])
  const cells = ['12.50', 'GEL', 'Salary, November', 'GE29NB0000000101904917', 'Nino Beridze']
  const [amount, currency, description, toIban, beneficiaryName] = cells
  const request = { amount, currency, description, toIban, beneficiaryName }
  expect(rows).toEqual([{ kind: 'row', number: 2, request, key: null, source: cells, payment: null }])
  expect(file).toMatchObject({ format: 'csv', encoding: 'UTF-8', delimiter: 'comma' })
  expect(file.summary()).toMatchObject({ rows: 1, refused: 0, totals: new Map([['GEL', 1250n]]) })
})

test('every complaint of a file is told in one pass, with its row, column and header', async () => {
  const { rows, complaints } = await readWhole(
    `${header}1,2\n${row}12.505,LEI,a_b,GE00NB0000000101904917,\n1.23E+12,GEL,ok,,x\n`,
  )
  expect(rows.map(({ number }) => number)).toEqual([3])
  expect(complaints).toMatchInlineSnapshot(`
    [
      "file:2 has 2 cells, and the header has 5",
      "file:4:1 (amount) 12.505 can mean 12505 and 12.505: write it without separators",
      "file:4:2 (currency) must be one of GEL, USD, EUR",
      "file:4:3 (description) "_" (U+005F) at position 2 is not allowed; allowed are letters A–Z a–z, digits, Georgian letters, blank and / \\ - ? : ( ) . , ' +",
      "file:4:4 (toIban) has wrong check digits: one of its characters is mistyped",
      "file:5:1 (amount) 1.23E+12 is the short form of a long number, whose digits are lost: format the column as text",
      "file:5:4 (toIban) or a registered receiver is required",
    ]
  `)
})

test('a row of NDJSON is a payout', async () => {
  const line = '{"amount":12.50,"currency":"GEL","description":"x","toIban":"GE29NB0000000101904917","emp":"17"}\n'
  const { file, rows, complaints } = await readWhole(`${line}\n${line.replace('"17"', '"18"')}`, { keyColumn: 'emp' })
  expect(complaints).toEqual([])
  expect(rows.map(({ number, key, request }) => [number, key, request.amount])).toEqual([
    [1, '17', '12.50'],
    [3, '18', '12.50'],
  ])
  expect(file).toMatchObject({ format: 'ndjson', delimiter: null })
})

test('a line that is no JSON is told from one that gives a member twice', async () => {
  const line = '{"amount":12.50,"currency":"GEL","description":"x","toIban":"GE29NB0000000101904917"}\n'
  const deep = `{"amount":${'['.repeat(600)}${']'.repeat(600)}}\n`
  const { complaints } = await readWhole(`${line}${line.replace('{', '{"amount":5,')}${line.slice(1)}${deep}`)
  expect(complaints).toEqual([
    'file:2 gives amount twice, with two values: remove one',
    'file:3 is not JSON',
    'file:4 has more than 32 lists and objects in each other',
  ])
})

test('a key that stands twice is a complaint', async () => {
  const twice = `emp,${header}7,${row}8,${row}7,${row}`
  const { complaints } = await readWhole(twice, { keyColumn: 'emp' })
  expect(complaints).toEqual(['file:4:1 (emp) has the same key as row 2: 7'])
})
