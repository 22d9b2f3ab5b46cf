/** The id of an earlier run may stand in the request file: a command that ends early never says that it did not pay. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, broken, foreignOrder, handDesk, handOrder, type Reply, serviceByHand } from '../kit/service.ts'

const uniqueId = '5a9db0c0-0301-4a11-8c11-00000000aaaa'
const payout = {
  uniqueId,
  amount: 12.5,
  currency: 'GEL',
  description: 'Salary',
  toIban: beneficiaryIban,
  beneficiaryName: 'Nino Beridze',
}

/** How the earlier run of the payout ended. */
const earlier = ['its answer was lost', 'it was accepted'] as const

/** A payout whose id stands in its file, and the journal's id of it. */
async function sent(how: (typeof earlier)[number]) {
  const home = newHome()
  const service = await serviceByHand(({ path, method }): Reply | undefined =>
    how === 'its answer was lost' && method === 'POST' && path === '/api/distributor' ? 'reset' : undefined,
  )
  await addHandProfile(home, service.url)
  const file = join(home, 'payout.json')
  const write = (members: object) => writeFileSync(file, JSON.stringify({ ...payout, ...members }))
  write({})
  const around = { home, clock: hurriedClock(), random: impatient }
  const run = (argv: readonly string[], stdin = '') =>
    paydesk(['payout', 'create', '--yes', '--json', ...argv], { ...around, stdin })
  const made = await run(['--file', file, '-p', 'hand'])
  expect(made.code, made.stderr).toBe(how === 'its answer was lost' ? 9 : 0)
  const { journalId } = how === 'its answer was lost' ? made.error : made.json
  return { home, run, write, file, journalId }
}

test.each(earlier)('payout create --file, an early failure after %s: unknown, with its journal id', async (how) => {
  const { run, write, file, journalId } = await sent(how)
  for (const more of [
    ['--amuont', '11'],
    ['--connect-timeout', 'x'],
  ]) {
    const ended = await run(['--file', file, '-p', 'hand', ...more])
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.error, more.join(' ')).toMatchObject({ moneyMoved: 'unknown', journalId })
  }
  // A mistyped profile may stand for the one that has sent it.
  const mistyped = await run(['--file', file, '-p', 'hant'])
  expect(mistyped.code, mistyped.stderr).toBe(4)
  expect(mistyped.error).toMatchObject({ moneyMoved: 'unknown', journalId: null })
  write({ toIban: 'GE00' })
  const invalid = await run(['--file', file, '-p', 'hand'])
  expect(invalid.code, invalid.stderr).toBe(2)
  expect(invalid.error).toMatchObject({ moneyMoved: 'unknown', journalId })
})

test.each(earlier)('payout create --file, the file is broken or gone after %s: moneyMoved unknown (2)', async (how) => {
  const { run, file } = await sent(how)
  writeFileSync(file, `{"uniqueId": "${uniqueId.slice(0, 20)}`)
  const broken = await run(['--file', file, '-p', 'hand'])
  rmSync(file)
  for (const ended of [broken, await run(['--file', file, '-p', 'hand'])]) {
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.error.moneyMoved).toBe('unknown')
  }
})

test.each(earlier)('payout create --file -, an early failure after %s: unknown, stdin read or not', async (how) => {
  const { run, journalId } = await sent(how)
  const unread = await run(['--file', '-', '-p', 'hant'], JSON.stringify(payout))
  expect(unread.code, unread.stderr).toBe(4)
  expect(unread.error.moneyMoved).toBe('unknown')
  const read = await run(['--file', '-', '-p', 'hand'], JSON.stringify({ ...payout, toIban: 'GE00' }))
  expect(read.code, read.stderr).toBe(2)
  expect(read.error).toMatchObject({ moneyMoved: 'unknown', journalId })
})

test.each(earlier)('payout create --file, an early failure, another id, after %s: moneyMoved no', async (how) => {
  const { home, run, write, file } = await sent(how)
  write({ uniqueId: '5a9db0c0-0301-4a11-8c11-00000000bbbb', toIban: 'GE00' })
  expect((await run(['--file', file, '-p', 'hand'])).error.moneyMoved).toBe('no')
  const { uniqueId: _, ...rest } = payout
  writeFileSync(join(home, 'new.json'), JSON.stringify({ ...rest, toIban: 'GE00' }))
  expect((await run(['--file', join(home, 'new.json'), '-p', 'hand'])).error.moneyMoved).toBe('no')
})

test('order create --file, a charge whose answer was lost and whose card file is missing now: moneyMoved unknown (2)', async () => {
  const desk = await handDesk(({ name }) => (name === 'order.create' ? { plain: 'reset' } : broken))
  const file = join(desk.home, 'order.json')
  writeFileSync(file, JSON.stringify({ integratorOrderId: handOrder, amount: 30, receiverId: foreignOrder }))
  const made = await desk.run('order', 'create', '--file', file, '--yes')
  expect(made.code, made.stderr).toBe(9)
  const again = await desk.run('order', 'create', '--file', file, '--card-token-file', join(desk.home, 'none'), '--yes')
  expect(again.code, again.stderr).toBe(2)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown', journalId: made.error.journalId })
})
