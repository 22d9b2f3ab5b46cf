import { expect, test } from 'vitest'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, handClient, handToken, json, type Seen, serviceByHand } from '../kit/service.ts'

const signIns = ({ seen }: { readonly seen: readonly Seen[] }) => seen.filter(({ path }) => path === '/api/auth').length

async function place() {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  return { home, service, run: (...argv: string[]) => paydesk(['token', '-p', 'hand', ...argv], { home }) }
}

test('token: stdout holds the token alone, and with --header one header line', async () => {
  const { run } = await place()
  expect(await run()).toMatchObject({ code: 0, stdout: `${handToken}\n`, stderr: '' })
  expect(await run('--header')).toMatchObject({ code: 0, stdout: `authorization: Bearer ${handToken}\n`, stderr: '' })
})

test('token --json: token, end, profile and environment are shown', async () => {
  const { run } = await place()
  const { code, json: lent } = await run('--json')
  expect(code).toBe(0)
  expect(lent).toEqual({
    token: handToken,
    expiresAt: expect.stringMatching(/^\d{4}-.*Z$/),
    profile: 'hand',
    environment: 'test',
  })
  expect(Date.parse(String(lent.expiresAt))).toBeGreaterThan(Date.now())
  expect((await run('--query', 'expiresAt')).stdout).toBe(`"${lent.expiresAt}"\n`)
})

test('token at a terminal: without --show it is refused (2) before any sign-in, and the hint names --show', async () => {
  const { home, service } = await place()
  const refused = await paydesk(['token', '-p', 'hand'], { home, terminal: true })
  expect(refused).toMatchObject({ code: 2, stdout: '' })
  expect(refused.stderr).toContain('paydesk token --show -p hand')
  const jsonRefused = await paydesk(['token', '-p', 'hand', '--json'], { home, terminal: true })
  expect(jsonRefused).toMatchObject({ code: 2, stdout: '' })
  expect(signIns(service)).toBe(0)
  const shown = await paydesk(['token', '-p', 'hand', '--show'], { home, terminal: true })
  expect(shown).toMatchObject({ code: 0, stdout: `${handToken}\n` })
})

test('token: a cached token is printed again, and --fresh signs in once more', async () => {
  const { service, run } = await place()
  await run()
  await run()
  expect(signIns(service)).toBe(1)
  await run('--fresh')
  expect(signIns(service)).toBe(2)
})

test('token: a refused sign-in is 4, and stdout is empty', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }) =>
    path === '/api/auth' ? json({ message: 'no', statusCode: 5021 }, 401) : undefined,
  )
  await addHandProfile(home, service.url)
  expect(await paydesk(['token', '-p', 'hand'], { home })).toMatchObject({ code: 4, stdout: '' })
})

test('token: a profile without a client secret is 4, and the error names --client-secret', async () => {
  const home = newHome()
  const service = await serviceByHand()
  const argv = ['profile', 'add', 'bare', '--base-url', service.url, '--environment', 'test']
  expect(await paydesk([...argv, '--client-id', handClient], { home })).toMatchObject({ code: 0 })
  const ended = await paydesk(['token', '-p', 'bare'], { home })
  expect(ended).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('--client-secret') })
  expect(service.seen).toEqual([])
})
