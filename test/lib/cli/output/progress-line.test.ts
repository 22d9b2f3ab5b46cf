import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../../../kit/service.ts'

const argv = ['payout', 'balance', '-p', 'hand', '--currency', 'GEL']

async function asked(late: number, more: readonly string[], terminal: boolean) {
  const home = newHome()
  const service = await serviceByHand(async ({ path }) => {
    if (path === '/api/auth') return undefined
    await wait(late)
    return json({ value: { amount: 5, currency: 'GEL' } })
  })
  await addHandProfile(home, service.url)
  let screen = ''
  const watch = (seen: string) => {
    screen = seen
  }
  const ended = await paydesk([...argv, ...more], { home, ...(terminal ? { terminal, dialogue: watch } : {}) })
  expect(ended.code, ended.stderr).toBe(0)
  return { screen: terminal ? screen + ended.stderr : ended.stderr, stdout: ended.stdout }
}

test('a person at a terminal sees how long the service has been silent, and stdout stays clean', async () => {
  const { screen, stdout } = await asked(2_600, [], true)
  expect(screen).toMatch(/waiting for 127\.0\.0\.1, 1 s \(\^C stops\)/)
  expect(screen).toMatch(/waiting for 127\.0\.0\.1, 2 s/)
  expect(stdout).not.toContain('waiting')
})

test('nothing is drawn for an answer that comes soon, in a pipe, as JSON, quietly, or beside a trace', async () => {
  expect((await asked(100, [], true)).screen).not.toContain('waiting')
  const late = 1_500
  const all = [
    asked(late, [], false),
    asked(late, ['--json'], true),
    asked(late, ['--quiet'], true),
    asked(late, ['--trace'], true),
  ]
  for (const { screen } of await Promise.all(all)) expect(screen).not.toContain('waiting')
})
