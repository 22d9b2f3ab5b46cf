import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sourceLine } from '../../../src/lib/cli/as-failure.ts'
import { cleanEnv } from '../../kit/process.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'

const root = join(import.meta.dirname, '..', '..', '..')

test('an error without a stack, or from elsewhere, has no line', () => {
  const error = new Error('x')
  error.stack = ''
  expect(sourceLine(error)).toBeNull()
  error.stack = 'Error: x\n    at run (/elsewhere/program.js:1:2)\n    at node:internal/main:1:1'
  expect(sourceLine(error)).toBeNull()
})

test('of the innermost frame of the program', () => {
  const error = new Error('x')
  error.stack = `Error: x\n    at Object.a (/usr/lib/b.js:3:4)\n    at c (${root}/src/lib/desk/run.ts:12:5)\n    at ${root}/src/main.ts:1:1`
  expect(sourceLine(error)).toBe('src/lib/desk/attempt-loop.ts:12')
})

test('a defect of the built program names the line of the source', () => {
  const copy = temporaryDirectory('copy')
  for (const part of ['bin', 'dist', 'package.json']) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const file = join(copy, 'dist', 'commands', 'journal', 'list.js')
  const built = readFileSync(file, 'utf8')
  const broken = built.replace(/limit:(\w+)\.limit/, 'limit:null.x.limit')
  expect(broken).not.toBe(built)
  writeFileSync(file, broken)
  const { status, stderr } = spawnSync(process.execPath, [join(copy, 'bin', 'run.js'), 'journal', 'list'], {
    env: cleanEnv(copy),
    encoding: 'utf8',
  })
  expect(status).toBe(1)
  const source = readFileSync(join(root, 'src', 'commands', 'journal', 'list.ts'), 'utf8').split('\n')
  const line = source.findIndex((each) => each.includes('limit: flags.limit')) + 1
  expect(stderr).toContain(`It comes from src/commands/journal/list.ts:${line}.`)
})
