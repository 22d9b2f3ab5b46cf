import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { cleanEnv } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')

test('npm pack, then npm i -g of the tarball in an empty folder, gives a working paydesk', {
  timeout: 110_000,
}, async () => {
  const [folder, home] = [newHome(), newHome()]
  const prefix = join(folder, 'prefix')
  mkdirSync(prefix)
  // What stands in dist is what was built for these tests; building it anew here would pull it away from under the others.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root })
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  expect(tarball).toBeDefined()
  await run(
    'npm',
    [
      'install',
      '--global',
      '--prefix',
      prefix,
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      join(folder, String(tarball)),
    ],
    {
      cwd: folder,
    },
  )
  const paydesk = (...argv: string[]) => run(join(prefix, 'bin', 'paydesk'), argv, { cwd: folder, env: cleanEnv(home) })
  const paid = await paydesk(...create(), '--json')
  expect(paid.stderr).toBe('')
  expect(JSON.parse(paid.stdout)).toMatchObject({ outcome: 'accepted', amount: 12.5, environment: 'sandbox' })
  const listed = await paydesk('journal', 'list', '--json')
  expect(JSON.parse(listed.stdout)).toHaveLength(1)
  const version = await paydesk('--version')
  expect(version.stdout).toMatch(/^paydesk\/\d+\.\d+\.\d+/)
})
