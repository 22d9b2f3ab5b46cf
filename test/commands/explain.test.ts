import { describe, expect, test } from 'vitest'
import { codesOf } from '../../src/lib/contract/codes/code-book.ts'
import { orderStatuses, subscriptionStatuses } from '../../src/lib/contract/order/status.ts'
import { payoutStatuses } from '../../src/lib/contract/payout/status.ts'
import { walletCreationStatuses, walletResults, walletStatuses } from '../../src/lib/contract/wallet/status.ts'
import { failures } from '../../src/lib/failure.ts'
import { intentStates } from '../../src/lib/journal/verdict.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'

interface Meaning {
  readonly kind: string
  readonly about: string
  readonly moneyMoved: string
  readonly exit: number | null
  readonly [member: string]: unknown
}

const home = newHome()

async function meaningsOf(word: string, ...command: readonly string[]): Promise<readonly Meaning[]> {
  const ended = await paydesk([...(command.length > 0 ? command : ['explain']), word, '--json'], { home })
  expect(ended.code, `${word}: ${ended.stderr}`).toBe(0)
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

describe('explain', () => {
  test('explains every code of the service, and denies nothing that may have been executed', async () => {
    expect(allCodes.length).toBeGreaterThan(80)
    for (const code of allCodes) {
      const found = (await meaningsOf(String(code))).filter(({ kind }) => kind === 'code')
      expect(found.length, String(code)).toBeGreaterThan(0)
      for (const [at, area] of (['A', 'B'] as const).filter((each) => codesOf(each).has(code)).entries()) {
        const { ran, exit } = codesOf(area).get(code) ?? {}
        expect(found[at]?.moneyMoved.startsWith('unknown'), String(code)).toBe(ran === 'unknown')
        expect(found[at]?.exit).toBe(failures[exit ?? 'bug'].exit)
        expect(found[at]?.next).toMatch(/\S/)
      }
    }
  })

  test('explains every status of each kind of thing, in any capitals', async () => {
    for (const status of allStatuses) {
      const found = await meaningsOf(status.toLowerCase())
      const kinds = tables.filter((table) => Object.hasOwn(table, status)).length
      expect(found.filter(({ kind }) => kind === 'status').length, status).toBeGreaterThanOrEqual(kinds)
    }
    expect(await meaningsOf('REFUNDED_BY_ACME')).toMatchObject([{ moneyMoved: 'yes' }, { moneyMoved: 'yes' }])
  })

  test('says that a failed order may still be paid until its --valid-until', async () => {
    const found = await meaningsOf('FAILED')
    expect(found.find(({ about }) => about === 'an order')).toMatchObject({ moneyMoved: 'no', exit: 5 })
    const before = found.find(({ about }) => about.includes('--valid-until'))
    expect(before).toMatchObject({ moneyMoved: 'not decided: it may still be paid', exit: 8 })
  })

  test('explains every exit code by its number and its name, and every state', async () => {
    for (const [name, { exit, means, moneyMoved }] of Object.entries(failures)) {
      const meaning = {
        kind: 'exit-code',
        word: String(exit),
        name,
        means,
        moneyMoved,
        next: expect.stringMatching(/\S/),
      }
      expect(await meaningsOf(String(exit))).toEqual([expect.objectContaining(meaning)])
      expect(await meaningsOf(name)).toContainEqual(expect.objectContaining(meaning))
    }
    expect(await meaningsOf('0')).toMatchObject([{ name: 'done', next: 'Nothing.' }])
    for (const state of intentStates) {
      expect(await meaningsOf(state)).toContainEqual(expect.objectContaining({ kind: 'state', word: state }))
    }
  })

  test('leaves a place to fill in only in a line to paste', async () => {
    const words = [...allCodes, ...allStatuses, ...Object.keys(failures), ...intentStates]
    expect(words.length).toBeGreaterThan(100)
    for (const word of words) {
      for (const { next, means, moneyMoved } of await meaningsOf(String(word))) {
        const prose = `${means} ${moneyMoved} ${next}`.replace(/`[^`]*`/g, '')
        expect(prose, String(word)).not.toMatch(/<|undefined|null/)
      }
    }
  })

  test.each(['5038', 'rejected', '9', 'held'])('help %s says the same', async (word) => {
    expect(await meaningsOf(word, 'help')).toEqual(await meaningsOf(word))
    const [told, asked] = [await paydesk(['help', word], { home }), await paydesk(['explain', word], { home })]
    expect(told.stdout).toBe(asked.stdout)
    expect(told.stdout).toMatch(/^money moved {2}/m)
  })

  test('what nobody knows is not found, and proves nothing', async () => {
    const ended = await paydesk(['explain', '5999', '--json'], { home })
    expect(ended.code).toBe(6)
    expect(ended.error.hints).toContainEqual(expect.stringContaining('proves nothing'))
    expect((await paydesk(['help', '5999'], { home })).code).toBe(6)
    expect((await paydesk(['help', 'payuot'], { home })).code).toBe(2)
    expect((await paydesk(['explain'], { home })).code).toBe(2)
  })
})
