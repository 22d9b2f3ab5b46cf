/** bin/dev.js runs what the sources say, bin/run.js what was built of them; neither takes a missing part for a wrong command. */
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cleanEnv, untimed } from './kit/process.ts'
import { temporaryDirectory } from './kit/run/temporary.ts'

const root = join(import.meta.dirname, '..')

/** Copies these parts of the project to a place of their own. */
function copyOf(parts: readonly string[]): string {
  const copy = temporaryDirectory('copy')
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  return copy
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(from)
  writeFileSync(file, text.replace(from, to))
}

function run(copy: string, words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: copy,
    env: cleanEnv(copy),
    encoding: 'utf8',
  })
  return { code: status, stdout, stderr: untimed(stderr) }
}

// The whole source is compiled at each start, which takes longer than usual on a busy machine.
describe('bin/dev.js', { timeout: 60_000 }, () => {
  let copy = ''
  const dev = (...argv: readonly string[]) => run(copy, ['--import', 'tsx', join('bin', 'dev.js'), ...argv])

  beforeAll(() => {
    copy = copyOf(['bin', 'src', 'package.json', 'tsconfig.json'])
  })

  test('runs the source, where nothing was ever built', () => {
    edit(join(copy, 'src/commands/profile/use.ts'), 'is now the default profile', 'is chosen')
    expect(dev('profile', 'use', 'sandbox')).toEqual({ code: 0, stdout: 'sandbox is chosen.\n', stderr: '' })
  })

  test('ends with 1 at a command whose import is broken, and says which', () => {
    edit(join(copy, 'src/commands/profile/list.ts'), '../../lib/profile/describe.ts', '../../lib/profile/gone.ts')
    const ended = dev('profile', 'list')
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^bug: a part of paydesk cannot be loaded: .*gone\.ts'\n$/)
  })
})

describe('bin/run.js', () => {
  let copy = ''
  const built = (...argv: readonly string[]) => run(copy, [join('bin', 'run.js'), ...argv])

  beforeAll(() => {
    copy = copyOf(['bin', 'dist', 'package.json', 'oclif.manifest.json'])
    edit(join(copy, 'dist/commands/profile/list.js'), '../../chunks/', '../../chunks/gone-')
  })

  test('ends with 1 at a command of which a part is missing', () => {
    const ended = built('profile', 'list')
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^bug: a part of paydesk cannot be loaded: .*gone-[^\n]*\n$/)
  })

  test('says so in one line of JSON, and that no money moved', () => {
    const { code, stderr } = built('profile', 'list', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { name: 'bug', exit: 1, moneyMoved: 'no' } })
  })

  test('ends with 2 at a command that there is none of', () => {
    expect(built('profile', 'lend')).toMatchObject({ code: 2, stdout: '' })
  })
})
