import { expect, test } from 'vitest'
import { type ColumnMap, noMap } from '../../../src/lib/batch/read/column-map.ts'
import { peekBytes } from '../../../src/lib/batch/read/file.ts'
import { readCsvStatement } from '../../../src/lib/reconcile/csv.ts'
import { bankFile } from './bank-file.ts'

const read = async (text: string, map: Partial<{ columns: object; constants: object; joins: object }> = {}) => {
  const { name, bytes } = bankFile(text, 'bank.csv')
  const maps = {
    columns: new Map(Object.entries(map.columns ?? {})),
    constants: new Map(Object.entries(map.constants ?? {})),
  }
  const joins = new Map(Object.entries(map.joins ?? {}))
  return await readCsvStatement(name, await peekBytes(bytes, 1000), { ...noMap, ...maps, joins } as ColumnMap)
}

const gel = { constants: { currency: 'GEL' } }
const sums = ({ bookings }: Awaited<ReturnType<typeof read>>) =>
  bookings.map(({ direction, sum }) => (direction === 'debit' ? -1n : 1n) * (sum?.units ?? 0n))

test('the columns by their own names', async () => {
  const file = await read(
    'date,amount,currency,reference,account,name,returnReason\n2026-11-27,-12.50,GEL,emp-17,GE29 NB00,Nino,\n2026-11-28,3,GEL,,,,AC04\n',
  )
  expect(sums(file)).toEqual([-1250n, 300n])
  expect(file.bookings).toMatchObject([
    { entry: '2', day: '2026-11-27', endToEndId: 'emp-17', account: 'GE29NB00', name: 'Nino', isReturn: false },
    { entry: '3', isReturn: true, returnReason: 'AC04', endToEndId: null },
  ])
  expect(file.statements).toMatchObject([{ from: '2026-11-27', to: '2026-11-28', opening: null, currency: 'GEL' }])
  expect(file.warnings.join()).toContain('no column has the balance')
})

test('debit and credit in columns of their own, a direction in words, joined columns', async () => {
  expect(sums(await read('date;debit;credit\n2026-11-27;1.00;\n2026-11-27;;2.00\n', gel))).toEqual([-100n, 200n])
  expect(sums(await read('date;amount;direction\n2026-11-27;1.00;D\n2026-11-27;2.00;C\n', gel))).toEqual([-100n, 200n])
  const { bookings } = await read('date;amount;a;b\n2026-11-27;-1;x;y\n', {
    ...gel,
    joins: { text: { columns: ['a', 'b'], between: ' ' } },
  })
  expect(bookings[0]?.text).toBe('x y')
})

test.each([
  ['1.234,56', ',', 123_456n],
  ['-1.234.567,8', ',', -123_456_780n],
  ['1,234.56', '.', 123_456n],
  ['12.5', '.', 1250n],
  ['+7', '.', 700n],
])('the number %s with the mark %s', async (text, decimalMark, units) => {
  const map = { constants: { currency: 'GEL', decimalMark } }
  expect(sums(await read(`date;amount\n2026-11-27;${text}\n`, map))).toEqual([units])
})

test('balances of rows that go forwards or backwards in time', async () => {
  const forwards = await read('date,amount,balance\n2026-11-26,-1,9\n2026-11-27,-2,7\n', gel)
  const backwards = await read('date,amount,balance\n2026-11-27,-2,7\n2026-11-26,-1,9\n', gel)
  for (const { statements } of [forwards, backwards])
    expect(statements).toMatchObject([{ opening: 1000n, closing: 700n }])
})

test.each([
  ['a row that is missing', 'date,amount,balance\n2026-11-26,-1,9\n2026-11-27,-2,6\n', 'does not add up'],
  ['no header', 'a,b\n1,2\n', 'no header'],
  ['a comma for a point', 'date;amount\n2026-11-27;1,5\n', 'the sum 1,5'],
  ['a third decimal', 'date;amount\n2026-11-27;1.505\n', 'the sum 1.505'],
  ['no sum', 'date;amount\n2026-11-27;\n', 'the sum (none)'],
  ['a date in another form', 'date;amount\n27.11.2026;1\n', 'the date 27.11.2026'],
  ['no day of the calendar', 'date;amount\n2026-11-31;1\n', 'the date 2026-11-31'],
  ['a debit and a credit', 'date;debit;credit\n2026-11-27;1;1\n', 'a debit and a credit'],
  ['a quote that is never closed', 'date;amount\n2026-11-27;"1\n', 'never closed'],
  ['a number that is none', 'date;amount;transactionId\n2026-11-27;1;x\n', 'the transactionId x'],
])('%s: the file is refused', async (_what, text, why) => {
  await expect(read(text, gel)).rejects.toMatchObject({ kind: 'usage', message: expect.stringContaining(why) })
})

test.each([
  ['no currency', {}, 'no column is currency'],
  ['an unknown field', { columns: { x: 'sum' }, ...gel }, 'names sum'],
  ['an unknown form of a date', { constants: { currency: 'GEL', dateForm: 'd.M.yy' } }, 'dateForm d.M.yy'],
  ['a mark that is none', { constants: { currency: 'GEL', decimalMark: ';' } }, 'decimalMark'],
])('a map with %s is refused', async (_what, map, why) => {
  await expect(read('date;amount;x\n2026-11-27;1;2\n', map)).rejects.toThrow(why)
})
