/**
 * Inputs that people met in other programs, one row per case and named as the case is. The inputs are small ones of our own with
 * the same peculiarity. A new case is one entry of `cases`: its files, and the lines that are run in one home on a new sandbox.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { seal } from '../../src/lib/envelope/envelope.ts'
import { writeKey } from '../../src/lib/envelope/key.ts'
import { writeMembers } from '../../src/lib/envelope/layout.ts'
import { painFile, payment } from '../kit/batch.ts'
import { newPair } from '../kit/envelope.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { textRow, workbook } from '../lib/batch/read/xlsx/workbook.ts'

interface Line {
  /** The command; words that are names of files become their paths. */
  readonly argv: string
  readonly code: number
  /** Texts of stdout and stderr together. */
  readonly says?: readonly string[]
  readonly never?: readonly string[]
  /** The file that stdout is kept in, as a shell does. */
  readonly keep?: string
}

interface Case {
  readonly name: string
  readonly title: string
  readonly files: Readonly<Record<string, string | Uint8Array>>
  /** A profile that the lines name themselves, instead of `sandbox`. */
  readonly profile?: (home: string) => Promise<void>
  readonly lines: readonly Line[]
}

const iban = 'GE29NB0000000101904917'
const columns = ['key', 'amount', 'currency', 'description', 'toIban', 'beneficiaryName']

/** A CSV of rows that differ from a good one in these fields. */
function csv(...rows: readonly Partial<Record<(typeof columns)[number], string>>[]): string {
  const usual: Record<string, string> = {
    ...{ amount: '12.50', currency: 'GEL', description: 'Salary', toIban: iban, beneficiaryName: 'Nino Beridze' },
  }
  const lines = rows.map((row, at) => columns.map((name) => row[name] ?? usual[name] ?? `k${at + 1}`).join(','))
  return `${[columns.join(','), ...lines].join('\n')}\n`
}

const text = (each: string) => `<c t="inlineStr"><is><t>${each}</t></is></c>`

/** A row of a sheet whose sum is a cell of its own. */
function sheetRow(number: number, amount: string, key = text(`k${number}`)): string {
  return `<row r="${number}">${key}${amount}${['GEL', 'Salary', iban, 'Nino'].map(text).join('')}</row>`
}

const sheet = (...rows: readonly string[]) => ({ Payroll: textRow(1, columns) + rows.join('') })

function renamed(archive: Uint8Array, name: (each: string) => string): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(unzipSync(archive)).map(([each, bytes]) => [name(each), bytes])))
}

const sealedBy = (scheme: 'oaep-sha256-mgf1-sha1' | 'pkcs1') =>
  JSON.stringify(writeMembers(seal('{"amount":12.50}', { key: pair.publicKey, scheme, identifier: null })))

const pair = newPair()
const ownKey = writeKey(pair.privateKey, 'pem')

