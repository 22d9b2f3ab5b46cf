import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, test, vi } from 'vitest'
import { sumOfNumber } from '../../../../../src/lib/batch/read/xlsx/sheet.ts'
import { openArchive } from '../../../../../src/lib/batch/read/xlsx/zip.ts'
import { minorUnits } from '../../../../../src/lib/contract/core/decimal.ts'
import { readWhole } from '../../../../kit/batch.ts'
import { dateStyles, textRow, type WorkbookParts, workbook } from './workbook.ts'

// Archives of a hundred megabytes are unpacked.
vi.setConfig({ testTimeout: 60_000 })

const headers = ['amount', 'currency', 'description', 'toIban', 'birthDate', 'beneficiaryIdentityNumber']
const header = textRow(1, headers)
const iban = 'GE29NB0000000101904917'
const good = textRow(2, ['12.50', 'GEL', 'Salary', iban, '29.02.1988', '01001000001'])

const inline = (text: string, more = '') => `<c${more} t="inlineStr"><is><t>${text}</t></is></c>`
const number = (text: string, style = '') => `<c${style}><v>${text}</v></c>`

/** The second row with one cell of its own, the others as they should be. */
function withCell(at: number, cell: string): string {
  const cells = ['12.50', 'GEL', 'Salary', iban, '29.02.1988', '01001000001'].map((text, place) =>
    place === at ? cell : inline(text),
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

test.each([
  ['4.3499999999999996', '4.35'],
  ['68.900000000000006', '68.9'],
  ['1101.5999999999999', '1101.6'],
  ['1.0E7', '10000000'],
  ['1.2505e+3', '1250.5'],
  ['+7', '7'],
])('xlsx: a sum that a program wrote as %s is the double %s, in the payout and in its source', async (text, sum) => {
  const { rows, complaints } = await read(withCell(0, number(text)))
  expect(complaints).toEqual([])
  expect([rows[0]?.request.amount, rows[0]?.source[0]]).toEqual([sum, sum])
})

test('xlsx: every sum to the cent is read from any text of its double', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.integer({ min: 16, max: 17 }), (units, digits) => {
      const number = units / 100
      for (const text of [String(number), number.toPrecision(digits), number.toExponential(digits - 1)]) {
        expect(minorUnits(sumOfNumber(text))).toBe(BigInt(units))
      }
    }),
  )
})

test('xlsx: a text that is no number, or no sum, stays as the file has it', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789.eE+-, ') }), (text) => {
      const sum = sumOfNumber(text)
      expect(sum === text || Number(sum) === Number(text)).toBe(true)
    }),
  )
})

describe('xlsx: part names are read as a spreadsheet reads them', () => {
  const renamed = (name: (each: string) => string) => {
    const parts = Object.entries(unzipSync(workbook({ sheets: { Payroll: header + good } })))
    return zipSync(Object.fromEntries(parts.map(([each, bytes]) => [name(each), bytes])))
  }

  test.each([
    ['in another case than the relations', (name: string) => name.replace('sharedStrings', 'SharedStrings')],
    ['in capitals', (name: string) => name.toUpperCase()],
    ['with backslashes', (name: string) => name.replaceAll('/', '\\')],
  ])('%s', async (_what, name) => {
    const { rows, complaints } = await readWhole(renamed(name))
    expect([complaints, rows.length]).toEqual([[], 1])
  })

  test('one name in two forms is refused', async () => {
    const parts = { 'xl\\workbook.xml': 'x' }
    const { complaints } = await readWhole(workbook({ sheets: { Payroll: header + good }, parts }))
    expect(complaints.join()).toContain('two entries of one name: save it again in a spreadsheet')
  })
})

