import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Asker } from '../../../../src/lib/cli/prompts/ask.ts'
import { type Consent, requireConsent, sameConsent } from '../../../../src/lib/cli/prompts/confirm.ts'
import { fromMinorUnits } from '../../../../src/lib/contract/core/decimal.ts'
import { Failure } from '../../../../src/lib/failure.ts'

const live = { live: true, lines: ['GEL 12.50', 'to  Nino'], phrase: 'GEL 12.50' }
const box = { ...live, live: false }

/** A person with the same answers to every question; an answer that a rule does not take is asked for again. */
function person(...answers: string[]): Asker & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async text({ message, validate }) {
      for (;;) {
        asked.push(message)
        const answer = answers.shift()
        if (answer === undefined) throw new Error('there is nothing more to say')
        if ((await validate(answer)) === true) return answer
      }
    },
    hidden: () => Promise.reject(new Error('nothing is secret')),
    choice: () => Promise.reject(new Error('nobody offered a choice')),
    document: () => Promise.reject(new Error('there is nothing to write')),
  }
}

async function exitOf(work: Promise<unknown>): Promise<number> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error === null) return 0
  if (!(error instanceof Failure)) throw error
  return error.exit
}

describe('the words of consent', () => {
  test.each([
    ['GEL 12.5', 'gel 12.50'],
    ['GEL 12', 'GEL 12.00'],
    [' gel   12.50 ', 'GEL 12.50'],
    ['GEL 0.1', 'GEL 0.10'],
    ['0b5f0f0e', ' 0b5f0f0e '],
    ['USD 5 + gel 12.5', 'GEL 12.50 + USD 5.00'],
    ['gel 15 Every 2  months', 'GEL 15.00 every 2 months'],
  ])('%j is %j', (typed, phrase) => {
    expect(sameConsent(typed, phrase)).toBe(true)
    expect(sameConsent(phrase, typed)).toBe(true)
  })

  test.each([
    ...['GEL 12.51', 'USD 12.50', 'GEL 125.0', 'GEL 1250', '12.50', 'GEL12.50', 'GEL 12,50', 'GEL 12.500'],
    ...['GEL 012.50', 'GEL 12.50 GEL', 'GEL 12.50 every month', 'GEL', 'yes', ''],
  ])('%j is not GEL 12.50', (typed) => {
    expect(sameConsent(typed, 'GEL 12.50')).toBe(false)
  })

  test('the parts of an id in another order, or in other capitals, are another id', () => {
    expect(sameConsent('b+a', 'a+b')).toBe(false)
    expect(sameConsent('a+b', 'a+b')).toBe(true)
    expect(sameConsent('ABC', 'abc')).toBe(false)
  })

  test('two sums are the same exactly if they are the same in minor units', () => {
    const sum = fc.bigInt(0n, 10n ** 12n)
    fc.assert(
      fc.property(sum, sum, fc.boolean(), (a, b, same) => {
        const other = same ? a : b
        expect(sameConsent(`gel ${fromMinorUnits(a)}`, `GEL ${fromMinorUnits(other)}`)).toBe(a === other)
      }),
    )
  })
})

describe('flags', () => {
  const cases: readonly (readonly [string, typeof live, Consent, number])[] = [
    ['--confirm with the sum on a live profile', live, { confirm: 'gel 12.5' }, 0],
    ['--confirm with the sum elsewhere', box, { confirm: 'GEL 12.50' }, 0],
    ['--confirm with another sum on a live profile', live, { confirm: 'GEL 12.51' }, 3],
    ['--confirm with another sum elsewhere, --yes or not', box, { confirm: 'GEL 12.51', yes: true }, 3],
    ['--confirm without a word', live, { confirm: '' }, 3],
    ['--yes elsewhere', box, { yes: true }, 0],
    ['--yes on a live profile', live, { yes: true }, 2],
    ['--yes and --confirm on a live profile', live, { yes: true, confirm: 'GEL 12.50' }, 0],
    ['no flag and nobody to ask on a live profile', live, {}, 2],
    ['no flag and nobody to ask elsewhere', box, {}, 2],
  ]
  test.each(cases)('%s', async (_what, what, consent, exit) => {
    expect(await exitOf(requireConsent(what, consent, null))).toBe(exit)
    // A person with the flag is not asked as well.
    const somebody = person()
    if (Object.keys(consent).length > 0) expect(await exitOf(requireConsent(what, consent, somebody))).toBe(exit)
    expect(somebody.asked).toEqual([])
  })

  test('the missing flag is named word for word', async () => {
    await expect(requireConsent(live, {}, null)).rejects.toThrow('no terminal is attached; add --confirm "GEL 12.50"')
    await expect(requireConsent(box, {}, null)).rejects.toThrow('no terminal is attached; add --yes')
    await expect(requireConsent(live, { yes: true }, null)).rejects.toThrow('confirm with --confirm "GEL 12.50"')
    await expect(requireConsent(live, { confirm: 'GEL 1' }, null)).rejects.toThrow(
      '--confirm is "GEL 1", but this is "GEL 12.50"; nothing was sent',
    )
  })
})

test('questions: a request that may be edited is sent, edited or not sent', async () => {
  for (const typed of ['send', 'yes', 'y', ' SEND ']) {
    expect(await requireConsent({ ...box, mayEdit: true }, {}, person(typed))).toBe('agreed')
  }
  expect(await requireConsent({ ...box, mayEdit: true }, {}, person('', 'mend', 'Edit'))).toBe('edit')
  expect(await requireConsent({ ...live, mayEdit: true }, {}, person('send', 'y', 'edit'))).toBe('edit')
  expect(await requireConsent({ ...box, mayEdit: true }, {}, person('<')), 'the way back of every dialog').toBe('edit')
  for (const typed of ['no', 'n', 'cancel']) {
    expect(await exitOf(requireConsent({ ...box, mayEdit: true }, {}, person(typed)))).toBe(3)
    expect(await exitOf(requireConsent({ ...live, mayEdit: true }, {}, person(typed)))).toBe(3)
  }
})

test.each([
  ['a live profile', live],
  ['elsewhere', box],
])('what is stopped cannot be agreed to on %s, by no word and not by its sum', async (_, what) => {
  const asker = person('send', 'yes', 'GEL 12.50', 'cancel')
  const ended = requireConsent({ ...what, isStopped: true }, {}, asker)
  await expect(ended).rejects.toMatchObject({ kind: 'declined', message: 'you cancelled; nothing was sent' })
})
