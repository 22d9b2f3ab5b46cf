import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { unpacked } from '../../../../../src/lib/batch/read/xlsx/zip.ts'
import { readWhole } from '../../../../kit/batch/read.ts'
import { dateStyles, textRow, workbook } from '../../../../kit/batch/workbook.ts'

const headers = ['amount', 'currency', 'description', 'toIban', 'birthDate', 'beneficiaryIdentityNumber']
const header = textRow(1, headers)
const iban = 'GE29NB0000000101904917'
const good = textRow(2, ['12.50', 'GEL', 'Salary', iban, '29.02.1988', '01001000001'])

/** The second row with one cell of its own, the others as they should be. */
function withCell(at: number, cell: string): string {
  const cells = ['12.50', 'GEL', 'Salary', iban, '29.02.1988', '01001000001'].map((text, place) =>
    place === at ? cell : `<c t="inlineStr"><is><t>${text}</t></is></c>`,
  )
  return `<row r="2">${cells.join('')}</row>`
}

const read = (inside: string, more = {}) => readWhole(workbook({ sheets: { Payroll: header + inside } }), more)

test('texts, shared texts, rich texts and numbers are read digit for digit', async () => {
  const texts = [
    '<t>Salary, </t>',
    '<r><t>Nov</t></r><r><t xml:space="preserve">ember </t></r><rPh><t>x</t></rPh>',
    '<t>_x0041_</t>',
  ]
  const row = (text: number, amount: string) =>
    `<row r="${text + 2}"><c r="A${text + 2}"><v>${amount}</v></c><c r="B${text + 2}" t="inlineStr"><is><t>GEL</t></is></c>` +
    `<c r="C${text + 2}" t="s"><v>${text}</v></c><c r="D${text + 2}" t="str"><f>A1</f><v>${iban}</v></c></row>`
  const sheet = header + row(0, '12.5') + row(1, '1250') + row(2, '0.1')
  const { file, rows, complaints } = await readWhole(workbook({ sheets: { Payroll: sheet }, texts }))
  expect(complaints).toEqual([])
  expect(file).toMatchObject({ format: 'xlsx', headers })
  expect(rows.map(({ number, request }) => [number, request.amount, request.description, request.toIban])).toEqual([
    [2, '12.5', 'Salary, ', iban],
    [3, '1250', 'November ', iban],
    [4, '0.1', 'A', iban],
  ])
  expect(rows[0]?.source).toEqual(['12.5', 'GEL', 'Salary, ', iban, '', ''])
})

describe('the damage that spreadsheets do is named, and its row refused', () => {
  test.each([
    [
      'a sum out of floating point',
      0,
      '<c><v>0.30000000000000004</v></c>',
      '(amount) 0.30000000000000004 was reckoned with',
    ],
    ['a short form', 0, '<c><v>1.23E+12</v></c>', '(amount) 1.23E+12 is the short form of a long number'],
    ['an error', 0, '<c t="e"><f>A9</f><v>#REF!</v></c>', '(amount) #REF! is an error of the spreadsheet'],
    ['a formula without a value', 5, '<c><f>A9</f></c>', '(beneficiaryIdentityNumber) has a formula without a value'],
    [
      'a number for a date',
      4,
      `<c s="${dateStyles.known}"><v>45992</v></c>`,
      '(birthDate) 45992 is a date as a spreadsheet counts',
    ],
    ['a number in a format of dates', 4, `<c s="${dateStyles.own}"><v>32202</v></c>`, '(birthDate) 32202 is a date as'],
    ['a lost zero', 5, '<c><v>1001000001</v></c>', '(beneficiaryIdentityNumber) 1001000001 has 10 digits'],
    ['a sum with separators', 0, '<c t="inlineStr"><is><t>1,250.00</t></is></c>', '(amount) 1,250.00 has separators'],
    [
      'a sum with two meanings',
      0,
      '<c t="inlineStr"><is><t>1.250</t></is></c>',
      '(amount) 1.250 can mean 1250 and 1.250',
    ],
    ['a number with a third decimal', 0, '<c><v>1.255</v></c>', '(amount) has more than 2 decimals'],
    ['true', 2, '<c t="b"><v>1</v></c>', '(description) is true or false'],
    [
      'a column too narrow',
      2,
      '<c t="inlineStr"><is><t>####</t></is></c>',
      '(description) was saved from a column that was too narrow',
    ],
  ])('%s', async (_what, at, cell, words) => {
    const { rows, complaints } = await read(withCell(at, cell))
    expect([rows.length, complaints.length]).toEqual([0, 1])
    expect(complaints[0]).toContain(`file:2:${at + 1} ${words}`)
  })

  test('in the key, too', async () => {
    const { complaints } = await read(withCell(5, '<c><v>1.23E+12</v></c>'), { keyColumn: headers[5] ?? '' })
    expect(complaints[0]).toContain('(beneficiaryIdentityNumber) 1.23E+12 is the short form')
  })

  test('a hidden row', async () => {
    const { rows, complaints } = await read(good.replace('<row', '<row hidden="1"'))
    expect([rows.length, complaints]).toEqual([0, ['file:2 is hidden in the sheet: show it, or delete it']])
  })
})

