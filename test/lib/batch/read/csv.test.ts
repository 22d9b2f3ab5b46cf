import { describe, expect, test } from 'vitest'
import { readWhole } from '../../../kit/batch.ts'

const header = 'amount,currency,description,toIban,beneficiaryName'
const row = '12.50,GEL,"Salary, November",GE29NB0000000101904917,Nino'
const numbers = async (text: string | Buffer) => {
  const { rows, complaints } = await readWhole(text)
  return { rows: rows.map(({ number }) => number), complaints }
}

test('rows are counted as a spreadsheet counts them: blank lines count, lines inside of a cell do not', async () => {
  const wide = `${row},"Ni\nno"`
  expect(await numbers(`${header},paydesk:note\n${wide}\n\n${row},\r\n,,,,,\n${row},`)).toEqual({
    rows: [2, 4, 6],
    complaints: [],
  })
})

test('10,000 blank lines and rows of another length between rows make no error inside of the parser: each costs a stack and a copy', async () => {
  const capture = Error.captureStackTrace
  let stacks = 0
  Error.captureStackTrace = (...given) => {
    stacks += 1
    capture(...given)
  }
  try {
    const read = await numbers(`${header}\n${row}\n${'\n'.repeat(10_000)}a,b\n${row}\n`)
    expect(read).toEqual({ rows: [2, 10_004], complaints: [expect.stringContaining('has 2 cells')] })
  } finally {
    Error.captureStackTrace = capture
  }
  expect(stacks).toBeLessThan(100)
})

test('a quoted comma of a header does not decide the delimiter', async () => {
  const { file } = await readWhole(`"amount";"currency";description;toIban\n1;GEL;x;GE29NB0000000101904917\n`)
  expect([file.delimiter, file.headers]).toEqual(['semicolon', ['amount', 'currency', 'description', 'toIban']])
})

test('flags are headers, too, and columns of an earlier result are ignored', async () => {
  const { rows, complaints } = await readWhole(
    '--amount,CURRENCY, description ,to-iban,paydesk:state\n1,GEL,x,GE29NB0000000101904917,refused\n',
  )
  expect(complaints).toEqual([])
  expect(rows[0]?.request).toMatchObject({ amount: '1', toIban: 'GE29NB0000000101904917' })
  expect(rows[0]?.source).toHaveLength(5)
})

test.each([
  ['amount,currency,descripton,toIban,beneficiaryName', ['1:3 (descripton) is not a field of a payout: --map']],
  [`${header},amount`, ['1:6 (amount) is already in column 1']],
  [`${header},to-iban`, ['1:6 (to-iban) gives toIban, which another column already gives']],
  [`${header},uniqueId`, ['1:6 (uniqueId) cannot come from a file: --key-column']],
  ['amount,currency,description', ['1 (toIban) or receiverId with receiverType is required']],
])('a header that is wrong is told before any row: %s', async (line, words) => {
  const cells = row.split(/,(?! )/).slice(0, line.split(',').length)
  while (cells.length < line.split(',').length) cells.push('')
  const { rows, complaints } = await readWhole(`${line}\n${cells.join(',')}\n`)
  expect(rows).toEqual([])
  expect(complaints).toHaveLength(words.length)
  for (const [at, each] of words.entries()) expect(complaints[at]).toContain(`file:${each}`)
})

const good = (title: string, text: string | Buffer, more = {}) =>
  test(`csv: ${title}`, async () => {
    const { rows, complaints } = await readWhole(text, more)
    expect([complaints, rows.length]).toEqual([[], 1])
  })

describe('csv: what other programs put around the rows does no harm', () => {
  good('a title above the header', `Payroll of November\n\n${header}\n${row}\n`)
  good('a comment above the header', `# made by a program, v2, 2026\n${header}\n${row}\n`)
  good('sep=; and semicolons', `sep=;\r\n${header.replaceAll(',', ';')}\r\n${row.replace(/,(?! )/g, ';')}\r\n`)
  good('sep= in quotes of no delimiter', `"sep=,"\n${header}\n${row}\n`)
  good('the end of file of DOS', `${header}\r\n${row}\r\n\x1A`)
  good('the end of file of DOS behind a last line without an end', `${header}\r\n${row}\x1A\x1A\r\n`)
  good('blank rows of blanks', `${header}\n  \n\t\n${row}\n , ,,,\n`)
})

test('csv: lines with several cells above the header are one complaint, and the rows are checked all the same', async () => {
  const { rows, complaints } = await readWhole(
    `Payroll,November\nmade,by,X\n${header}\n${row}\n${row.replace('12.50', 'x')}\n`,
  )
  expect(rows).toEqual([])
  expect(complaints).toEqual([
    'file:1 stands above the header, which is row 3: delete it',
    expect.stringContaining('file:5:1 (amount) must be a plain decimal number'),
  ])
})

