import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('the Postgres of the tests leaves the exit code of a failed run', () => {
  const loading = `process.exitCode = 1; await import('${join(root, 'test/kit/run/postgres-server.ts')}')`
  const loader = join(root, 'scripts/typescript.mjs')
  const run = () =>
    execFileSync(process.execPath, ['--import', loader, '--input-type=module', '-e', loading], { stdio: 'pipe' })
  expect(run).toThrow(expect.objectContaining({ status: 1 }))
})
