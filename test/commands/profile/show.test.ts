import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'

test('a profile is shown without its secret, and a secret that is gone is said', async () => {
  const home = newHome()
  const secret = join(home, 'secret')
  writeFileSync(secret, 's3cret', { mode: 0o600 })
  const client = ['--client-id', '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11', '--client-secret-file', secret]
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', '--environment', 'test', ...client], { home })
  const shown = await paydesk(['profile', 'show', 'acme'], { home })
  expect(shown.stdout).toContain(`the file ${secret}`)
  expect(shown.stdout).not.toContain('s3cret')
  rmSync(secret)
  const gone = await paydesk(['profile', 'show', 'acme', '--json'], { home })
  expect(gone.json).toMatchObject({ clientSecret: { there: false, remark: 'cannot be read: it does not exist' } })
})

test('without a name and off a terminal there is no profile to show', async () => {
  const home = newHome()
  const { code, stdout, error } = await paydesk(['profile', 'show', '--json'], { home })
  expect([code, stdout]).toEqual([4, ''])
  expect(error).toMatchObject({ name: 'credentials', moneyMoved: 'no' })
  expect((await paydesk(['profile', 'show'], { home, terminal: true })).stdout).toContain('sandbox')
})
