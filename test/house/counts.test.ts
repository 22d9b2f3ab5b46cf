/** A count and its noun agree: `howMany` says "1 row" and "2 rows", and no text puts a count before a plural by itself. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const nouns =
  'approvers|beneficiaries|callbacks|cells|columns|complaints|days|faults|findings|groups|hours|links|minutes|orders|payees|payments|payouts|plans|requests|rows|seconds|sheets|steps|tries|workers|writes'

/** Counts that are never 1: of several things with one name, and limits. */
const several = new Set([
  'found.length',
  'orders.length',
  'ids.length',
  'intents.length',
  'filled.length',
  'kinds',
  'minutes',
  'mostBlank',
  'mostColumns',
  'longestOutage',
  'mostWithoutAny',
  'shortestStay',
  'size + 2',
])

const counted = new RegExp(
  `\\$\\{([^{}\`]*)\\}\\)? (?:(?:blank|known|more|new|open|other|unknown) )?(?:${nouns})\\b(?!/)`,
  'g',
)

/** The counts before a plural, but those beside a choice by `=== 1`. */
function loose(text: string): readonly string[] {
  return [...text.matchAll(counted)]
    .filter(({ 1: count = '', index }) => {
      const isChosen = text.slice(Math.max(0, index - 90), index).includes('=== 1')
      return !several.has(count) && !isChosen && /^[\w.#]+(?: [+-] [\w.]+)*$/.test(count) && !/InWords$/.test(count)
    })
    .map(([words]) => words)
}

test('a loose count is found, and one with a choice or a name for several is none', () => {
  const text = (count: string, words: string) => `said(\`\${${count}} ${words}\`)`
  expect(loose(text('open', 'rows are'))).toHaveLength(1)
  expect(loose(text('held.length + unknown.length', 'open payments'))).toHaveLength(1)
  expect(loose(`n === 1 ? 'one write' : ${text('n', 'writes')}`)).toEqual([])
  expect(loose(text('ids.length', 'orders have the key'))).toEqual([])
})

test('every count of the program agrees with its noun', () => {
  const src = join(import.meta.dirname, '../../src')
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => loose(readFileSync(join(src, path), 'utf8')).map((words) => `${path}: ${words}`))

  expect(found).toEqual([])
})