test('rows are counted as the spreadsheet shows them, blank ones too', async () => {
  const { rows } = await read(good + good.replace('r="2"', 'r="7"'))
  expect(rows.map(({ number }) => number)).toEqual([2, 7])
  const late = await readWhole(workbook({ sheets: { Payroll: header.replace('r="1"', 'r="3"') } }))
  expect(late.complaints).toEqual(['file:1 is blank: it must be the header, the names of the fields'])
})

test('hidden and empty sheets are passed over; two with rows are one too many', async () => {
  const sheets = { Empty: '', Payroll: header + good, Old: header + good }
  expect((await readWhole(workbook({ sheets, hidden: ['Old'] }))).rows).toHaveLength(1)
  expect((await readWhole(workbook({ sheets }))).complaints).toEqual([
    'file has 2 sheets with something in them ("Payroll", "Old"): save one of them by itself',
  ])
  expect((await readWhole(workbook({ sheets: { Empty: '' } }))).complaints).toEqual(['file has no rows'])
})

describe('a file that is made to do harm ends at once, in one sentence', () => {
  test('a decompression bomb', async () => {
    const bomb = workbook({ sheets: { Payroll: header + good + ' '.repeat(50_000_000) } })
    expect(bomb.length).toBeLessThan(100_000)
    const { complaints } = await readWhole(bomb)
    expect(complaints).toEqual(['file has a text or a tag that is longer than 1 MiB'])
  })

  test.each([
    ['rows', '<row><c><v>1</v></c></row>', 60_000],
    ['blank rows', '<row/>', 300_000],
  ])('a decompression bomb of small %s', async (_what, row, times) => {
    const { complaints } = await readWhole(workbook({ sheets: { Payroll: row.repeat(times) } }))
    expect(complaints.at(-1)).toContain('has more than 50,000 rows')
  })

  test('an archive that unpacks to more than 100 MB, whatever it holds', () => {
    const archive = Buffer.from(zipSync({ a: new Uint8Array(101_000_000) }, { level: 1 }))
    const sink = { take: () => undefined, end: () => undefined }
    expect(() => [...unpacked(archive, () => sink)]).toThrow('unpacks to more than 100 MB: save it as CSV')
  })

  test.each([
    [
      'another archive',
      zipSync({ 'a.txt': strToU8('x') }),
      'file is a ZIP archive, and no workbook of Excel (.xlsx) that is whole',
    ],
    ['one that is cut off', workbook({ sheets: { Payroll: header + good } }).subarray(0, 900), /^file (is a|lacks)/],
    [
      'a workbook with a DOCTYPE',
      workbook({ sheets: { Payroll: '<!DOCTYPE x>' } }),
      /^file is no well-formed XML|DOCTYPE/,
    ],
    [
      'a text at no place',
      workbook({ sheets: { Payroll: header + withCell(2, '<c t="s"><v/></c>') }, texts: ['<t>of another row</t>'] }),
      /cell whose text is missing/,
    ],
    ['rows out of order', workbook({ sheets: { Payroll: header + header } }), 'file has rows out of order'],
    [
      'a text that is missing',
      workbook({ sheets: { Payroll: '<row><c t="s"><v>7</v></c></row>' } }),
      /cell whose text is missing/,
    ],
    [
      'too large a file',
      Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(21_000_000)]),
      'file is larger than 20 MB: save it as CSV',
    ],
  ] as const)('%s', async (_what, bytes, words) => {
    const { complaints } = await readWhole(bytes)
    expect(complaints).toHaveLength(1)
    if (typeof words === 'string') expect(complaints[0]).toBe(words)
    else expect(complaints[0]).toMatch(words)
  })
})
