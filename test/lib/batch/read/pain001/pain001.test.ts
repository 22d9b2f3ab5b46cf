import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type ColumnMap, noMap } from '../../../../../src/lib/batch/read/column-map.ts'
import { fromMinorUnits } from '../../../../../src/lib/contract/core/decimal.ts'
import { now, type PainParts, painFile, payment, readWhole } from '../../../../kit/batch.ts'

test('a payment is a payout, and keeps what its answer needs', async () => {
  const { file, rows, complaints } = await readWhole(
    painFile({
      sum: '<CtrlSum>12.5</CtrlSum>',
      block: '<NbOfTxs>00001</NbOfTxs><CtrlSum>12.500</CtrlSum>',
      payments: [payment('emp-1', ' +012.500 ', '', 'i-emp-1')],
    }),
  )
  expect(complaints).toEqual([])
  const message = {
    ...{ version: 'pain.001.001.03', messageId: 'm-1', createdAt: '2026-11-23T09:00:00', count: '1', sum: '12.5' },
  }
  const iban = 'GE29NB0000000101904917'
  const block = {
    ...{ number: 1, paymentInformationId: 'p-1', count: '00001', sum: '12.500' },
    ...{ executionDate: '2026-11-23', debtorIban: 'GE60NB0000000123456789' },
  }
  expect(rows).toEqual([
    {
      ...{ kind: 'row', number: 1, key: 'emp-1' },
      request: {
        ...{ amount: '12.50', currency: 'GEL', description: 'Salary, November' },
        ...{ beneficiaryName: 'Nino Beridze', toIban: iban },
      },
      source: ['p-1', 'i-emp-1', 'emp-1', '', ' +012.500 ', 'GEL', 'Nino Beridze', iban, 'Salary, November'],
      payment: {
        ...{ message, block, instructionId: 'i-emp-1', endToEndId: 'emp-1', uetr: null },
        ...{ amount: ' +012.500 ', currency: 'GEL' },
      },
    },
  ])
  expect(file.summary()).toMatchObject({ rows: 1, refused: 0, totals: new Map([['GEL', 1250n]]), message })
})

test('version 09 has its own dates, and a UETR', async () => {
  const uetr = '4f1d5c0e-9d7a-4b0e-8a3f-0a1b2c3d4e5f'
  const one = payment('a').replace('</PmtId>', `<UETR>${uetr}</UETR></PmtId>`)
  const { rows, complaints } = await readWhole(painFile({ version: '09', payments: [one] }))
  expect(complaints).toEqual([])
  expect(rows[0]?.payment).toMatchObject({ uetr, block: { executionDate: '2026-11-23' } })
  const old = await readWhole(painFile({ payments: [one] }))
  expect(old.complaints).toEqual(['file:1 (PmtId/UETR) is no element of this place in the schema'])
})

test('NOTPROVIDED is no key, and may stand often', async () => {
  const { rows, complaints } = await readWhole(painFile({ payments: [payment('NOTPROVIDED'), payment('NOTPROVIDED')] }))
  expect(complaints).toEqual([])
  expect(rows.map(({ key }) => key)).toEqual([null, null])
})

test('any prefix, comments, CDATA and character references are XML', async () => {
  const text = painFile({ payments: [payment('<!-- x --><![CDATA[1E]]>&#53;', '1&#50;.50')] })
  const prefixed = text
    .replace(/<(\/?)([A-Z])/g, '<$1p:$2')
    .replace('xmlns=', 'xmlns:p=')
    .replace('p:![', '![')
  for (const each of [text, prefixed, `\uFEFF${text}`]) {
    const { rows, complaints } = await readWhole(each)
    expect(complaints).toEqual([])
    expect(rows[0]).toMatchObject({ key: '1E5', request: { amount: '12.50' } })
  }
})

test('the declared encoding is honoured, and a byte that is none of it ends the reading', async () => {
  const named = painFile({ payments: [payment('ü-1')] })
  const latin = Buffer.from(named.replace('UTF-8', 'ISO-8859-1'), 'latin1')
  expect((await readWhole(latin)).rows[0]?.key).toBe('ü-1')
  const lying = await readWhole(Buffer.from(named, 'latin1'))
  expect(lying.complaints).toEqual(['file holds the byte FC, which is not UTF-8: save the file as UTF-8'])
  const wide = Buffer.from(`\uFEFF${named.replace('UTF-8', 'UTF-16')}`, 'utf16le')
  expect((await readWhole(wide)).rows[0]?.key).toBe('ü-1')
})

