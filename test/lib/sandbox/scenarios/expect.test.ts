/** Expectations of a scenario: whoever wrote it, none of them freezes the program. */
import { expect, test } from 'vitest'
import { type ActualResult, found, unmet } from '../../../../src/lib/sandbox/scenarios/expect.ts'

const shown = (json: unknown): ActualResult => ({ exit: 0, json, error: null, ledger: async () => json })
const id = '5a9db0c0-0301-4a11-8c11-00000000aaaa'

test('a pattern that holds, and one that does not', async () => {
  expect(await unmet({ json: { id: { matches: '^[0-9a-f-]+$' } } }, shown({ id }))).toEqual([])
  const [problem] = await unmet({ json: { id: { matches: '^x' } } }, shown({ id }))
  expect(problem).toContain('does not match ^x')
})

test('a pattern that never ends is a problem after a second', async () => {
  const began = performance.now()
  const [problem] = await unmet({ json: { id: { matches: '^(([0-9a-f-])+)+$x' } } }, shown({ id }))
  expect(problem).toBe('json id: it was not done within 1 s: a simpler expression is needed')
  expect(performance.now() - began).toBeLessThan(20_000)
})

test('so is a search that never ends, wherever it stands', async () => {
  const long = `[${Array.from({ length: 40 }, (_, at) => at).join()}]`
  const search = Array.from({ length: 8 }).reduce<string>((inner) => `\`${long}\`[*].[${inner}]`, '@')
  expect(() => found({ id }, search)).toThrow(/not done within 1 s/)
  const [problem] = await unmet({ ledger: { [search]: 1 } }, shown({ id }))
  expect(problem).toContain('it was not done within 1 s')
  expect(found({ id }, 'id')).toBe(id)
})
