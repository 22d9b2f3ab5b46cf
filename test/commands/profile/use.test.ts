import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/program.ts'

test('profile use: the chosen profile is used when no other is named', async () => {
  const home = newHome()
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', '--environment', 'test'], { home })
  expect((await paydesk(['profile', 'use', 'acme', '--json'], { home })).json).toEqual({ name: 'acme', default: true })
  expect((await paydesk(['profile', 'show', '--json'], { home })).json).toMatchObject({ name: 'acme', default: true })
  const named = await paydesk(['profile', 'show', '--json'], { home, env: { PAYDESK_PROFILE: 'sandbox' } })
  expect(named.json).toMatchObject({ name: 'sandbox', builtIn: true })
})

test('profile use: an unknown profile is refused (4)', async () => {
  const { code, stderr } = await paydesk(['profile', 'use', 'acne'], { home: newHome() })
  expect(code).toBe(4)
  expect(stderr).toContain('there is no profile "acne"')
})