describe('the damage that spreadsheets do is named, and its row refused', () => {
  test.each([
    ['a sum out of floating point', 0, number('0.30000000000000004'), '(amount) 0.30000000000000004 was calculated'],
    ['a short form', 0, number('1.23E+12'), '(amount) 1.23E+12 is the short form of a long number'],
    ['an error', 0, '<c t="e"><f>A9</f><v>#REF!</v></c>', '(amount) #REF! is an error of the spreadsheet'],
    ['a formula without a value', 5, '<c><f>A9</f></c>', '(beneficiaryIdentityNumber) has a formula without a value'],
    ['a number for a date', 4, number('45992', ` s="${dateStyles.known}"`), '(birthDate) 45992 is a date as a'],
    ['a number in a format of dates', 4, number('32202', ` s="${dateStyles.own}"`), '(birthDate) 32202 is a date as'],
    ['a lost zero', 5, number('1001000001'), '(beneficiaryIdentityNumber) 1001000001 has 10 digits'],
    ['a sum with separators', 0, inline('1,250.00'), '(amount) 1,250.00 has separators'],
    ['a sum with two meanings', 0, inline('1.250'), '(amount) 1.250 can mean 1250 and 1.250'],
    ['a number with a third decimal', 0, number('1.255'), '(amount) has more than 2 decimals'],
    ['true', 2, '<c t="b"><v>1</v></c>', '(description) is true or false'],
    ['a column too narrow', 2, inline('####'), '(description) was saved from a column that was too narrow'],
  ])('%s', async (_what, at, cell, words) => {
    const { rows, complaints } = await read(withCell(at, cell))
    expect([rows.length, complaints.length]).toEqual([0, 1])
    expect(complaints[0]).toContain(`file:2:${at + 1} ${words}`)
  })

  test('in the key, too', async () => {
    const { complaints } = await read(withCell(5, number('1.23E+12')), { keyColumn: headers[5] ?? '' })
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
  const late = header.replace('r="1"', 'r="3"') + good.replace('r="2"', 'r="4"')
  expect((await readWhole(workbook({ sheets: { Payroll: late } }))).rows.map(({ number }) => number)).toEqual([4])
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
    const { complaints } = await readWhole(workbook({ sheets: { Payroll: header + row.repeat(times) } }))
    expect(complaints.at(-1)).toContain('has more than 50,000 rows')
  })

  test('an archive that unpacks to more than 100 MB, whatever it holds', async () => {
    const archive = Buffer.from(zipSync({ a: new Uint8Array(101_000_000) }, { level: 1 }))
    await expect(openArchive(archive)).rejects.toThrow('unpacks to more than 100 MB: save it as CSV')
  })

  const Payroll = header + good
  const noText = '<row><c t="s"><v>7</v></c></row>'
  const textAtNoPlace = { sheets: { Payroll: header + withCell(2, '<c t="s"><v/></c>') }, texts: ['<t>another</t>'] }

  test.each<[string, Uint8Array, RegExp]>([
    ['another archive', zipSync({ 'a.txt': strToU8('x') }), /is a ZIP archive, but not a complete Excel workbook/],
    ['one that is cut off', workbook({ sheets: { Payroll } }).subarray(0, 900), /^file (is a|lacks)/],
    ['a workbook with a DOCTYPE', workbook({ sheets: { Payroll: '<!DOCTYPE x>' } }), /not well-formed XML|DOCTYPE/],
    ['a text at no place', workbook(textAtNoPlace), /cell whose text is missing/],
    ['a text that is missing', workbook({ sheets: { Payroll: noText } }), /cell whose text is missing/],
    ['rows out of order', workbook({ sheets: { Payroll: header + header } }), /^file has rows out of order$/],
    [
      'too large a file',
      Buffer.from('PK\x03\x04'.padEnd(21_000_000, '\0')),
      /^file is larger than 20 MB: save it as CSV$/,
    ],
  ])('%s', async (_what, bytes, words) => {
    expect((await readWhole(bytes)).complaints).toEqual([expect.stringMatching(words)])
  })
})

