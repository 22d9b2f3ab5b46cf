/** Names with several meanings, and operations and statuses named where they should not be, counted on small sources. */
import { describe, expect, test } from 'vitest'
import { contractIn } from '../../scripts/house/contract.mts'
import { meanings } from '../../scripts/house/meanings.mts'
import { operationsNamed, statusesNamed } from '../../scripts/house/named.mts'
import { sourceOf } from '../../scripts/house/source.mts'

describe('names with several meanings', () => {
  const severalIn = (...texts: readonly string[]) =>
    meanings(texts.map((text, at) => sourceOf(`src/${at}.ts`, text))).map(({ at, what }) => `${at}: ${what}`)

  test.each([
    ['export const a = 1', 'export function a() {}'],
    ['export interface a {}', 'export type a = string'],
    ['export const a = 1', 'export class a {}'],
    ['const a = 1\nexport { a }', 'const b = 1\nexport { b as a }'],
    ['export const { a, b } = c', 'export const [d, a] = e'],
  ])('%j and %j', (one, other) => {
    expect(severalIn(one, other)).toEqual(['a: src/0.ts, src/1.ts'])
  })

  test.each([
    ['export const a = 1', "export { a } from './0.ts'"],
    ['export const a = 1', "import { a } from './0.ts'\nexport { a }"],
    ['export const a = 1', "export * from './0.ts'"],
    ['export const a = 1', 'const a = 2'],
    ['export default class a {}', 'export default class a {}'],
    ['export const a = 1\nexport type a = string', 'export const b = 1'],
  ])('not %j and %j', (one, other) => {
    expect(severalIn(one, other)).toEqual([])
  })
})

const contractSources = [
  sourceOf(
    'src/lib/contract/payout/payout.ts',
    `export const createPayout = { name: 'payout.create', method: 'POST', path: '/p' } as const satisfies WriteOperation
     export const getPayout = operation({ name: 'payout.get', method: 'GET', path: '/p' })
     export const field = { name: 'amount' }`,
  ),
  sourceOf(
    'src/lib/contract/payout/status.ts',
    `export const statuses = { SUCCESS: { means: 'paid' }, WAITING_LONG: { means: 'open' } as const }
     export const others = { NOTHING: { help: 'no status' }, small: { means: 'no status' } }`,
  ),
]
const contract = contractIn(contractSources)

test('the contract gives the names of operations and statuses', () => {
  expect([...contract.operations]).toEqual([
    ['createPayout', 'payout.create'],
    ['getPayout', 'payout.get'],
  ])
  expect([...contract.statuses]).toEqual(['SUCCESS', 'WAITING_LONG'])
})

test('a contract in which nothing is found is an error', () => {
  expect(() => contractIn([sourceOf('src/lib/contract/a.ts', 'export const a = 1')])).toThrow(
    /scripts\/house\/contract/,
  )
})

const foreign = 'src/lib/desk/a.ts'
const imports = "import { createPayout, getPayout as read } from '../contract/payout.ts'\n"

describe('operations named outside', () => {
  const namedIn = (text: string, path = foreign) =>
    operationsNamed([...contractSources, sourceOf(path, text)], contract).map(({ at, what }) => `${at} ${what}`)

  test.each([
    ["const a = b === 'payout.create'", 'payout.create'],
    ["const a = { 'payout.get': 1 }", 'payout.get'],
    ["type A = 'payout.get'", 'payout.get'],
    ['const a = `payout.get`', 'payout.get'],
    ['const a = { [createPayout.name]: 1 }', 'payout.create'],
    ['const a = b === read.name', 'payout.get'],
    ['const a = b === createPayout', 'payout.create'],
    ['switch (a) {  case read: b() }', 'payout.get'],
    ["const a = [createPayout.name, 'payout.get']", 'payout.create, payout.get'],
  ])('%s', (text, names) => {
    const [counted = '', ...others] = namedIn(`${imports}${text}`)
    expect(others).toEqual([])
    expect(counted.replace(`${foreign}:2 `, '').split(', ').toSorted()).toEqual(names.split(', '))
  })

  test.each([
    'submit(createPayout, request)',
    'const a = createPayout.path',
    'const a = operation.name',
    "const a = 'see payout.create'",
    '// payout.create',
  ])('not %s', (text) => {
    expect(namedIn(`${imports}${text}`)).toEqual([])
  })

  test('an object of the same name from elsewhere is no operation', () => {
    expect(namedIn("import { createPayout } from '../payouts.ts'\nconst a = createPayout.name")).toEqual([])
  })

  test.each([
    ['src/lib/contract/order/order.ts', 0],
    ['src/lib/sandbox/payouts/create.ts', 0],
    ['src/lib/sandbox/payouts/create.ts', 0],
    ['src/commands/payout/create.ts', 0],
    ['src/commands/order/create.ts', 1],
    ['src/lib/sandbox/orders/create.ts', 1],
    ['src/lib/sandbox/routes.ts', 1],
  ])('in %s: %i', (path, places) => {
    expect(namedIn("const a = 'payout.create'", path)).toHaveLength(places)
  })
})

describe('statuses named outside', () => {
  const namedIn = (text: string, path = foreign) => statusesNamed([sourceOf(path, text)], contract)

  test.each([
    "const a = b === 'SUCCESS'",
    'const a = { SUCCESS: 1 }',
    'const a = statuses.WAITING_LONG',
    "type A = 'SUCCESS' | 'WAITING_LONG'",
    'interface A { SUCCESS: string }',
  ])('%s', (text) => {
    expect(namedIn(text)).toEqual([{ at: `${foreign}:1`, what: expect.stringMatching(/SUCCESS|WAITING_LONG/) }])
  })

  test.each([
    "const a = 'success'",
    "const a = 'SUCCESS!'",
    'const SUCCESS = 1',
    'const a = { [SUCCESS]: 1 }',
    '// SUCCESS',
  ])('not %s', (text) => {
    expect(namedIn(text)).toEqual([])
  })

  test.each([
    ['src/lib/contract/order/order.ts', 0],
    ['src/lib/sandbox/payouts/advance.ts', 0],
    ['src/commands/payout/get.ts', 0],
    ['src/commands/journal/list.ts', 1],
    ['src/lib/sandbox/callbacks/payload.ts', 1],
  ])('in %s: %i', (path, places) => {
    expect(namedIn("const a = 'SUCCESS'", path)).toHaveLength(places)
  })
})
