/** An id that stands in the request file names an earlier run as a flag does: what ends a command early denies nothing of it. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { beneficiaryIban } from '../kit/payment.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { broken, foreignOrder, handDesk, handOrder } from '../kit/service/hand-desk.ts'
import { addHandProfile, type Reply, serviceByHand } from '../kit/service/service-by-hand.ts'

const uniqueId = '5a9db0c0-0301-4a11-8c11-00000000aaaa'
const payout = {
  uniqueId,
  amount: 12.5,
  currency: 'GEL',
  description: 'Salary',
  toIban: beneficiaryIban,
  beneficiaryName: 'Nino Beridze',
}

/** A payout whose id stands in its file, and the journal's id of it: its answer was lost, or it was accepted. */
async function sent(how: 'lost' | 'accepted') {
  const home = newHome()
  const service = await serviceByHand(({ path, method }): Reply | undefined =>
    how === 'lost' && method === 'POST' && path === '/api/distributor' ? 'reset' : undefined,
  )
  await addHandProfile(home, service.url)
  const file = join(home, 'payout.json')
  const write = (members: object) => writeFileSync(file, JSON.stringify({ ...payout, ...members }))
  write({})
  // A lost answer is looked for as long as it may be.
  const time = how === 'lost' ? '2s' : '20s'
  const run = (...more: string[]) =>
    paydesk(['payout', 'create', '--file', file, '-p', 'hand', '--timeout', time, '--yes', '--json', ...more], { home })
  const made = await run()
  expect(made.code, made.stderr).toBe(how === 'lost' ? 9 : 0)
  const { journalId } = how === 'lost' ? made.error : made.json
  return { home, run, write, file, journalId }
}

describe.each(['lost', 'accepted'] as const)('a payout whose id stands in its file, %s, is not denied', (how) => {
  test.each([
    ['a mistyped flag', 2, ['--amuont', '11']],
    ['a wrong time limit', 2, ['--connect-timeout', 'x']],
    ['a profile that there is not', 4, ['-p', 'hant']],
  ] as const)('by %s', async (_, code, more) => {
    const { home, file, journalId } = await sent(how)
    const argv = ['payout', 'create', '--file', file, ...(code === 4 ? [] : ['-p', 'hand']), '--yes', '--json', ...more]
    const ended = await paydesk(argv, { home })
    expect(ended.code, ended.stderr).toBe(code)
    // A mistyped profile may stand for the one that has sent it.
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', journalId: code === 4 ? null : journalId })
  })

  test('by another member that is wrong by now', async () => {
    const { run, write, journalId } = await sent(how)
    write({ toIban: 'GE00' })
    const ended = await run()
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.error).toMatchObject({ moneyMoved: 'unknown', journalId })
  })

  test.each(['a broken file', 'no file'])('by %s: which payout it was is not known then', async (is) => {
    const { run, file } = await sent(how)
    if (is === 'no file') rmSync(file)
    else writeFileSync(file, `{"uniqueId": "${uniqueId.slice(0, 20)}`)
    const ended = await run()
    expect(ended.code, ended.stderr).toBe(2)
    expect(ended.error.moneyMoved).toBe('unknown')
  })

  test('on stdin, whether or not it was read', async () => {
    const { home, journalId } = await sent(how)
    const argv = ['payout', 'create', '--file', '-', '--yes', '--json']
    const unread = await paydesk([...argv, '-p', 'hant'], { home, stdin: JSON.stringify(payout) })
    expect(unread.code, unread.stderr).toBe(4)
    expect(unread.error.moneyMoved).toBe('unknown')
    const read = await paydesk([...argv, '-p', 'hand'], { home, stdin: JSON.stringify({ ...payout, toIban: 'GE00' }) })
    expect(read.code, read.stderr).toBe(2)
    expect(read.error).toMatchObject({ moneyMoved: 'unknown', journalId })
  })

  test('but another id, or none, names another payout', async () => {
    const { home, run, write } = await sent(how)
    write({ uniqueId: '5a9db0c0-0301-4a11-8c11-00000000bbbb', toIban: 'GE00' })
    expect((await run()).error.moneyMoved).toBe('no')
    const { uniqueId: _, ...rest } = payout
    writeFileSync(join(home, 'new.json'), JSON.stringify({ ...rest, toIban: 'GE00' }))
    const fresh = await paydesk(['payout', 'create', '--file', join(home, 'new.json'), '-p', 'hand', '--json'], {
      home,
    })
    expect(fresh.error.moneyMoved).toBe('no')
  })
})

test('a charge whose id stands in its file is not denied by a card file that is missing', async () => {
  const desk = await handDesk(({ name }) => (name === 'order.create' ? { plain: 'reset' } : broken))
  const file = join(desk.home, 'order.json')
  writeFileSync(file, JSON.stringify({ integratorOrderId: handOrder, amount: 30, receiverId: foreignOrder }))
  const made = await desk.run('order', 'create', '--file', file, '--yes')
  expect(made.code, made.stderr).toBe(9)
  const again = await desk.run('order', 'create', '--file', file, '--card-token-file', join(desk.home, 'none'), '--yes')
  expect(again.code, again.stderr).toBe(2)
  expect(again.error).toMatchObject({ moneyMoved: 'unknown', journalId: made.error.journalId })
})