/** An archive whose directory does not name one of its entries. */
function unnamed(archive: Uint8Array, name: string): Buffer {
  const bytes = Buffer.from(archive)
  const end = bytes.length - 22
  const from = bytes.readUInt32LE(end + 16)
  const at = bytes.indexOf(name, from) - 46
  const next = at + 46 + name.length + bytes.readUInt16LE(at + 30)
  const tail = Buffer.from(bytes.subarray(end))
  for (const place of [8, 10]) tail.writeUInt16LE(tail.readUInt16LE(place) - 1, place)
  tail.writeUInt32LE(tail.readUInt32LE(12) - (next - at), 12)
  return Buffer.concat([bytes.subarray(0, at), bytes.subarray(next, end), tail])
}

const other = 'GE60NB0000000123456789'
const plain = { sheets: { Payroll: header + good } }

describe('a damaged archive is refused', () => {
  const sheet = 'xl/worksheets/sheet1.xml'
  const altered = () => {
    const stored = Buffer.from(zipSync(unzipSync(workbook(plain)), { level: 0 }))
    stored[stored.indexOf('12.50')] = 0x39
    return stored
  }

  const withoutDirectory = () => {
    const bytes = Buffer.from(workbook(plain))
    return bytes.subarray(0, bytes.indexOf('PK\x01\x02'))
  }
  const withPart = (name: string, text: string) => () => workbook({ ...plain, parts: { [name]: text } })

  test.each<[string, () => Uint8Array, string]>([
    ['a sheet that the directory does not name', () => unnamed(workbook(plain), sheet), `lacks ${sheet}`],
    ['two entries of one name', withPart('xl/worksheets/Sheet1.xml', 'x'), 'two entries of one name'],
    ['a part that was altered', altered, 'is not what it was when it was packed'],
    ['no directory', withoutDirectory, 'is a damaged ZIP archive'],
    ['something behind its end', () => Buffer.concat([workbook(plain), Buffer.from('x')]), 'is a damaged ZIP archive'],
    [
      'a workbook that is not in it',
      withPart('_rels/.rels', relationTo('xl/other.xml')),
      'not a complete Excel workbook',
    ],
    ['no relation to its workbook', withPart('_rels/.rels', '<x/>'), 'not a complete Excel workbook'],
  ])('%s', async (_what, archive, words) => {
    expect((await readWhole(archive())).complaints).toEqual([expect.stringContaining(words)])
  })

  test('stored entries are read as packed ones are', async () => {
    const stored = zipSync(unzipSync(workbook(plain)), { level: 0 })
    expect((await readWhole(stored)).rows).toHaveLength(1)
    expect((await readWhole(readFileSync('docs/examples/bonuses.xlsx'))).complaints.join()).toContain('"Employee"')
  })
})

function relationTo(target: string): string {
  const [packaged, kind] = [
    'http://schemas.openxmlformats.org/package/2006/relationships',
    'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument',
  ]
  return `<Relationships xmlns="${packaged}"><Relationship Id="rId1" Type="${kind}" Target="${target}"/></Relationships>`
}

describe('what belongs to another namespace is not read', () => {
  test('an attribute', async () => {
    const cell = `<c xmlns:q="urn:q" q:t="str" t="inlineStr"><is><t>${iban}</t></is></c>`
    expect((await read(withCell(3, cell))).rows).toMatchObject([{ request: { toIban: iban } }])
  })

  test.each([
    ['in a cell', withCell(3, `<c xmlns:q="urn:q" t="inlineStr"><q:v>${other}</q:v><is><t>${iban}</t></is></c>`)],
    ['among rows', `<q:x xmlns:q="urn:q">${good}</q:x>`],
  ])('an element %s, which is refused', async (_where, inside) => {
    const { rows, complaints } = await read(inside)
    const words = expect.stringContaining('something between its cells that is no cell')
    expect([rows, complaints.join()]).toEqual([[], words])
  })

  test('rows that stand somewhere else', async () => {
    const behind = `<extLst><ext><sheetData>${good.replace('r="2"', 'r="3"')}</sheetData></ext></extLst>`
    expect((await readWhole(workbook({ ...plain, behind }))).rows).toHaveLength(1)
  })
})

