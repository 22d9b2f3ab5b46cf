/** Payment files of other people's libraries, and what must be said of them (test/vectors/README.md). */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fromMinorUnits } from '../../../../../src/lib/contract/core/decimal.ts'
import { readWhole } from '../../../../kit/batch/read.ts'

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
  'account-not-iban': /CdtrAcct\/Id\/IBAN\) .*the account is no IBAN/,
  'account-missing': /CdtrAcct\/Id\/IBAN\) is missing: there is no account/,
  'count-mismatch': /says \d+, and there (is|are) \d+/,
  'control-sum-mismatch': /says [\d.]+, and the amounts are/,
  'duplicate-key': /EndToEndId\) has the key of row \d+ once more/,
  'duplicate-pmtinfid': /PmtInfId\) has the id of PmtInf\[\d+\] once more/,
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
    const { rows, totals } = file.told()
    if (complaints.some((line) => words['namespace-unsupported']?.test(line))) expect(rows).toBe(0)
    else {
      const sums = Object.fromEntries([...totals].map(([currency, units]) => [currency, fromMinorUnits(units)]))
      expect([rows, sums]).toEqual([expected.transactions, expected.sums])
    }
  })
})
