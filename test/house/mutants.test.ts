/** Every mutant applies to the program as it is now; whether it is noticed, `npm run mutants` finds out. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sourceOf } from '../../scripts/house/source.mts'
import { treeOf } from '../../scripts/house/tree.mts'
import { broken } from '../../scripts/mutants/apply.mts'
import { simulate } from '../../scripts/mutants/killers.mts'
import type { Change } from '../../scripts/mutants/mutant.mts'
import { mutants } from '../../scripts/mutants/mutants.mts'
import { type Play, plays } from '../simulator/plays.ts'

const root = join(import.meta.dirname, '..', '..')
const program = new Map(treeOf(root).src.map((source) => [source.path, source]))

const isPlay = (name: string): name is Play => plays.some((play) => play === name)

function isThere(killer: string): boolean {
  const [first, named] = killer.split(' ')
  if (first !== simulate) return existsSync(join(root, killer))
  return named === undefined || named.split(',').every(isPlay)
}

describe.each(mutants.map((mutant) => [mutant.name, mutant] as const))('%s', (_name, mutant) => {
  test('is made of one place each, changes the code, and leaves TypeScript', () => {
    expect([...broken(program, mutant).keys()].length).toBeGreaterThan(0)
  })

  test('names killers that exist', () => {
    expect(mutant.killers).not.toEqual([])
    expect(mutant.killers.filter((killer) => !isThere(killer))).toEqual([])
  })
})

test('no two mutants have one name', () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length)
})

describe('a place', () => {
  const source = (path: string, text: string) => [path, sourceOf(path, text)] as const
  const small = new Map([
    source('src/a.ts', "export function paid(sum: number) {\n  if (sum >\n    0) return 'yes'\n  return 'no'\n}\n"),
    source('src/b/c.ts', "class Desk {\n  #send() {\n    post('it', 1, 2)\n    return { id: 'one' }\n  }\n}\n"),
  ])
  const brokenBy = (change: Change) =>
    [...broken(small, { changes: [change] }).values()].map(({ text }) => text).join('')

  test('is found however its lines are broken, and keeps what stands for itself', () => {
    const text = brokenBy({ in: 'paid', find: 'if ($sum > 0) $then', put: 'if ($sum >= 0) $then' })
    expect(text).toContain("  if (sum >= 0) return 'yes'\n  return 'no'")
  })

  test('may be a member, a list with any rest, and a private method', () => {
    expect(brokenBy({ in: 'Desk.#send', find: "id: 'one'", put: 'id: null' })).toContain('return { id: null }')
    expect(brokenBy({ in: 'Desk.#send', find: 'post($what, $$more)', put: 'post($$more)' })).toContain('post(1, 2)')
  })

  test('may use what its file does not import', () => {
    const change = { in: 'Desk.#send', find: 'post($$what)', put: 'paid(1)', imports: ['paid', 'sep from node:path'] }
    const text = brokenBy(change)
    expect(text).toContain("import { paid } from './../a.ts'\nimport { sep } from 'node:path'\nclass Desk")
  })

  test.each([
    [
      'of a symbol that is gone',
      { in: 'gone', find: "return 'no'", put: '' },
      /no symbol gone.*\n {2}paid {2}src\/a\.ts:4/,
    ],
    ['that is gone', { in: 'paid', find: 'throw $it', put: '' }, /paid has no code like `throw \$it`/],
    ['that stands there twice', { in: 'paid', find: 'return $it', put: '' }, /2 times/],
    ['where nothing changes', { in: 'paid', find: "return 'no'", put: 'return "no";' }, /changes nothing/],
    ['that no TypeScript is left of', { in: 'paid', find: "return 'no'", put: 'return )' }, /is not TypeScript/],
  ])('%s is none', (_what, change, words) => {
    expect(() => brokenBy(change)).toThrow(words)
  })
})