type Payment = Parameters<typeof payment>

/** Each has one complaint: a message of these parts, or of these payments, or with a text replaced. */
const wrongParts: readonly (readonly [what: string, PainParts, RegExp])[] = [
  ['a date to come', { date: '2026-11-24' }, /PmtInf\[1\]\/ReqdExctnDt\) is 2026-11-24: payouts are sent at once/],
  ['a wrong count', { count: '2' }, /GrpHdr\/NbOfTxs\) says 2, and there is 1/],
  ['a sum out of floats', { sum: '<CtrlSum>12.499999999</CtrlSum>' }, /says 12.499999999, and the amounts are 12.50/],
]

const wrongPayments: readonly (readonly [what: string, readonly Payment[], RegExp])[] = [
  ['a third decimal', [['a', '12.505']], /InstdAmt\) has more than 2 decimals/],
  ['an exponent', [['a', '1E3']], /InstdAmt\) must be a decimal number/],
  ['separators', [['a', '1,250.00']], /InstdAmt\) must be a decimal number/],
  ['a negative sum', [['a', '-5']], /InstdAmt\) must not be less than 0/],
  ['an id of 36 characters', [['a'.repeat(36)]], /EndToEndId\) has 36 characters, and 35/],
  ['a key that is repeated', [['a'], ['a']], /file:2 \(PmtId\/EndToEndId\) has the same key as row 1/],
  [
    'an instruction that is repeated',
    [
      ['a', '1', '', 'i'],
      ['b', '1', '', 'i'],
    ],
    /InstrId\) has the same id as row 1/,
  ],
  ['an element in the wrong place', [['a', '1', '<Amt/>']], /Amt\) stands more than once/],
  ['an order that is not that of the schema', [['a', '1', '<CdtrAgt/>']], /CdtrAgt\) stands behind CdtrAcct/],
  ['an element of another namespace', [['a', '1', '<x:Purp xmlns:x="y"/>']], /Purp\) is no element/],
  ['an element inside a value', [['<b/>']], /EndToEndId\) has the element b inside/],
]

const equivalent = '<EqvtAmt><Amt Ccy="GEL">5</Amt><CcyOfTrf>USD</CcyOfTrf></EqvtAmt>'

const wrongTexts: readonly (readonly [what: string, find: string | RegExp, put: string, RegExp])[] = [
  ['a cheque', 'TRF', 'CHK', /PmtInf\[1\]\/PmtMtd\) is CHK/],
  ['another currency', 'Ccy="GEL"', 'Ccy="CHF"', /@Ccy\) must be one of GEL/],
  ['a strange attribute', ' Ccy="GEL"', ' Ccy="GEL" Sgn="-"', /\(Amt\/InstdAmt\) has the attribute Sgn/],
  ['a currency of something that is no amount', '<Ustrd>', '<Ustrd Ccy="USD">', /Ustrd\) has the attribute Ccy/],
  ['no currency', ' Ccy="GEL"', '', /@Ccy\) is missing/],
  ['a missing element', '<DbtrAgt/>', '', /PmtInf\[1\]\/DbtrAgt\) is missing/],
  ['no IBAN', /<IBAN>GE29.*?<\/IBAN>/, '<Othr><Id>1</Id></Othr>', /the account is not an IBAN/],
  ['an equivalent amount', /<InstdAmt.*?<\/InstdAmt>/, equivalent, /an EqvtAmt is refused/],
  ['a character of no bank statement', 'Salary, ', 'Salary_', /Ustrd\) "_" \(U\+005F\) at position 7/],
  ['two texts', '</Ustrd>', '</Ustrd><Ustrd>_</Ustrd>', /Ustrd\) "_" \(U\+005F\) at position 18/],
]

test.each([
  ...wrongParts.map(([what, parts, words]) => [what, painFile(parts), words] as const),
  ...wrongPayments.map(([what, all, words]) => {
    return [what, painFile({ payments: all.map((each) => payment(...each)) }), words] as const
  }),
  ...wrongTexts.map(([what, find, put, words]) => [what, painFile().replace(find, put), words] as const),
])('%s is refused', async (_what, text, words) => {
  const { complaints, rows } = await readWhole(text)
  expect(complaints).toEqual([expect.stringMatching(words)])
  expect(rows.length).toBeLessThan(2)
})

