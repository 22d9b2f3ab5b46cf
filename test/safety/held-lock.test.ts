/**
 * The built program while another program holds the journal's write lock: several identical commands have then looked at the
 * journal before any of them could write, and a process may sleep in that place for longer than its time.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { start } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import {
  addSealedProfile,
  handIdentifier,
  type Said,
  type SealedCall,
  sealedByHand,
} from '../kit/service/sealed-by-hand.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'

const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const token = '7d3f1f7a-8a2c-4f0e-9a53-5d1f3f1f7a99'
const orders = { 'integrator-id': handIdentifier, 'wallet-identifier': null }
const lost: Said = { plain: 'reset' }

/** Takes the journal's write lock; what it gives back ends that. */
function holdJournal(home: string): () => void {
  const database = new DatabaseSync(join(home, 'journal', 'journal.db'))
  database.exec('begin immediate')
  return () => {
    database.exec('rollback')
    database.close()
  }
}

/** Milliseconds in which a command that was just started waits for the lock on this machine, as four looks at the journal at once tell. */
async function timeToLook(home: string): Promise<number> {
  const before = performance.now()
  await Promise.all(Array.from({ length: 4 }, () => start(['journal', 'list'], home).end))
  return 2500 + 2 * (performance.now() - before)
}

/** Runs the same command four times at once while the lock is held, and lets it go when all of them wait for it. */
async function fourTimes(home: string, argv: readonly string[]) {
  const long = await timeToLook(home)
  const release = holdJournal(home)
  const running = Array.from({ length: 4 }, () => start(argv, home))
  await wait(long)
  release()
  return Promise.all(running.map(({ end }) => end))
}

/** Runs the same command twice while the lock is held: the second one sleeps in that place until the first has ended. */
async function sleepingThrough(home: string, argv: readonly string[]) {
  const long = await timeToLook(home)
  const release = holdJournal(home)
  const [first, second] = [start(argv, home), start(argv, home)]
  await wait(long)
  second.child.kill('SIGSTOP')
  release()
  const ended = await first.end
  second.child.kill('SIGCONT')
  return [ended, await second.end]
}

/** An order service that executes every refund and charge, loses the answers, and shows none of it for now. */
function executing(status: (call: SealedCall) => Said) {
  return sealedByHand((call) => (call.name === 'order.status' ? status(call) : lost), 'oaep-sha256')
}

const paid = { value: { integratorOrderId: order, status: 'SUCCESS' } }

describe('four identical commands that all have looked before any could write', () => {
  test('refund once under one key, though every answer is lost', async () => {
    const home = newHome()
    const service = await executing(() => paid)
    await addSealedProfile(home, 'own', service.url, orders)
    await paydesk(['journal', 'list'], { home })
    const argv = ['order', 'refund', order, '-p', 'own', '--amount', '5', '--key', 'return-1', '--yes', '--json']
    const ends = await fourTimes(home, argv)
    expect(service.calls.filter(({ name }) => name === 'order.refund')).toHaveLength(1)
    for (const { code, stderr } of ends) expect([9, 12], stderr).toContain(code)
  })

  test('charge a saved card once under one key, though every answer is lost', async () => {
    const home = newHome()
    const service = await executing(() => ({ code: 6005, group: 5 }))
    await addSealedProfile(home, 'own', service.url, { ...orders, 'allow-restricted': true })
    await paydesk(['journal', 'list'], { home })
    writeFileSync(join(home, 'card'), token, { mode: 0o600 })
    const argv = ['order', 'create', '-p', 'own', '--amount', '5', '--receiver-id', order, '--yes', '--json']
    const ends = await fourTimes(home, [...argv, '--card-token-file', join(home, 'card'), '--key', 'charge-1'])
    expect(service.calls.filter(({ name }) => name === 'order.create')).toHaveLength(1)
    for (const { code, stderr } of ends) expect([9, 12], stderr).toContain(code)
  })
})

describe('a process that slept', () => {
  test('while another one lost the answer to the same refund does not send it once more', async () => {
    const home = newHome()
    const service = await executing(() => paid)
    await addSealedProfile(home, 'own', service.url, orders)
    await paydesk(['journal', 'list'], { home })
    const argv = ['order', 'refund', order, '-p', 'own', '--amount', '5', '--key', 'return-1', '--yes', '--json']
    const ends = await sleepingThrough(home, argv)
    expect(service.calls.filter(({ name }) => name === 'order.refund')).toHaveLength(1)
    for (const { code, stderr } of ends) expect(code, stderr).toBe(9)
  })

  test('until its time was over sends nothing, and says so', async () => {
    const home = newHome()
    const service = await serviceByHand()
    await addHandProfile(home, service.url)
    await paydesk(['journal', 'list'], { home })
    const release = holdJournal(home)
    const { child, end } = start([...create({ profile: 'hand', timeout: '3s' }), '--json'], home)
    await until('it has signed in, and waits for the journal', () => service.seen.length > 0)
    await wait(1000)
    child.kill('SIGSTOP')
    release()
    await wait(3000)
    child.kill('SIGCONT')
    const { code, stderr } = await end
    expect(service.creates).toHaveLength(0)
    expect(code, stderr).toBe(11)
    expect(JSON.parse(stderr).error).toMatchObject({ moneyMoved: 'no', retry: 'same-id' })
    expect(stderr).toContain('the time for sending it was over')
  })
})