/** base64 as URLs have it, in lines of a mail. */
const inMail = (envelope: string) =>
  envelope
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
    .replace(/("encryptedData":")(.{40})/, '$1$2\\r\\n')

const november = painFile({ payments: [payment('e-1')] })

const simple = workbook({ sheets: sheet(sheetRow(2, '<c><v>12.5</v></c>')) })
const check = (file: string, more: Omit<Line, 'argv'>): Line => ({ argv: `batch check ${file}`, ...more })

const structured =
  '<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>'

const cases: readonly Case[] = [
  {
    name: '01-xlsx-typed-cents',
    title: 'sums that Excel wrote with 17 digits are the typed ones, and a result of floating point is refused',
    files: {
      'typed.xlsx': workbook({
        sheets: sheet(
          ...['4.3499999999999996', '68.900000000000006', '1101.5999999999999'].map((each, at) =>
            sheetRow(at + 2, `<c><v>${each}</v></c>`),
          ),
        ),
      }),
      'computed.xlsx': workbook({ sheets: sheet(sheetRow(2, '<c><v>0.30000000000000004</v></c>')) }),
    },
    lines: [
      check('typed.xlsx', { code: 0, says: ['GEL 1174.85'] }),
      check('computed.xlsx', { code: 2, says: ['was calculated with floating point'] }),
    ],
  },
  {
    name: '03-xlsx-sharedstrings-case',
    title: 'a part in another case than its relation is found',
    files: { 'a.xlsx': renamed(simple, (name) => name.replace('sharedStrings', 'SharedStrings')) },
    lines: [check('a.xlsx', { code: 0, says: ['GEL 12.50'] })],
  },
  {
    name: '04-xlsx-backslash-entries',
    title: 'a workbook whose entries have backslashes is read, and another archive is told what helps',
    files: {
      'a.xlsx': renamed(simple, (name) => name.replaceAll('/', '\\')),
      'b.xlsx': zipSync({ 'xl/nothing.xml': strToU8('<x/>') }),
    },
    lines: [
      check('a.xlsx', { code: 0, says: ['GEL 12.50'] }),
      check('b.xlsx', { code: 2, says: ['save it again in a spreadsheet'] }),
    ],
  },
  {
    name: '08-iban-invisible-characters',
    title: 'a character that nobody sees is named with its place',
    files: {
      'p.csv': csv(
        { toIban: `\u200F${iban}` },
        { amount: '12.50\u200B' },
        { toIban: 'GE29N\u04120000000101904917' },
        { amount: '12.50 ' },
        { toIban: 'GE29\u00ADNB0000000101904917' },
        { amount: '\u202A12.50' },
        { currency: 'G\u0415L' },
      ),
    },
    lines: [
      check('p.csv', {
        code: 2,
        says: [
          '2:5 (toIban) has U+200F (right-to-left mark) at position 1',
          '3:2 (amount) has U+200B (zero width space) at position 6',
          '"\u0412" (U+0412) at position 6',
          'a blank (U+0020) at position 6',
          '6:5 (toIban) has U+00AD (soft hyphen) at position 5',
          '7:2 (amount) has U+202A (left-to-right embedding) at position 1',
          '8:3 (currency) must be one of GEL, USD, EUR; it has "\u0415" (U+0415) at position 2',
          '7 complaints, in 7 of 7 rows',
        ],
      }),
      {
        argv: `payout create --amount 12.50\u00A0 --currency GEL --description Salary --to-iban GE29N\u04120000000101904917 --yes`,
        code: 2,
        says: ['U+00A0 (no-break space) at position 6', '(U+0412) at position 6'],
      },
    ],
  },
  {
    name: '12-name-with-lost-letters',
    title: 'a lost letter and a control character are complaints, letters that were decoded wrongly a warning',
    files: {
      'lost.csv': csv(
        { beneficiaryName: 'M\uFFFDller' },
        { beneficiaryName: 'Ni\u0007no' },
        { beneficiaryName: 'N\u202Eino' },
        { key: 'a\uFFFD' },
      ),
      'misread.csv': csv({ beneficiaryName: 'M\u00C3\u00BCller' }, { beneficiaryName: 'M\u00FCller \u00C3ngel' }),
    },
    lines: [
      check('lost.csv', {
        code: 2,
        says: [
          '2:6 (beneficiaryName) has U+FFFD at position 2: a letter was lost',
          '3:6 (beneficiaryName) has U+0007 at position 3, a control character',
          '4:6 (beneficiaryName) has U+202E (right-to-left override) at position 2',
          '5:1 (key) has U+FFFD at position 2',
        ],
      }),
      check('misread.csv', { code: 0, says: ['warning: 1 text looks like UTF-8', 'perhaps "M\u00FCller"'] }),
      {
        argv: 'batch plan misread.csv',
        code: 0,
        says: ['row 2 (beneficiaryName): "M\u00C3\u00BCller", perhaps "M\u00FCller"'],
      },
    ],
  },
  {
    name: '13-pain001-stale-execution-date',
    title: 'a date of execution long past is a warning of check, plan and show',
    files: { 'old.xml': painFile({ date: '1999-01-01', payments: [payment('e-1'), payment('e-2', '1.00')] }) },
    lines: [
      check('old.xml', {
        code: 0,
        says: ['2 rows were asked for on 1999-01-01, 2', 'years ago', 'is this an old file?'],
      }),
      { argv: 'batch plan old.xml', code: 0, says: ['2 rows were asked for on 1999-01-01'] },
      { argv: 'batch show PLAN', code: 0, says: ['2 rows were asked for on 1999-01-01'] },
    ],
  },
  {
    name: '23-dates-1904',
    title: 'a date cell is refused as a key and as a sum',
    files: {
      'd.xlsx': workbook({
        sheets: sheet(
          sheetRow(2, '<c><v>12.5</v></c>', '<c s="1"><v>45992</v></c>'),
          sheetRow(3, '<c s="1"><v>45992</v></c>'),
        ),
      }),
    },
    lines: [check('d.xlsx', { code: 2, says: ['2:1 (key) 45992 is a date', '3:2 (amount) 45992 is a date'] })],
  },
  {
    name: '24-xlsx-other-writers',
    title: 'empty, shared and rich texts, formulas with values and the prefix of another writer are read as shown',
    files: {
      's.xlsx': workbook({
        sheets: sheet(
          '<row><c t="str"><f>1</f><v>k</v></c><c><f>A1</f><v>12.5</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c>' +
            `<c t="s"><v>3</v></c><c t="s"><v>0</v></c></row>`,
        ),
        texts: ['<t/>', '<t>GEL</t>', '<r><t>Sal</t></r><r><t>ary</t></r><rPh><t>x</t></rPh>', `<t>${iban}</t>`],
      }),
    },
    lines: [check('s.xlsx', { code: 0, says: ['GEL 12.50'] })],
  },
  {
    name: '26-national-namespaces',
    title: 'a national namespace is refused by its name, and those that are read are named',
    files: { 'n.xml': painFile().replace('pain.001.001.03', 'pain.001.003.03') },
    lines: [
      check('n.xml', {
        code: 2,
        says: ['pain.001.003.03, which is not read: pain.001.001.03 and pain.001.001.09 are'],
      }),
    ],
  },
  {
    name: '27-pain001-encodings',
    title: 'the declared encoding is honoured',
    files: {
      'l.xml': Buffer.from(
        painFile({ head: "<?xml version='1.0' encoding='ISO-8859-1'?>" }).replace('Nino Beridze', 'J\u00FCrgen'),
        'latin1',
      ),
    },
    lines: [check('l.xml', { code: 0, says: ['pain.001, ISO-8859-1', 'GEL 12.50'] })],
  },
  {
    name: '28-decimal-comma-and-separators',
    title: 'a decimal comma is told how to be written, and a sum with two meanings is refused',
    files: { 'c.csv': csv({ amount: '"12,50"' }, { amount: '1.250' }, { amount: '"1.250,00"' }) },
    lines: [
      check('c.csv', {
        code: 2,
        says: ['write it as 12.50', '1.250 can mean 1250 and 1.250', '1.250,00 has separators', 'in 3 of 3 rows'],
      }),
    ],
  },
  {
    name: '35-xlsx-format-shows-other-currency',
    title: 'a sum whose number format shows another currency than the row has is refused',
    files: {
      'p.xlsx': workbook({
        sheets: sheet(sheetRow(2, '<c s="4"><v>1250.5</v></c>'), sheetRow(3, '<c s="5"><v>80.5</v></c>')),
        formats: ['[$€-2]\\ #,##0.00', '#,##0.00\\ "USD"'],
      }),
    },
    lines: [
      check('p.xlsx', {
        code: 2,
        says: ['2:2 (amount) shows € (EUR)', '3:2 (amount) shows USD', 'and the row says GEL', 'in 2 of 2 rows'],
      }),
    ],
  },
  {
    name: 'foreign-csv',
    title: 'title, sep=, DOS end and foreign headers are one complaint or none, and a first map is written',
    files: {
      'framed.csv': `sep=,\r\n${csv({}).replaceAll('\n', '\r\n')}\r\n\x1A`,
      'foreign.csv': `Gehalt November\n\nBetrag;IBAN;Vorname;Nachname;Verwendungszweck;Abteilung;W\u00E4hrung\n12.50;${iban};Nino;Beridze;Salary;HR;GEL\n`,
    },
    lines: [
      check('framed.csv', { code: 0, says: ['GEL 12.50'] }),
      check('foreign.csv', { code: 2, says: ['has no column for amount, currency, description', '--suggest-map'] }),
      {
        argv: 'batch check foreign.csv --suggest-map',
        code: 0,
        says: ['Betrag: amount', 'IBAN: toIban', 'Verwendungszweck: description', '- Abteilung'],
        keep: 'map.yaml',
      },
      { argv: 'batch check foreign.csv --map map.yaml', code: 0, says: ['GEL 12.50'] },
    ],
  },
  {
    name: '10-pain001-structured-reference-only',
    title: 'a structured reference alone is named, and a map makes it the text',
    files: {
      'strd.xml': painFile({ payments: [payment('e-1').replace('<Ustrd>Salary, November</Ustrd>', structured)] }),
      'ref.yaml': 'columns: { RmtInf/Strd/CdtrRefInf/Ref: description }\n',
      'constant.yaml': 'constants: { description: Invoice }\n',
      'amount.yaml': 'columns: { InstdAmt: amount }\n',
    },
    lines: [
      check('strd.xml', {
        code: 2,
        says: [
          'there is no text for the payee; its structured reference is RF18539007547034, and a --map makes that the text',
        ],
      }),
      { argv: 'batch check strd.xml --map ref.yaml', code: 0, says: ['GEL 12.50'] },
      { argv: 'batch check strd.xml --map constant.yaml', code: 0, says: ['GEL 12.50'] },
      { argv: 'batch check strd.xml --map amount.yaml', code: 2, says: ['--map gives the description alone'] },
      { argv: 'batch plan strd.xml --map ref.yaml', code: 0, says: ['GEL 12.50'] },
      { argv: 'batch run PLAN --yes', code: 0 },
    ],
  },
  {
    name: '11-pain001-inside-of-parties-unchecked',
    title: 'the inside of parties, agents and addresses is passed over, as docs/reference/files.md says',
    files: {
      'parties.xml': painFile().replace('<Dbtr/>', '<Dbtr><PstlAdr><Foo>1</Foo><Ctry>GEO</Ctry></PstlAdr></Dbtr>'),
      'wrong.xml': painFile().replace('<Dbtr/>', '<Dbtr/><Foo/>'),
    },
    lines: [
      check('parties.xml', { code: 0 }),
      check('wrong.xml', { code: 2, says: ['(PmtInf[1]/Foo) is no element'] }),
    ],
  },
  {
    name: '17-replay-told-as-new-in-pain002',
    title: 'a new message about a payment of last month is told as sent before, in every paper',
    files: { 'november.xml': november, 'december.xml': november.replace('m-1', 'm-2').replace('p-1', 'p-2') },
    lines: [
      { argv: 'batch plan november.xml', code: 0 },
      { argv: 'batch run PLAN --yes', code: 0 },
      { argv: 'sandbox clock advance 30d', code: 0 },
      { argv: 'batch plan december.xml', code: 0, says: ['1 row was sent before and is not sent again'] },
      { argv: 'batch run PLAN --yes', code: 0, says: ['nothing was sent'] },
      { argv: 'batch wait PLAN --timeout 2s', code: 0, says: ['sent before'] },
      { argv: 'batch report PLAN --format pain.002', code: 0, says: ['<AddtlInf>'] },
      { argv: 'sandbox ledger --query length(payouts)', code: 0, says: ['1\n'] },
    ],
  },
  {
    name: '20-oaep-hash-and-mgf1',
    title: 'an envelope of Java or of PKCS #1 opens by its scheme, and the doctor names it',
    files: { 'java.json': sealedBy('oaep-sha256-mgf1-sha1'), 'old.json': sealedBy('pkcs1'), 'own.key': ownKey },
    lines: [
      { argv: 'envelope open --file java.json --private-key own.key', code: 0, says: ['12.50'] },
      { argv: 'envelope doctor --file old.json --private-key own.key', code: 0, says: ['--scheme pkcs1'] },
      { argv: 'envelope open --file old.json --private-key own.key --scheme pkcs1', code: 0, says: ['12.50'] },
    ],
  },
  {
    name: '21-base64-plus-urlsafe-lines',
    title: 'an envelope in the base64 of URLs, without padding and in lines, is mended and opened',
    files: { 'mail.json': inMail(sealedBy('pkcs1')), 'own.key': ownKey },
    lines: [{ argv: 'envelope open --file mail.json --private-key own.key --scheme pkcs1', code: 0, says: ['12.50'] }],
  },
  {
    name: '30-same-file-twice',
    title: 'a file that was saved again in another form is known by its rows',
    files: {
      'first.csv': csv({ key: 'k9' }),
      'again.csv': `\uFEFFtoIban;key;amount;currency;description;beneficiaryName\n${iban.replace(/(.{4})/g, '$1 ').trim()};k9;12.5;GEL;Salary;Nino Beridze\n`,
    },
    lines: [
      { argv: 'batch plan first.csv', code: 0 },
      { argv: 'batch run PLAN --yes', code: 0 },
      { argv: 'batch plan again.csv', code: 0, says: ['1 row was sent before and is not sent again'] },
    ],
  },
  {
    name: '34-company-authority',
    title: 'a certificate that nobody here vouches for is refused at once, and --ca-file is named',
    files: {},
    profile: async (home) => {
      const { url } = await serviceByHand(undefined, true)
      await addHandProfile(home, url.replace('127.0.0.1', 'localhost'))
    },
    lines: [{ argv: 'payout balance -p hand', code: 11, says: ['--ca-file'], never: ['once more'] }],
  },
]

const titled = cases.map((each) => [`${each.name}: ${each.title}`, each] as const)

test.each(titled)('%s', { timeout: 30_000 }, async (_title, { files, profile, lines }) => {
  const home = newHome()
  await profile?.(home)
  const paths = new Map(Object.keys(files).map((name) => [name, join(home, name)]))
  for (const [name, content] of Object.entries(files)) writeFileSync(paths.get(name) ?? '', content)
  let planId = ''
  for (const { argv, code, says = [], never = [], keep } of lines) {
    const words = argv.split(' ').map((word) => (word === 'PLAN' ? planId : (paths.get(word) ?? word)))
    const ended = await paydesk(profile ? words : [...words, '-p', 'sandbox'], { home })
    const said = `${ended.stdout}\n${ended.stderr}`
    expect(ended.code, `${argv}\n${said}`).toBe(code)
    for (const each of says) expect(said).toContain(each)
    for (const each of never) expect(said).not.toContain(each)
    if (keep !== undefined) {
      paths.set(keep, join(home, keep))
      writeFileSync(join(home, keep), ended.stdout)
    }
    planId = /Plan (b-[0-9a-f]{12})/.exec(ended.stdout)?.[1] ?? planId
  }
})