describe('the account that is debited', () => {
  const two = painFile({ count: '2' }).replace(/<PmtInf>[\s\S]*<\/PmtInf>/, (block) => {
    const other = block.replace('p-1', 'p-2').replaceAll('emp-1', 'emp-2')
    return block + other.replace('GE60NB0000000123456789', 'GE29NB0000000101904917')
  })

  test('is sent where the profile may choose it', async () => {
    const circumstances = { permits: new Set(['fromIban'] as const), orderType: null, now }
    const { rows, complaints } = await readWhole(two, { debits: 'any-account', circumstances })
    expect(complaints).toEqual([])
    expect(rows.map(({ request }) => request.fromIban)).toEqual(['GE60NB0000000123456789', 'GE29NB0000000101904917'])
  })

  test('must be one and the same where it may not', async () => {
    const { complaints } = await readWhole(two, { debits: 'one-account' })
    expect(complaints).toEqual([expect.stringContaining('PmtInf[2]/DbtrAcct/Id/IBAN) is another account')])
    expect((await readWhole(painFile(), { debits: 'one-account' })).complaints).toEqual([])
  })

  test('is left alone where no profile is known', async () => {
    const { rows, complaints } = await readWhole(two)
    expect(complaints).toEqual([])
    expect(rows.map(({ request }) => request.fromIban)).toEqual([undefined, undefined])
  })
})

const laughs = `<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>`

describe('a file that is made to do harm ends at once, in one sentence', () => {
  const attributes = Array.from({ length: 5000 }, (_, at) => `a${at}="1"`).join(' ')

  test.each<[string, string, RegExp]>([
    ['an entity bomb', painFile({ head: laughs }), /^file has a DOCTYPE, which is refused: it could define entities$/],
    [
      'an entity of nobody',
      painFile({ payments: [payment('&a;')] }),
      /^file is not well-formed XML: .*undefined entity/,
    ],
    ['a DOCTYPE without end', `<!DOCTYPE l [${'<!ENTITY a "x">'.repeat(500_000)}`, /longer than 1 MiB$/],
    ['a text without end', painFile({ payments: [payment('a'.repeat(5_000_000))] }), /longer than 1 MiB/],
    ['a tag without end', `<Document ${'a'.repeat(5_000_000)}`, /longer than 1 MiB/],
    ['many attributes', `<Document ${attributes}>`, /too many attributes/],
    ['depth', painFile({ payments: [payment('a', '1', '<a>'.repeat(100_000))] }), /nested deeper than 64 elements$/],
    ['an end in the middle', painFile().slice(0, -40), /^file is not well-formed XML/],
    ['another document', '<html><body/></html>', /^file begins with <html>: a pain.001 begins with <Document>$/],
    [
      'an unknown encoding',
      painFile({ head: '<?xml version="1.0" encoding="x-none"?>' }),
      /x-none, which is not known/,
    ],
  ])('%s', async (_what, text, words) => {
    expect((await readWhole(text)).complaints.at(-1)).toMatch(words)
  })
})

describe('pain.001: a map gives a text to payments that have none', () => {
  const reference = '<Strd><CdtrRefInf><Ref>RF18539007547034</Ref></CdtrRefInf></Strd>'
  const without = payment('e-1').replace('<Ustrd>Salary, November</Ustrd>', reference)
  const way = 'RmtInf/Strd/CdtrRefInf/Ref'
  const map = (parts: Partial<ColumnMap>): ColumnMap => ({ ...noMap, ...parts })

  test.each([
    ['the reference', { columns: new Map([[way, 'description']]) }, 'RF18539007547034'],
    ['a constant', { constants: new Map([['description', 'Invoice']]) }, 'Invoice'],
    [
      'several joined',
      { joins: new Map([['description', { columns: [way, 'EndToEndId'], between: ', ' }]]) },
      'RF18539007547034, e-1',
    ],
  ])('%s', async (_what, parts, description) => {
    const { rows, complaints } = await readWhole(painFile({ payments: [without, payment('e-2')] }), { map: map(parts) })
    expect(complaints).toEqual([])
    expect(rows.map(({ request }) => request.description)).toEqual([description, 'Salary, November'])
  })

  test.each([
    ['another field', { columns: new Map([['InstdAmt', 'amount']]) }, 'gives the description alone'],
    [
      'an unknown element',
      { columns: new Map([['RmtInf/Foo', 'description']]) },
      '--map names RmtInf/Foo: it can name',
    ],
    ['an ignored column', { ignored: new Set(['InstrId']) }, 'gives the description alone'],
  ])('%s is refused', async (_what, parts, words) => {
    const { rows, complaints } = await readWhole(painFile({ payments: [without] }), { map: map(parts) })
    expect([rows, complaints.join()]).toEqual([[], expect.stringContaining(words)])
  })

  test('without a map the complaint names the reference and the map', async () => {
    const { complaints } = await readWhole(painFile({ payments: [without] }))
    expect(complaints.join()).toContain(
      `its structured reference is RF18539007547034, and a --map makes that the text: columns: {${way}: description}`,
    )
  })
})

