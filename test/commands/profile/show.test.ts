import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'

test('profile show: shows no secret, and tells when the secret’s file is gone', async () => {
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

test('profile show: without a name off a terminal it is refused (4), at a terminal the built-in profile is shown', async () => {
  const home = newHome()
  const { code, stdout, error } = await paydesk(['profile', 'show', '--json'], { home })
  expect([code, stdout]).toEqual([4, ''])
  expect(error).toMatchObject({ name: 'credentials', moneyMoved: 'no' })
  expect((await paydesk(['profile', 'show'], { home, terminal: true })).stdout).toContain('sandbox')
})

test('profile show: limits are shown with what is spent, and no journal is made for that', async () => {
  const home = newHome()
  const service = await serviceByHand()
  const clock = hurriedClock(Date.parse('2026-11-20T19:00:00Z'))
  const limits = ['--limit', 'GEL 100/payout', '--limit', 'GEL 20000/day', '--limit', '100/hour']
  await addHandProfile(home, service.url)
  expect((await paydesk(['profile', 'add', 'hand', ...limits], { home })).code).toBe(0)
  const show = async () => (await paydesk(['profile', 'show', 'hand'], { home, clock })).stdout.replace(/ +/g, ' ')
  expect(await show()).toContain('limit GEL 20000.00/day: GEL 0.00 spent today, GEL 20000.00 left\n')
  expect(existsSync(join(home, 'journal'))).toBe(false)
  const around = { home, clock, random: impatient }
  expect((await paydesk(create({ profile: 'hand', amount: '12.5' }), around)).code).toBe(0)
  const shown = await show()
  expect(shown).toContain('limit GEL 100.00/payout\n')
  expect(shown).toContain('limit GEL 20000.00/day: GEL 12.50 spent today, GEL 19987.50 left\n')
  expect(shown).toContain('limit 100/hour: 1 sent in the last hour, 99 left\n')
  // Midnight in Tbilisi is 20:00 UTC.
  clock.skip(59 * 60_000)
  expect(await show()).toContain('GEL 12.50 spent today')
  clock.skip(60_000)
  expect(await show()).toContain('GEL 0.00 spent today')
  const { json } = await paydesk(['profile', 'show', 'hand', '--json'], { home, clock })
  expect(json.limits).toMatchObject([{}, { spent: 0, left: 20000 }, { spent: 0, left: 100 }])
})

test('profile show: with an unreadable journal the profile is shown, and only what is spent is unknown', async () => {
  const home = newHome()
  const argv = ['--environment', 'test', '--client-id', '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11', '--limit', '1/day']
  await paydesk(['profile', 'add', 'acme', '--base-url', 'https://x.ge', ...argv], { home })
  mkdirSync(join(home, 'journal'), { mode: 0o700 })
  writeFileSync(join(home, 'journal', 'journal.db'), 'this is no journal', { mode: 0o600 })
  const { code, json } = await paydesk(['profile', 'show', 'acme', '--json'], { home })
  expect(code).toBe(0)
  expect(json).toMatchObject({
    limits: [{ limit: '1/day', spent: null, left: null }],
    problems: [expect.stringContaining('the use of its limits is not known')],
  })
})
