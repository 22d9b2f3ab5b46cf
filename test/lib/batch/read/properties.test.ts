/** Properties of the readers: a file that was written says what was put into it, and no input ends one of them. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hasValidCheckDigits } from '../../../../src/lib/contract/core/iban.ts'
import { painFile, readWhole } from '../../../kit/batch.ts'
import { textRow, workbook } from './xlsx/workbook.ts'

const columns = ['key', 'amount', 'currency', 'description', 'toIban', 'beneficiaryName'] as const
type Payout = Readonly<Record<(typeof columns)[number], string>>

const letters = "ABCXYZabcxyz019აბჰ /-?:().,'+"

const iban = fc.nat(99_999_999).map((number) => {
  const account = `NB00000000${String(number).padStart(8, '0')}`
  const digits = Array.from({ length: 97 }, (_, at) => `GE${String(at + 2).padStart(2, '0')}${account}`)
  return digits.find(hasValidCheckDigits) ?? ''
})

const payout: fc.Arbitrary<Payout> = fc.record({
  key: fc.constant(''),
  amount: fc
    .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.constantFrom('', '.5', '.05', '.50'))
    .map(([whole, fraction]) => `${whole}${fraction}`),
  currency: fc.constantFrom('GEL', 'USD', 'EUR'),
  description: fc
    .string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 60 })
    .filter((text) => /[A-Za-z]/.test(text) && text === text.trim()),
  toIban: iban,
  beneficiaryName: fc
    .string({ unit: fc.constantFrom(...letters, '"', ',', ';', '&', '<', 'é', '𝄞'), minLength: 1, maxLength: 40 })
    .filter((text) => /[A-Za-z]/.test(text) && text === text.trim()),
})

const payouts = fc
  .array(payout, { minLength: 1, maxLength: 12 })
  .map((all) => all.map((each, at) => ({ ...each, key: `k-${at}` })))

const pieces = fc.integer({ min: 1, max: 200 })

async function mustSay(all: readonly Payout[], bytes: Uint8Array, size: number): Promise<void> {
  const { rows, complaints } = await readWhole(bytes, {}, size)
  expect(complaints).toEqual([])
  const said = rows.map(({ key, request: { amount, currency, description, toIban, beneficiaryName } }) => {
    return { key, amount, currency, description, toIban, beneficiaryName }
  })
  expect(said).toEqual(all)
}

const runs = { numRuns: 150 }

describe('a file says what was put into it, in whatever pieces it comes', () => {
  const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
    'UTF-8': (text) => Buffer.from(text),
    'UTF-8 with its mark': (text) => Buffer.from(`\uFEFF${text}`),
    'UTF-16LE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    'UTF-16BE': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
  }

  test('CSV', async () => {
    const form = fc.record({
      delimiter: fc.constantFrom(',', ';', '\t'),
      end: fc.constantFrom('\n', '\r\n', '\r'),
      isQuoted: fc.boolean(),
      encoding: fc.constantFrom(...Object.keys(encodings)),
    })
    await fc.assert(
      fc.asyncProperty(payouts, form, pieces, async (all, { delimiter, end, isQuoted, encoding }, size) => {
        const cell = (text: string) =>
          isQuoted || /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text
        const lines = [columns, ...all.map((each) => columns.map((name) => each[name]))]
        const text = lines.map((line) => line.map(cell).join(delimiter) + end).join('')
        await mustSay(all, encodings[encoding]?.(text) ?? Buffer.from(''), size)
      }),
      runs,
    )
  })

  test('NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(payouts, pieces, async (all, size) => {
        const line = ({ amount, ...rest }: Payout) => `{"amount":${amount},${JSON.stringify(rest).slice(1)}\n`
        await mustSay(all, Buffer.from(all.map(line).join('')), size)
      }),
      runs,
    )
  })

  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

  test('XLSX', async () => {
    await fc.assert(
      fc.asyncProperty(payouts, pieces, async (all, size) => {
        const rows = all.map((each, at) =>
          textRow(
            at + 2,
            columns.map((name) => escaped(each[name])),
          ),
        )
        await mustSay(all, workbook({ sheets: { a: textRow(1, columns) + rows.join('') } }), size)
      }),
      { numRuns: 50 },
    )
  })

  test('pain.001', async () => {
    await fc.assert(
      fc.asyncProperty(payouts, pieces, async (all, size) => {
        const payments = all.map(
          ({ key, amount, currency, description, toIban, beneficiaryName }) =>
            `<CdtTrfTxInf><PmtId><EndToEndId>${key}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt>` +
            `<Cdtr><Nm>${escaped(beneficiaryName)}</Nm></Cdtr><CdtrAcct><Id><IBAN>${toIban}</IBAN></Id></CdtrAcct>` +
            `<RmtInf><Ustrd>${escaped(description)}</Ustrd></RmtInf></CdtTrfTxInf>`,
        )
        await mustSay(all, Buffer.from(painFile({ payments })), size)
      }),
      runs,
    )
  })
})

describe('no input ends a reader: it says what is wrong, or gives rows', () => {
  const csv = `${columns.join(',')}\n1,12.50,GEL,"Salary, November",GE29NB0000000101904917,Nino\n`
  const line = '{"amount":12.50,"currency":"GEL","description":"x","toIban":"GE29NB0000000101904917"}\n'
  const good: readonly (readonly [string, Uint8Array])[] = [
    ['csv', Buffer.from(csv)],
    ['ndjson', Buffer.from(line)],
    ['xlsx', workbook({ sheets: { a: textRow(1, columns) + textRow(2, columns) } })],
    ['pain.001', Buffer.from(painFile())],
  ]

  /** A good file with some of its bytes changed, taken away or doubled. */
  const damaged = (bytes: Uint8Array) =>
    fc
      .array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255), fc.constantFrom(0, 1, 2)), { minLength: 1, maxLength: 6 })
      .map((changes) =>
        changes.reduce((now, [at, byte, gone]) => {
          return Buffer.concat([now.subarray(0, at), Buffer.from([byte]), now.subarray(at + gone)])
        }, Buffer.from(bytes)),
      )

  test.each(good)('%s', async (format, bytes) => {
    const inputs = fc.oneof(
      damaged(bytes),
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => Buffer.from(text)),
    )
    const formats = fc.constantFrom(null, format as 'csv')
    await fc.assert(
      fc.asyncProperty(inputs, formats, pieces, async (input, forced, size) => {
        const { file, rows, complaints } = await readWhole(input, { format: forced }, size)
        expect(file.summary().rows).toBeGreaterThanOrEqual(rows.length)
        if (file.summary().rows > rows.length) expect(complaints).not.toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