describe('a cell is read only where a person sees what it holds', () => {
  const formats = [
    ...['#,##0,', '0.00%', '"12.00"', ';;;', '0', '_-* #,##0.00\\ "₾"_-;;"x"0;_-@_-', '000', '"to "@', '[>5]0.00'],
    '0\\.00',
  ]
  const styled = (code: string) => ` s="${4 + formats.indexOf(code)}"`
  const readStyled = (at: number, cell: string, more = {}) =>
    readWhole(workbook({ sheets: { Payroll: header + withCell(at, cell) }, formats }), more)

  const otherwise = 'its format shows something else or nothing'

  test.each([
    ['#,##0,', '27000', otherwise],
    ['0.00%', '0.27', otherwise],
    ['"12.00"', '2800', otherwise],
    [';;;', '2900', otherwise],
    ['[>5]0.00', '2900', otherwise],
    ['0\\.00', '2900', otherwise],
    ['0', '29.5', 'its format shows fewer decimals'],
  ])('no sum in the format %s', async (code, value, why) => {
    const { rows, complaints } = await readStyled(0, number(value, styled(code)))
    expect([rows, complaints]).toEqual([[], [`file:2:1 (amount) holds ${value}, and ${why}`]])
  })

  test('a sum with a currency and separators', async () => {
    const cell = number('1250.5', styled('_-* #,##0.00\\ "₾"_-;;"x"0;_-@_-'))
    expect((await readStyled(0, cell)).rows).toMatchObject([{ request: { amount: '1250.5' } }])
    expect((await read(withCell(0, number('1250.5', ' s="3"')))).complaints).toEqual([])
  })

  test.each([
    ['100.0', ''],
    ['1.2345678E7', ''],
    ['12.5', ''],
    ['7', styled('000')],
    ['1250', ' s="3"'],
    ['1234567890123456', ''],
  ])('no key of the number %s%s', async (value, style) => {
    const { rows, complaints } = await readStyled(2, number(value, style), { keyColumn: 'description' })
    const words = expect.stringMatching(/^file:2:3 \(description\) (holds the number|1.2345678E7 is)/)
    expect([rows, complaints.join()]).toEqual([[], words])
  })

  test.each(['', styled('0')])('a key of a plain integer%s', async (style) => {
    const { rows } = await readStyled(2, number('100', style), { keyColumn: 'description' })
    expect(rows).toMatchObject([{ key: '100', request: { description: '100' } }])
  })

  test.each([';;;', '"to "@'])('no text in the format %s', async (code) => {
    const { rows, complaints } = await readStyled(3, inline(iban, styled(code)))
    expect([rows, complaints]).toEqual([[], [expect.stringContaining('(toIban) has a format that shows its text')]])
  })

  test.each<[string, Partial<WorkbookParts>, string]>([
    ['merged cells', { behind: '<mergeCells><mergeCell ref="A2:A3"/></mergeCells>' }, 'has merged cells (A2:A3) among'],
    ['a hidden column', { before: '<cols><col min="1" max="2" hidden="1"/></cols>' }, 'column A, which is hidden'],
    ['no width', { before: '<cols><col min="4" max="4" width="0"/></cols>' }, 'column D, which is hidden'],
    ['hidden rows', { before: '<sheetFormatPr zeroHeight="1"/>' }, 'is hidden in the sheet'],
  ])('%s', async (_what, more, words) => {
    const { rows, complaints } = await readWhole(workbook({ ...plain, ...more }))
    expect([rows, complaints]).toEqual([[], [expect.stringContaining(words)]])
  })

  test('merged cells and hidden columns where nothing stands do no harm', async () => {
    const more = {
      before: '<cols><col min="9" max="99" hidden="1"/></cols>',
      behind: '<mergeCells><mergeCell ref="J2:J3"/></mergeCells>',
    }
    expect((await readWhole(workbook({ ...plain, ...more }))).complaints).toEqual([])
  })

  test.each([
    ['a row without a height', good.replace('<row', '<row ht="0"'), 'is hidden in the sheet'],
    ['a cell twice', good.replace('</row>', '<c r="A2"><v>9</v></c></row>'), 'has the cell A2 in the wrong place of'],
    ['a cell of another row', good.replace('<c ', '<c r="A9" '), 'has the cell A9 in the wrong place of row 2'],
    ['a cell with two values', withCell(0, '<c><v>1</v><v>2</v></c>'), 'has a cell with two values'],
    ['a date in words', withCell(4, '<c t="d"><v>2026-11-25</v></c>'), 'is a date as a spreadsheet'],
    ['a cell of no kind', withCell(0, '<c t="x"><v>1</v></c>'), 'has a cell of a kind that is not known'],
  ])('%s', async (_what, inside, words) => {
    const { rows, complaints } = await read(inside)
    expect([rows, complaints.join()]).toEqual([[], expect.stringContaining(words)])
  })
})

