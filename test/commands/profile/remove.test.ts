import { expect, test } from 'vitest'
import { builtIn } from '../../../src/lib/profile/built-in.ts'
import { answers, newHome, paydesk } from '../../kit/program.ts'

async function homeWithAcme(): Promise<string> {
  const home = newHome()
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', '--environment', 'test', '--use'], { home })
  return home
}

async function names(home: string): Promise<string[]> {
  const { stdout } = await paydesk(['profile', 'list', '--json'], { home })
  return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)
}

/** Removes acme at a terminal, with this answer to its question. Gives back the exit code. */
async function removeAnswering(home: string, answer: string): Promise<number> {
  const dialogue = answers([/Remove the profile acme\?/, `${answer}\r`])
  return (await paydesk(['profile', 'remove', 'acme'], { home, terminal: true, dialogue })).code
}

test('profile remove: --yes removes the profile and warns when it was the default', async () => {
  const home = await homeWithAcme()
  const { code, json } = await paydesk(['profile', 'remove', 'acme', '--yes', '--json'], { home })
  expect(code).toBe(0)
  expect(json).toMatchObject({ name: 'acme', wasDefault: true, warnings: [expect.stringContaining('the default')] })
  expect(await names(home)).toEqual(builtIn)
})

test('profile remove: off a terminal without --yes it is refused (2) and nothing is removed', async () => {
  const home = await homeWithAcme()
  const { code, stderr } = await paydesk(['profile', 'remove', 'acme'], { home })
  expect(code).toBe(2)
  expect(stderr).toContain('--yes')
  expect(await names(home)).toContain('acme')
})

test('profile remove: at a terminal no keeps the profile (3) and yes removes it (0)', async () => {
  const home = await homeWithAcme()
  expect(await removeAnswering(home, 'no')).toBe(3)
  expect(await names(home)).toContain('acme')
  expect(await removeAnswering(home, 'yes')).toBe(0)
  expect(await names(home)).not.toContain('acme')
})

test('profile remove: an unknown or built-in profile is refused (4)', async () => {
  const home = await homeWithAcme()
  for (const name of ['acne', 'sandbox']) {
    const { code } = await paydesk(['profile', 'remove', name, '--yes'], { home })
    expect(code).toBe(4)
  }
})
