import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asSheet, pick } from '../../../../src/lib/cli/output/form.ts'
import { JsonNumber } from '../../../../src/lib/contract/core/decimal.ts'
import { Failure } from '../../../../src/lib/failure.ts'
import { writeJson } from '../../../../src/lib/json.ts'

const payout = { transactionId: '9007199254740993', amount: new JsonNumber('12.50'), status: 'SUCCESS', note: null }

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((thrown: unknown) => thrown)
  if (!(error instanceof Failure)) throw new Error(`no Failure but ${error}`)
  return error
}

const asCsv = (result: unknown) => asSheet(result, 'csv')

const readCsv = (text: string) => parse(text, { relaxColumnCount: true }) as string[][]

describe('--query', () => {
  test('takes the part of the result that a JMESPath expression selects', async () => {
    expect(await pick(payout, null, 'transactionId')).toBe('9007199254740993')
    expect(await pick([payout, payout], null, '[].status')).toEqual(['SUCCESS', 'SUCCESS'])
    expect(await pick(payout, null, 'nonsense')).toBeNull()
    expect(await pick([payout], ['s'], '[].{s: status, a: amount}')).toEqual([{ s: 'SUCCESS' }])
  })

  const number = (text: string) => new JsonNumber(text)
  const list = {
    rows: [
      { sum: number('12.00'), n: number('2') },
      { sum: number('7.50'), n: number('1') },
    ],
  }
  test.each([
    ['rows[0].sum', '12.00'],
    ['rows[].sum', '[12.00,7.50]'],
    ['rows[?sum > `7.5`].{s: sum, more: [sum, n]}', '[{"s":12.00,"more":[12.00,2]}]'],
    ['rows[?sum == `12`]', '[{"sum":12.00,"n":2}]'],
    ['sort_by(rows, &n)[].sum', '[7.50,12.00]'],
    ['max_by(rows, &sum).sum', '12.00'],
    ['rows[?length(rows || `[]`) == `0` && contains([sum], `12`)].sum', '[12.00]'],
    // Made by a function: a number of JavaScript.
    ['sum(rows[].sum)', '19.5'],
    ['length(rows)', '2'],
    ['rows[0].n + `1`', '3'],
    ["join('', [to_string(rows[1].sum)])", '"7.5"'],
  ])('%s keeps the digits of what it selects', async (query, text) => {
    expect(writeJson(await pick(list, null, query))).toBe(text)
  })

  test('never changes the value of a number: one that JavaScript cannot hold is compared as text', async () => {
    const result = { id: number('9007199254740993'), sum: number('12345678901234567.89') }
    expect(writeJson(await pick(result, null, '@'))).toBe('{"id":9007199254740993,"sum":12345678901234567.89}')
    expect(await pick(result, null, "id == '9007199254740993'")).toBe(true)
  })

  test('that is no JMESPath is refused', async () => {
    for (const query of ['[', 'a b', '[?', 'nonsense(@)']) {
      const failure = await failureOf(pick(payout, null, query))
      expect([failure.kind, failure.message.startsWith('--query: ')]).toEqual(['usage', true])
    }
  })
})

describe('CSV', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '=HYPERLINK("http://evil","x")'])(
    'a cell or a head that a spreadsheet would take for a formula is escaped: %j',
    async (text) => {
      expect(readCsv(await asCsv([{ text, [text]: 'x' }]))).toEqual([
        ['text', `'${text}`],
        [`'${text}`, 'x'],
      ])
    },
  )

  test('has as many lines as there are rows, the last ones empty or not', async () => {
    expect((await asCsv([{ a: 'x' }, { a: null }, { a: null }])).split('\n')).toEqual(['a', 'x', '', ''])
    expect(await asCsv([{ a: 'x', b: ' y ' }])).toBe('a,b\nx, y ')
  })

  test('is read back with the values that were written', async () => {
    const value = fc.string({ unit: 'grapheme' }).filter((text) => !/^['=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text))
    const rows = fc.array(fc.record({ a: value, b: value }), { minLength: 1, maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(rows, async (rows) => {
        expect(readCsv(await asCsv(rows))).toEqual([['a', 'b'], ...rows.map(({ a, b }) => [a, b])])
      }),
    )
  })
})
