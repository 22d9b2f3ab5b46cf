/** Modules after the build: the same program, with everything loaded where it is used first. */
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { putOff } from '../scripts/build/slim.mts'
import { temporaryDirectory } from './kit/run/temporary.ts'

const require = createRequire(import.meta.url)

/** Runs CommonJS; gives back what it exports, and what it had loaded by then. */
function run(code: string) {
  const loaded: string[] = []
  const watched = (name: string) => {
    loaded.push(name)
    return require(name)
  }
  const module = { exports: {} as Record<string, () => unknown> }
  new Function('require', 'module', 'exports', code)(watched, module, module.exports)
  return { exports: module.exports, loaded }
}

describe('a require that is put off', () => {
  test.each([
    ['const os_1 = require("node:os");', 'os_1.EOL', '\n'],
    ['let node_os = require("node:os");', '[node_os.EOL].join()', '\n'],
    ['const os$1 = require("node:os");', '[...os$1.EOL].length', 1],
    ['const os_1 = require("node:os");', '({ ...os_1 }).EOL', '\n'],
    ['const os = require("node:os");', '({ a: 1 }).os10 ?? os.EOL', '\n'],
    ['const events_1 = require("node:events");', 'typeof new events_1.EventEmitter().on', 'function'],
  ])('%s loads nothing until %s', (line, use, value) => {
    const { exports, loaded } = run(putOff(`${line}\nexports.use = () => ${use};`))
    expect(loaded).toEqual([])
    expect(exports.use?.()).toBe(value)
    exports.use?.()
    expect(loaded.length).toBeLessThanOrEqual(1)
  })

  test('of a package, in the form of two lines, is one', () => {
    const lines = 'let os = require("node:os");\nos = rt.__toESM(os, 1);\nexports.use = () => os.default.EOL;'
    const helper = 'const rt = { __toESM: (it) => ({ default: it }) };\n'
    const { exports, loaded } = run(putOff(helper + lines))
    expect(loaded).toEqual([])
    expect(exports.use?.()).toBe('\n')
  })

  test('leaves every line where it is, for the maps', () => {
    const code = 'let os = require("node:os");\nos = rt.__toESM(os);\nconst a_1 = require("a");\nthird();'
    expect(putOff(code).split('\n')).toHaveLength(4)
    expect(putOff(code).split('\n')[3]).toBe('third();')
  })

  test('does not touch what is only called alike', () => {
    const code = 'const path = require("node:path");\nexports.use = () => ({ path: 1 }).path + other.path;'
    expect(putOff(code)).toContain('other.path')
  })
})

test('without the development packages the build ends in one line that says what to run', () => {
  const clone = temporaryDirectory('clone')
  for (const part of ['package.json', 'scripts'])
    cpSync(join(import.meta.dirname, '..', part), join(clone, part), { recursive: true })
  const { build } = require('../package.json').scripts
  const [node, ...argv] = build.split(' ')
  expect(node).toBe('node')
  const ended = spawnSync(process.execPath, argv, { cwd: clone, encoding: 'utf8' })
  expect(ended).toMatchObject({ status: 1, stdout: '' })
  expect(ended.stderr).toBe('the development packages are not installed: run `npm ci`, without --omit=dev, first\n')
})
