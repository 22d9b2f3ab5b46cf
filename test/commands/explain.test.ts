import { expect, test } from 'vitest'
import { meaningsOfWord } from '../../src/lib/cli/help/explain.ts'
import { codesOf } from '../../src/lib/contract/codes/code-book.ts'
import { orderStatuses, subscriptionStatuses } from '../../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../../src/lib/contract/payout/status.ts'
import { walletCreationStatuses, walletResults, walletStatuses } from '../../src/lib/contract/wallet/status.ts'
import { failures } from '../../src/lib/failure.ts'
import { intentStates } from '../../src/lib/journal/verdict.ts'
import { newHome, paydesk } from '../kit/program.ts'

interface Meaning {
  readonly kind: string
  readonly about: string
  readonly moneyMoved: string
  readonly exit: number | null
  readonly [member: string]: unknown
}

const home = newHome()

/** What the function that decides says of a word. */
const meaningsOf = (word: string): readonly Meaning[] => meaningsOfWord(word, (profile) => profile)

/** What the command says. */
async function told(...argv: readonly string[]): Promise<readonly Meaning[]> {
  const ended = await paydesk([...argv, '--json'], { home })
  expect(ended.code, `${argv.join(' ')}: ${ended.stderr}`).toBe(0)
  return JSON.parse(ended.stdout) as Meaning[]
}

const allCodes = [...new Set((['A', 'B', 'C', 'D'] as const).flatMap((area) => [...codesOf(area).keys()]))]
const tables = [
  payoutStatuses,
  orderStatuses,
  subscriptionStatuses,
  walletCreationStatuses,
  walletResults,
  walletStatuses,
]
const allStatuses = [...new Set(tables.flatMap((table) => Object.keys(table)))]

test('explain: every code of the service is found, and one that may have been executed says that money is unknown', () => {
  expect(allCodes.length).toBeGreaterThan(80)
  for (const code of allCodes) {
    const found = meaningsOf(String(code)).filter(({ kind }) => kind === 'code')
    expect(found.length, String(code)).toBeGreaterThan(0)
    for (const [at, area] of (['A', 'B'] as const).filter((each) => codesOf(each).has(code)).entries()) {
      const { ran, exit } = codesOf(area).get(code) ?? {}
      expect(found[at]?.moneyMoved.startsWith('unknown'), String(code)).toBe(ran === 'unknown')
      expect(found[at]?.exit).toBe(failures[exit ?? 'bug'].exit)
      expect(found[at]?.next).toMatch(/\S/)
    }
  }
})

test('explain: every status of payouts, orders, subscriptions and wallet orders is found, in any capitals', () => {
  for (const status of allStatuses) {
    const found = meaningsOf(status.toLowerCase())
    const kinds = tables.filter((table) => Object.hasOwn(table, status)).length
    expect(found.filter(({ kind }) => kind === 'status').length, status).toBeGreaterThanOrEqual(kinds)
  }
  expect(meaningsOf('REFUNDED_BY_ACME')).toMatchObject([{ moneyMoved: 'yes' }, { moneyMoved: 'yes' }])
})

test.each([
  ['5038', /unless its HTTP status is 5xx \(then unknown\)/],
  ['6005', /unless its HTTP status is 5xx or its exceptionGroup 4, 6 or 7 \(then unknown\)/],
  // Believed with HTTP 500, whatever its group: nothing was opened.
  ['6010', /unless its HTTP status is 5xx other than 500 \(then unknown\)/],
])('explain %s: money is told as the rule for answers believes the code', (code, money) => {
  expect(meaningsOf(code)[0]?.moneyMoved).toMatch(money)
})

test('explain FAILED: an order that may still be paid until --valid-until is told as not decided (8)', () => {
  const found = meaningsOf('FAILED')
  expect(found.find(({ about }) => about === 'an order')).toMatchObject({ moneyMoved: 'no', exit: 5 })
  const before = found.find(({ about }) => about.includes('--valid-until'))
  expect(before).toMatchObject({ moneyMoved: 'not decided: it may still be paid', exit: 8 })
})

test('explain: every exit code is found by number and by name, and every state of the journal by name', () => {
  for (const [name, { exit, means, moneyMoved }] of Object.entries(failures)) {
    const meaning = {
      kind: 'exit-code',
      word: String(exit),
      name,
      means,
      moneyMoved,
      next: expect.stringMatching(/\S/),
    }
    expect(meaningsOf(String(exit))).toEqual([expect.objectContaining(meaning)])
    expect(meaningsOf(name)).toContainEqual(expect.objectContaining(meaning))
  }
  expect(meaningsOf('0')).toMatchObject([{ name: 'done', next: 'Nothing.' }])
  for (const state of intentStates) {
    expect(meaningsOf(state)).toContainEqual(expect.objectContaining({ kind: 'state', word: state }))
  }
})

test.each(['5038', 'rejected', '9', 'held'])(
  'explain %s: the command and help show its meaning, and whether money moved',
  async (word) => {
    expect(await told('explain', word)).toEqual(meaningsOf(word))
    expect(await told('help', word)).toEqual(meaningsOf(word))
    const [explained, helped] = [await paydesk(['explain', word], { home }), await paydesk(['help', word], { home })]
    expect(helped.stdout).toBe(explained.stdout)
    expect(explained.stdout).toMatch(/^money moved {2}/m)
  },
)

test('explain: an unknown code is 6 and proves nothing; help with a mistyped topic, and explain without a word, are 2', async () => {
  const ended = await paydesk(['explain', '5999', '--json'], { home })
  expect(ended.code).toBe(6)
  expect(ended.error.hints).toContainEqual(expect.stringContaining('proves nothing'))
  expect((await paydesk(['help', '5999'], { home })).code).toBe(6)
  expect((await paydesk(['help', 'payuot'], { home })).code).toBe(2)
  expect((await paydesk(['explain'], { home })).code).toBe(2)
})

test('explain: a word of people for a status leads to it (6)', async () => {
  const ended = await paydesk(['explain', 'paid', '--json'], { home })
  expect(ended).toMatchObject({ code: 6, error: { hints: ['`paydesk explain SUCCESS` explains it.'] } })
})
