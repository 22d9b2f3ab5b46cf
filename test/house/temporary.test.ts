/** Everything temporary that tests make lies in the one directory of the run, which its end removes (kit/run/temporary.ts). */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { cleanEnv } from '../kit/process.ts'

/** The last two name a place inside of a container, and make a volume that another user may write. */
const own = ['kit/run/temporary.ts', 'house/temporary.test.ts', 'docs/deploy.test.ts', 'safety/home-everywhere.test.ts']
const tests = join(import.meta.dirname, '..')
const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) => /\.m?ts$/.test(file))

test('no other file asks the system for a place, or names one', () => {
  const others = files.filter((file) => !own.includes(file.replaceAll('\\', '/')))
  const asking = others.filter((file) => /tmpdir|mkdtemp|['"`\s]\/tmp\b/.test(readFileSync(join(tests, file), 'utf8')))
  // The browser is unpacked beside the caches of other tools.
  expect(asking).toEqual([join('pages', 'browser', 'chromium.ts')])
})

test('this process, and programs that it starts, have no other place', () => {
  const argv = ['-e', 'process.stdout.write(os.tmpdir())']
  const child = spawnSync(process.execPath, argv, { env: cleanEnv('/nowhere'), encoding: 'utf8' })
  expect(basename(tmpdir())).toMatch(/^paydesk-run-/)
  expect(child.stdout).toBe(tmpdir())
})
