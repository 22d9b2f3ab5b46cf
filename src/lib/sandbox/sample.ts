/**
 * Payouts to try a batch with: invented people, valid IBANs, sums that the sandbox's balances cover, and every
 * description that leads a payout to an end of its own. The same seed gives the same file.
 */
import { strToU8, type Zippable, zipSync } from 'fflate'
import { z } from 'zod'
import { fromMinorUnits, minorUnits } from '../contract/core/decimal.ts'
import { ibanOf } from '../contract/core/iban.ts'
import { oneWordOf } from '../result.ts'
import { magicDescriptions } from './accounts/fixtures.ts'
import { nthDraw } from './faults.ts'

// Damage for a sample: each kind of complaint that a row can have, in rows that lie far apart.

export const sampleFormats = ['csv', 'ndjson', 'xlsx', 'pain.001'] as const
export type SampleFormat = (typeof sampleFormats)[number]

/** A change to a row as it is written; `raw` is the whole of it, where no cell could say it. */
interface SampleDamage {
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

const jsonLines: readonly SampleDamage[] = [
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
  ndjson: [...anywhere, ...jsonLines],
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
function damageIn(format: SampleFormat, rows: number, row: number): SampleDamage | null {
  const kinds = kindsOf[format]
  const apart = Math.floor((rows - 1) / kinds.length)
  const at = (row - 1) / apart
  return row > 0 && Number.isInteger(at) ? (kinds[at] ?? null) : null
}

interface SamplePayout {
  readonly key: string
  readonly amount: string
  readonly currency: string
  readonly description: string
  readonly toIban: string
  readonly beneficiaryName: string
  readonly beneficiaryIdentityNumber: string
  readonly birthDate: string
}

const sampleColumns: readonly (keyof SamplePayout)[] = [
  ...(['key', 'amount', 'currency', 'description', 'toIban'] as const),
  ...(['beneficiaryName', 'beneficiaryIdentityNumber', 'birthDate'] as const),
]

const firstNames = ['Nino', 'Giorgi', 'Mariam', 'Luka', 'Ana', 'Davit', 'Tamar', 'Irakli', 'ნანა', 'ზურაბ'] as const
const lastNames = ['Beridze', 'Kapanadze', 'Gelashvili', 'Maisuradze', 'Lomidze', 'Tsiklauri', 'ხუციშვილი'] as const
const banks = ['NB', 'TB', 'BG', 'LB'] as const
const purposes = ['Salary, November', 'Bonus (2026)', 'ხელფასი', 'Rent 11/2026', 'Refund: invoice 1044'] as const

/** Minor units that one row pays at most, and that all rows together stay below. */
const most = { row: 50_000, all: 20_000_000 }

/** Every so many rows one in dollars, and one with a description of its own end. */
const every = { dollars: 10, magic: 25 }

/** Draws for one row: the same seed and row give the same. */
function randomForRow(seed: number, row: number) {
  let next = row * 16
  const below = (limit: number) => {
    next += 1
    return Math.floor(nthDraw(seed, next) * limit)
  }
  const of = <Value>(values: readonly Value[]) => values[below(values.length)] as Value
  const digits = (count: number): string => {
    const half = (length: number) => String(below(10 ** length)).padStart(length, '0')
    return count > 8 ? half(8) + half(count - 8) : half(count)
  }
  return { below, of, digits }
}

interface SampleOrder {
  readonly rows: number
  readonly seed: number
}

/** The payout in a row; rows count from 0. */
function samplePayout({ rows, seed }: SampleOrder, row: number): SamplePayout {
  const draws = randomForRow(seed, row)
  const limit = Math.max(1, Math.min(most.row, Math.floor(most.all / rows)))
  const magic = magicDescriptions[Math.floor(row / every.magic) % magicDescriptions.length]
  // In a short file they come one after the other.
  const isMagic = row < magicDescriptions.length || row % every.magic === 0
  const short = row < magicDescriptions.length ? magicDescriptions[row] : magic
  const purpose = draws.of(purposes)
  const year = 1950 + draws.below(55)
  return {
    key: `sample-${seed}:${row + 1}`,
    amount: fromMinorUnits(BigInt(1 + draws.below(limit))),
    currency: row % every.dollars === every.dollars - 1 ? 'USD' : 'GEL',
    description: isMagic && short ? short.description : purpose,
    toIban: ibanOf(draws.of(banks), draws.digits(16)),
    beneficiaryName: `${draws.of(firstNames)} ${draws.of(lastNames)}`,
    beneficiaryIdentityNumber: `0${draws.digits(10)}`,
    birthDate: `${String(1 + draws.below(28)).padStart(2, '0')}.${String(1 + draws.below(12)).padStart(2, '0')}.${year}`,
  }
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** A day that is past on every clock: a file of a later day would be refused. */
const day = '2026-01-05'

function painHead(order: SampleOrder & { readonly isDamaged: boolean }): string {
  let sum = 0n
  for (let row = 0; row < order.rows; row += 1) sum += minorUnits(samplePayout(order, row).amount) ?? 0n
  const [date, count] = order.isDamaged ? ['2999-12-31', order.rows + 1] : [day, order.rows]
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.03"><CstmrCdtTrfInitn>
<GrpHdr><MsgId>sample-${order.seed}-${order.rows}</MsgId><CreDtTm>${day}T09:00:00</CreDtTm><NbOfTxs>${count}</NbOfTxs><CtrlSum>${fromMinorUnits(sum)}</CtrlSum><InitgPty><Nm>Sample LLC</Nm></InitgPty></GrpHdr>
<PmtInf><PmtInfId>payroll</PmtInfId><PmtMtd>${order.isDamaged ? 'CHK' : 'TRF'}</PmtMtd><NbOfTxs>${order.rows}</NbOfTxs><ReqdExctnDt>${date}</ReqdExctnDt><Dbtr><Nm>Sample LLC</Nm></Dbtr><DbtrAcct><Id><IBAN>GE29NB0000000101904917</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BIC>BNLNGE22XXX</BIC></FinInstnId></DbtrAgt>
`
}

function painPayment(payout: SamplePayout): string {
  const { key, amount, currency, description, toIban, beneficiaryName } = payout
  const account = toIban === '' ? '' : `<CdtrAcct><Id><IBAN>${toIban}</IBAN></Id></CdtrAcct>`
  const text = description === '' ? '' : `<RmtInf><Ustrd>${escapeXml(description)}</Ustrd></RmtInf>`
  return `<CdtTrfTxInf><PmtId><EndToEndId>${escapeXml(key)}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${currency}">${amount}</InstdAmt></Amt><Cdtr><Nm>${escapeXml(beneficiaryName)}</Nm></Cdtr>${account}${text}</CdtTrfTxInf>`
}

const painEnd = '</PmtInf></CstmrCdtTrfInitn></Document>\n'

// A sample as a workbook: every cell a text, so that no spreadsheet changes it.

const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts beside the sheet. The second style is a date. */
const parts = {
  '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${sheets}" xmlns:r="${office}"><sheets><sheet name="Payouts" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${sheets}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf numFmtId="49"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
}

const letter = (column: number) => String.fromCharCode(65 + column)

function rowOf(number: number, cells: readonly string[]): string {
  const written = cells.map((text, column) => {
    const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    return text === '' ? '' : `<c r="${letter(column)}${number}" t="inlineStr"><is><t>${plain}</t></is></c>`
  })
  return `<row r="${number}">${written.join('')}</row>`
}

/** The bytes of the file. */
function workbookOf(file: SampleFile): Uint8Array {
  const cells = (payout: SamplePayout) => sampleColumns.map((name) => payout[name])
  const rows = [...lines(file, (payout, row) => rowOf(row + 2, cells(payout)))].join('')
  const sheet = `<worksheet xmlns="${sheets}"><sheetData>${rowOf(1, sampleColumns)}${rows}</sheetData></worksheet>`
  const declared = Object.entries({ ...parts, 'xl/worksheets/sheet1.xml': sheet }).map(([name, text]) => [
    name,
    strToU8(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
  ])
  // Without a time of its own the archive of one sample is the same every day.
  return zipSync(Object.fromEntries(declared) as Zippable, { mtime: '1980-01-01T00:00:00Z' })
}

interface SampleFile extends SampleOrder {
  readonly format: SampleFormat
  readonly isDamaged: boolean
}

function csvCell(value: string): string {
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

const csvLine = (payout: SamplePayout) => sampleColumns.map((name) => csvCell(payout[name])).join(',')

/** The amount stands as a number where it is one. */
function jsonLine(payout: SamplePayout): string {
  const members = sampleColumns
    .filter((name) => payout[name] !== '')
    .map((name) => {
      const value = payout[name]
      return `${JSON.stringify(name)}:${name === 'amount' ? value : JSON.stringify(value)}`
    })
  return `{${members.join(',')}}`
}

function writeRow(file: SampleFile, row: number, write: (payout: SamplePayout) => string): string {
  const payout = samplePayout(file, row)
  const damage: SampleDamage | null = file.isDamaged ? damageIn(file.format, file.rows, row) : null
  if (!damage) return write(payout)
  const changed = { ...payout, ...damage.cells?.(payout, samplePayout(file, 0)) }
  return damage.raw?.(write(changed)) ?? write(changed)
}

function* lines(file: SampleFile, write: (payout: SamplePayout, row: number) => string): Generator<string> {
  let piece = ''
  for (let row = 0; row < file.rows; row += 1) {
    piece += `${writeRow(file, row, (payout) => write(payout, row))}\n`
    if (piece.length > 64 * 1024) {
      yield piece
      piece = ''
    }
  }
  yield piece
}

function* painPieces(file: SampleFile): Generator<string> {
  yield painHead(file)
  yield* lines(file, painPayment)
  yield painEnd
}

/** The pieces of the file. A workbook is one, because its archive is made at the end. */
export function* samplePieces(file: SampleFile): Generator<string | Uint8Array> {
  if (file.format === 'csv') {
    yield `${sampleColumns.join(',')}\n`
    yield* lines(file, csvLine)
  } else if (file.format === 'ndjson') yield* lines(file, jsonLine)
  else if (file.format === 'pain.001') yield* painPieces(file)
  else yield workbookOf(file)
}

export const sampleResult = z.strictObject({
  file: z.string(),
  format: oneWordOf(sampleFormats),
  rows: z.int().min(1),
  seed: z.int().min(0).describe('The same seed gives the same file.'),
  damaged: z.int().min(0).describe('Rows that are wrong on purpose.'),
})