describe('xlsx: the currency that the format of a sum shows is that of the row', () => {
  const inFormat = async (code: string, currency: string, more: Partial<WorkbookParts> = {}) => {
    const cells = [number('1250.5', ' s="4"'), ...[currency, 'Salary', iban, '', ''].map((each) => inline(each))]
    const sheets = { Payroll: `${header}<row r="2">${cells.join('')}</row>` }
    return await readWhole(workbook({ sheets, formats: [code], ...more }))
  }

  test.each([
    ['[$€-2]\\ #,##0.00', 'GEL', '€ (EUR)'],
    ['#,##0.00\\ "USD"', 'GEL', 'USD'],
    ['0.00"USD"', 'GEL', 'USD'],
    ['\\U\\S\\D 0.00', 'GEL', 'USD'],
    ['_-* #,##0.00\\ "€"_-;-* #,##0.00\\ "€"_-', 'USD', '€ (EUR)'],
    ['[$$-409]#,##0.00', 'EUR', '$ (USD)'],
    ['"$"#,##0.00_-', 'GEL', '$ (USD)'],
    ['#,##0.00\\ [$₾-437]', 'EUR', '₾ (GEL)'],
    ['[$zł-415] 0.00', 'EUR', 'zł'],
    ['#,##0.00" kr"', 'EUR', 'kr'],
    ['£#,##0.00', 'EUR', '£'],
    ['[$A$-C09]0.00', 'USD', '$'],
    ['General" EUR"', 'GEL', 'EUR'],
    ['#,##0.00 "CHF"', 'EUR', 'CHF'],
  ])('%s in a row of %s is a complaint that names it', async (code, currency, shown) => {
    const { rows, complaints } = await inFormat(code, currency)
    const said = `(amount) shows ${shown} by its number format, and the row says ${currency}`
    expect([rows, complaints]).toEqual([[], [`file:2:1 ${said}`]])
  })

  test.each([
    ['[$€-2]\\ #,##0.00', 'EUR'],
    ['#,##0.00\\ "USD"', 'USD'],
    ['"US$" 0.00', 'USD'],
    ['#,##0.00\\ [$₾-437]', 'GEL'],
    ['#,##0.00 "Lari"', 'GEL'],
    ['[$-409]#,##0.00', 'GEL'],
    ['_-* #,##0.00_-;\\-* #,##0.00_-;_-* "-"??_-', 'GEL'],
    ['#,##0.00;[Red]"EUR"0.00', 'GEL'],
    ['#,##0.00 "net"', 'GEL'],
  ])('%s in a row of %s is read', async (code, currency) => {
    expect((await inFormat(code, currency)).complaints).toEqual([])
  })
})