// Payment files of other people's libraries, and what must be said of them (test/vectors/README.md).

interface Said {
  readonly kind: string
  readonly at?: string
  readonly tx?: number
  readonly says?: string
  readonly is?: string
}

interface Vector {
  readonly sha256: string
  readonly result: 'ok' | 'refused'
  readonly transactions: number
  readonly sums: Readonly<Record<string, string>>
  readonly errors: readonly Said[]
  readonly either?: boolean
  readonly mayAlso?: readonly string[]
}

const home = join(import.meta.dirname, '../../../../vectors/pain001')
const { files } = JSON.parse(readFileSync(join(home, 'expected.json'), 'utf8')) as { files: Record<string, Vector> }

/** The words of paydesk for each kind, behind the place. */
const words: Readonly<Record<string, RegExp>> = {
  'text-in-structure': /text between its elements/,
  'account-not-iban': /CdtrAcct\/Id\/IBAN\) .*the account is not an IBAN/,
  'account-missing': /CdtrAcct\/Id\/IBAN\) is missing: there is no account/,
  'count-mismatch': /says \d+, and there (is|are) \d+/,
  'control-sum-mismatch': /says [\d.]+, and the amounts are/,
  'duplicate-key': /EndToEndId\) has the same key as row \d+/,
  'duplicate-pmtinfid': /PmtInfId\) has the same id as PmtInf\[\d+\]/,
  'iban-invalid': /CdtrAcct\/Id\/IBAN\) has wrong check digits/,
  'iban-not-georgian': /CdtrAcct\/Id\/IBAN\).*must be a Georgian IBAN/,
  'namespace-unsupported': /has the namespace .*, which is not read/,
  'description-missing': /RmtInf\/Ustrd\) is missing/,
  'debtor-iban-invalid': /DbtrAcct\/Id\/IBAN\)/,
  schema: /in the schema|is missing|must have/,
}

function placeOf({ tx, at }: Said): string {
  if (tx !== undefined) return `file:${tx} (`
  return at === 'Document' ? 'file' : `file (${at})`
}

const isSaid = (said: Said) => (line: string) =>
  line.startsWith(placeOf(said)) &&
  words[said.kind]?.test(line) === true &&
  (said.says === undefined || line.includes(said.says)) &&
  (said.is === undefined || line.endsWith(` ${said.is}`))

describe.each(Object.entries(files))('%s', (name, expected) => {
  const bytes = readFileSync(join(home, name))

  test('is unchanged', () => {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(expected.sha256)
  })

  test('has every complaint that it must have, and none that would be wrong', async () => {
    const { complaints, rows } = await readWhole(bytes)
    const found = expected.errors.map((said) => complaints.some(isSaid(said)))
    expect(complaints.length > 0).toBe(expected.result === 'refused')
    if (expected.either) expect(found).toContain(true)
    else expect(found, complaints.join('\n')).not.toContain(false)
    const others = complaints.filter((line) => !expected.errors.some((said) => isSaid(said)(line)))
    const allowed = (expected.mayAlso ?? []).map((kind) => words[kind])
    expect(others.filter((line) => !allowed.some((each) => each?.test(line)))).toEqual([])
    expect(rows).toHaveLength(0)
  })

  test('is counted and added up, where it is read', async () => {
    const { file, complaints } = await readWhole(bytes)
    const { rows, totals } = file.summary()
    if (complaints.some((line) => words['namespace-unsupported']?.test(line))) expect(rows).toBe(0)
    else {
      const sums = Object.fromEntries([...totals].map(([currency, units]) => [currency, fromMinorUnits(units)]))
      expect([rows, sums]).toEqual([expected.transactions, expected.sums])
    }
  })
})