test('csv: a foreign header is one complaint, which names the columns and what helps', async () => {
  const { complaints } = await readWhole(`Betrag;Konto;Empfaenger;Abteilung;Notiz;Ort;Land\n1;2;3;4;5;6;7\n`)
  expect(complaints).toHaveLength(1)
  expect(complaints[0]).toMatch(/^file:1 has no column for amount, currency, description, toIban; "Betrag", "Konto",/)
  expect(complaints[0]).toContain('and 2 more: no field of a payout; name the columns with --map')
})

test('csv: with a wrong header all rows are checked in the same pass, and none is given', async () => {
  const text = `amount,currency,descripton,toIban\n1,GEL,x,GE29NB0000000101904917\n1.234,GEL,x,GE00\n`
  const { file, rows, complaints } = await readWhole(text)
  expect(rows).toEqual([])
  expect(complaints.map((each) => each.slice(0, 22))).toEqual([
    'file:1:3 (descripton) ',
    'file:3:1 (amount) 1.23',
    'file:3:4 (toIban) must',
  ])
  expect(file.summary()).toMatchObject({ rows: 2, refused: 1 })
})

test('a file of a German Excel: the byte and its row are named, and what it does to sums', async () => {
  const text = `amount;currency;description;toIban;beneficiaryName\n12,50;GEL;x;GE29NB0000000101904917;Nino\n1;GEL;x;GE29NB0000000101904917;Müller\n`
  const { rows, complaints } = await numbers(Buffer.from(text, 'latin1'))
  expect(rows).toEqual([])
  expect(complaints).toEqual([
    'file:2:1 (amount) 12,50 has a comma before its decimals: write it as 12.50',
    'file:3 holds the byte FC, which is not UTF-8: save the file as UTF-8',
  ])
})

test.each([
  ['Ni"no', 'has a quote (") inside a cell that does not begin with a quote; the rows after it'],
  ['"Ni"no', 'has text after the quote (") that ends a cell; the rows after it'],
  ['"Nino', 'has a quote (") that is never closed; the rows after it'],
])('a quote in the wrong place ends the reading, after the rows before it: %s', async (wrong, words) => {
  const { rows, complaints } = await numbers(`${header}\n${row}\n${row.replace('Nino', wrong)}\n1,GEL,x,,\n`)
  expect([rows, complaints.length]).toEqual([[2], 1])
  expect(complaints[0]).toContain(`file:3 ${words}`)
})

test('a cell too many, a cell too few, and one under no header', async () => {
  const { complaints } = await numbers(`${header},\n${row}\n${row},,\n${row},x\n${row},\n`)
  expect(complaints).toEqual([
    'file:2 has 5 cells, and the header has 6',
    'file:3 has 7 cells, and the header has 6',
    'file:4 has something in column 6, which has no header',
  ])
})

describe('nonsense ends soon, in one sentence or a thousand complaints', () => {
  const megabytes = (text: string, count: number) => Buffer.alloc(count * 1024 * 1024, text)
  const whole = `${header}\n${row}\n`

  const files = [
    ['bytes of zero', Buffer.alloc(50_000_000), /not text: it holds zero bytes/],
    ['bytes of no encoding', megabytes('\xFE\x80', 50).fill(0x81), /holds the byte 81/],
    ['one line without end', megabytes('nonsense,', 50), /no field of a payout|longer than 1 MiB/],
    ['one line of JSON without end', megabytes('{"a":', 50), /longer than 1 MiB/],
    ['one tag without end', megabytes('<nonsense ', 50), /not well-formed XML|longer than 1 MiB/],
    ['a cell without end', Buffer.concat([Buffer.from(`${whole}"`), megabytes('a,\n', 50)]), /longer than 1 MiB/],
    ['blank lines', Buffer.concat([Buffer.from(whole), megabytes('\n', 50)]), /more than 100000 blank rows above it/],
    [
      'lines of other cells',
      Buffer.concat([Buffer.from(`${header}\n`), megabytes('x\n', 50)]),
      /none of 100000 rows is a payout/,
    ],
    ['lines of other JSON', megabytes('{"a":1}\n', 50), /none of 100000 rows is a payout/],
  ] as const

  test.each(files)(
    '%s',
    async (_what, bytes, words) => {
      const before = process.cpuUsage()
      const { complaints } = await readWhole(bytes)
      const { user } = process.cpuUsage(before)
      expect(complaints.at(-1)).toMatch(words)
      expect(user / 1000).toBeLessThan(20_000)
    },
    120_000,
  )
})
