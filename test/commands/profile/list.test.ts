import { expect, test } from 'vitest'
import { builtIn } from '../../../src/lib/profile/built-in.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('profile list: lists stored and built-in profiles and marks the default', async () => {
  const home = newHome()
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', '--environment', 'live', '--use'], { home })
  const { code, stdout } = await paydesk(['profile', 'list', '--json'], { home })
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { name: 'acme', environment: 'live', baseUrl: 'https://x.ge', default: true },
    ...builtIn.map((name) => ({ name, environment: 'sandbox', builtIn: true, default: false })),
  ])
  expect((await paydesk(['profile', 'list'], { home })).stdout).toMatch(/^acme +live +https:\/\/x\.ge +default$/m)
})
