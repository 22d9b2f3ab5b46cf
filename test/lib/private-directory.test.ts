/** Directories that commands make, above all where none can be made. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makePrivateDirectory } from '../../src/lib/private-directory.ts'
import { sandboxPayroll } from '../kit/batch.ts'
import { builtPaydesk } from '../kit/process.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'

test('a directory is made with those above it, for its owner only; one that exists stays as it is', () => {
  const directory = temporaryDirectory('private')
  const deep = join(directory, 'a', 'b', 'c')
  makePrivateDirectory(deep)
  makePrivateDirectory(deep)
  for (const each of [join(directory, 'a'), join(directory, 'a', 'b'), deep]) {
    expect(statSync(each).mode & 0o777).toBe(0o700)
  }
})

// Node's own `recursive` turns for ever there: the program would have to be killed.
test.runIf(existsSync('/proc/self'))(
  'where none can be made the command ends with 2',
  { timeout: 30_000 },
  async () => {
    const payroll = sandboxPayroll([{ key: 'e-1' }])
    expect((await payroll.plan()).code).toBe(0)
    const results = builtPaydesk(['batch', 'results', payroll.planId, '--dir', '/proc/none/papers'], payroll.home)
    const ended = await results
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.stderr).toContain('/proc/none/papers')
  },
)
