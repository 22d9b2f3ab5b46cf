import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { Failure } from '../../src/lib/failure.ts'
import { blank, fact, filledIn, hint, hintInWords, ofProfile, paste } from '../../src/lib/hint.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const toShop = () => 'shop'

describe('a line to paste', () => {
  test.each([
    ['payout wait', ['7'], 'paydesk payout wait 7 -p shop'],
    ['profile check', [], 'paydesk profile check -p shop'],
    ['envelope doctor', [], 'paydesk envelope doctor -p shop'],
    ['resume', ['j-3f9a1c2b7d10'], 'paydesk resume j-3f9a1c2b7d10'],
    ['journal list', [], 'paydesk journal list'],
    ['profile remove', ['acme'], 'paydesk profile remove acme'],
  ])('names the profile where the command acts as one: %s', (command, args, told) => {
    expect(hintInWords(hint`${paste(command, ...args)}`, toShop)).toBe(told)
  })

  test('names the profile it was made for, and that of the run where it was made for none', () => {
    const advice = hint`First \`${paste('payout get', '1')}\`, then \`${paste('resume', 'j-1')}\`.`
    expect(hintInWords(ofProfile(advice, 'acme'))).toBe(
      'First `paydesk payout get 1 -p acme`, then `paydesk resume j-1`.',
    )
    expect(hintInWords(ofProfile(ofProfile(advice, 'acme'), 'other'))).toContain('-p acme')
    expect(hintInWords(advice)).toBe('First `paydesk payout get 1`, then `paydesk resume j-1`.')
  })

  test('leaves places open as they are written, until what belongs there is known', () => {
    const advice = hint`See \`${paste('wallet details', fact('uniqueId'), '--json', blank('"…"'))}\`.`
    expect(hintInWords(advice)).toBe('See `paydesk wallet details <uniqueId> --json "…"`.')
    expect(hintInWords(filledIn(advice, { uniqueId: 'a b' }))).toBe(`See \`paydesk wallet details 'a b' --json "…"\`.`)
  })

  test('is text in the error line of --json', () => {
    const failure = new Failure('pending', 'not yet', { hints: [hint`Wait on: \`${paste('order wait', '7')}\`.`] })
    expect(failure.toLine(toShop).error.hints).toEqual(['Wait on: `paydesk order wait 7 -p shop`.'])
  })

  const argument = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom("'", '"', '\\', '$', '`', ' ', '\n', '!', '~', '*', '<', '-', '=', '#', 'a') }),
  )
  const possible = argument.map((text) => text.replaceAll('\0', ''))

  test('is read back by sh as the very arguments that it was made of', () => {
    const program = 'paydesk() { for word; do printf "%s\\0" "$word"; done; }\n'
    fc.assert(
      fc.property(fc.array(possible), possible, (args, profile) => {
        const line = hintInWords(ofProfile(hint`${paste('payout get', ...args)}`, profile))
        const read = execFileSync('sh', ['-c', `${program}${line}`]).toString()
        // Half a surrogate is no character, and leaves the program as the sign for one.
        const sent = Buffer.from(
          ['payout', 'get', ...args, '-p', profile].map((word) => `${word}\0`).join(''),
        ).toString()
        expect(read).toBe(sent)
      }),
      { numRuns: 150 },
    )
  })
})
