/** Damage for a sample: each kind of complaint that a row can have, in rows that lie far apart. */
import type { SamplePayout } from './rows.ts'

export const sampleFormats = ['csv', 'ndjson', 'xlsx', 'pain.001'] as const
export type SampleFormat = (typeof sampleFormats)[number]

/** A change to a row as it is written; `raw` is the whole of it, where no cell could say it. */
export interface SampleDamage {
  readonly about: string
  readonly cells?: (payout: SamplePayout, first: SamplePayout) => Partial<Record<keyof SamplePayout, string>>
  readonly raw?: (written: string) => string
}

const set = (about: string, cells: Partial<Record<keyof SamplePayout, string>>): SampleDamage => ({
  about,
  cells: () => cells,
})

const anywhere: readonly SampleDamage[] = [
  set('a third decimal', { amount: '12.505' }),
  set('no amount', { amount: '0' }),
  set('too many digits', { amount: '123456789.01' }),
  set('an unknown currency', { currency: 'RUB' }),
  set('a character of no bank statement', { description: 'Salary_November' }),
  set('no text', { description: '' }),
  set('an account abroad', { toIban: 'DE89370400440532013000' }),
  set('no account', { toIban: '' }),
  {
    about: 'a digit of an IBAN that is mistyped',
    cells: ({ toIban }) => ({ toIban: toIban.slice(0, -1) + ((Number(toIban.slice(-1)) + 1) % 10) }),
  },
  { about: 'a key once more', cells: (_, { key }) => ({ key }) },
]

/** A spreadsheet's own, as texts. */
const ofSheets: readonly SampleDamage[] = [
  set('no key', { key: '' }),
  set('the short form of a long number', { amount: '1.23E+12' }),
  set('separators', { amount: '1,250.00' }),
  set('a sum with two meanings', { amount: '1,250' }),
  set('a comma before decimals', { amount: '12,50' }),
  set('floating point', { amount: '0.30000000000000004' }),
  set('an error of a formula', { amount: '#REF!' }),
  set('a formula', { amount: '=SUM(A1:A9)' }),
  set('a column too narrow', { amount: '#####' }),
  set('days for a date', { birthDate: '45992' }),
  set('no date of the calendar', { birthDate: '30.02.1988' }),
  set('a zero that was lost', { beneficiaryIdentityNumber: '1001000001' }),
]

const lines: readonly SampleDamage[] = [
  { about: 'a line that is no JSON', raw: (line) => line.slice(0, -1) },
  { about: 'a list', raw: (line) => `[${line}]` },
  { about: 'an unknown member', raw: (line) => line.replace('{', '{"ammount":1,') },
  {
    about: 'a number in the place of a text',
    raw: (line) => line.replace(/"beneficiaryIdentityNumber":"0(\d+)"/, '"beneficiaryIdentityNumber":1$1'),
  },
]

const payments: readonly SampleDamage[] = [
  { about: 'no payee', raw: (text) => text.replace(/<Cdtr><Nm>[^<]{0,140}<\/Nm><\/Cdtr>/, '<Cdtr/>') },
  {
    about: 'an account that is no IBAN',
    raw: (text) => text.replace(/<IBAN>\w{0,34}<\/IBAN>/, '<Othr><Id>0123456789</Id></Othr>'),
  },
  {
    about: 'an amount in another currency',
    raw: (text) =>
      text.replace(
        /<InstdAmt Ccy="(\w{3})">([\d.]{1,20})<\/InstdAmt>/,
        '<EqvtAmt><Amt Ccy="$1">$2</Amt><CcyOfTrf>EUR</CcyOfTrf></EqvtAmt>',
      ),
  },
  { about: 'an id that is too long', raw: (text) => text.replace(/<EndToEndId>/, `<EndToEndId>${'a'.repeat(36)}`) },
  { about: 'an unknown element', raw: (text) => text.replace('<Amt>', '<Fee>1.00</Fee><Amt>') },
  {
    about: 'an element out of its place',
    raw: (text) =>
      text.replace(
        /(<Cdtr><Nm>[^<]{0,140}<\/Nm><\/Cdtr>)(<CdtrAcct><Id><IBAN>\w{0,34}<\/IBAN><\/Id><\/CdtrAcct>)/,
        '$2$1',
      ),
  },
]

export const kindsOf: Readonly<Record<SampleFormat, readonly SampleDamage[]>> = {
  csv: [...anywhere, ...ofSheets, { about: 'a cell too many', raw: (line) => `${line},` }],
  ndjson: [...anywhere, ...lines],
  xlsx: [
    ...anywhere,
    ...ofSheets,
    {
      about: 'a formula without a value',
      raw: (row) =>
        row.replace(/(<c r="B\d{1,7}") t="inlineStr"><is><t>[^<]{0,200}<\/t><\/is><\/c>/, '$1><f>SUM(A1:A9)</f></c>'),
    },
    {
      about: 'a date as a number',
      raw: (row) =>
        row.replace(/(<c r="H\d{1,7}") t="inlineStr"><is><t>[^<]{0,200}<\/t><\/is><\/c>/, '$1 s="1"><v>32202</v></c>'),
    },
    { about: 'a row that is hidden', raw: (row) => row.replace('<row ', '<row hidden="1" ') },
  ],
  'pain.001': [...anywhere, ...payments],
}

/** The damage of a row; null for most. Rows count from 0, and the first is never damaged. */
export function damageIn(format: SampleFormat, rows: number, row: number): SampleDamage | null {
  const kinds = kindsOf[format]
  const apart = Math.floor((rows - 1) / kinds.length)
  const at = (row - 1) / apart
  return row > 0 && Number.isInteger(at) ? (kinds[at] ?? null) : null
}
