/** Every operation of the contract has its two sides, desk and sandbox; every command has its test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fieldsOf } from '../src/lib/contract/core/field.ts'
import { firstVersions, operations } from '../src/lib/contract/operations.ts'
import { routes } from '../src/lib/sandbox/sandbox.ts'

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

describe('both sides exist', () => {
  const routed = routes.map(([operation]) => operation)

  test('every operation has one route in the sandbox (src/lib/sandbox/areas)', () => {
    const wrong = operations.filter((each) => routed.filter((operation) => operation === each).length !== 1)
    expect(wrong.map((operation) => operation.name)).toEqual([])
  })

  test('the sandbox serves nothing that the contract does not know', () => {
    const known = [...operations, ...firstVersions]
    expect(routed.filter((operation) => !known.includes(operation))).toEqual([])
  })

  test('the sandbox serves the first version of every operation that has one', () => {
    expect(firstVersions.filter((operation) => !routed.includes(operation))).toEqual([])
  })

  test('every field of every operation has a help text', () => {
    const fields = operations.flatMap((operation) =>
      fieldsOf(operation.request).map((field) => [operation.name, field.name, field.help] as const),
    )
    expect(fields.filter(([, , help]) => help === '')).toEqual([])
  })

  const commands = files.filter((file) => file.startsWith('commands/'))

  test('every command has a test at the same path', () => {
    const tested = (command: string) => existsSync(join(root, 'test', command.replace(/\.ts$/, '.test.ts')))
    expect(commands.filter((command) => !tested(command))).toEqual([])
  })

  test('every command is short: parse, one call, view', () => {
    const lines = (command: string) => readFileSync(join(source, command), 'utf8').split('\n').length
    expect(commands.filter((command) => lines(command) >= 120)).toEqual([])
  })
})

test('the clock, chance and the environment are read at the edge only', () => {
  const reading = /\bDate\.now\(|\bMath\.random\(|\brandomUUID\(|\bprocess\.env\b|new Date\(\)/
  const code = (file: string) => readFileSync(join(source, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
  expect(files.filter((file) => reading.test(code(file)))).toEqual(['lib/edge.ts'])
})
