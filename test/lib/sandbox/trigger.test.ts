import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Triggered } from '../../../src/lib/sandbox/trigger.ts'
import { integratorNamed, waiter } from '../../kit/sandbox/integrator.ts'
import { desk, fileSandbox, freshDirectory, handClock, served } from '../../kit/sandbox/stand.ts'

async function here() {
  const at = await desk()
  const us = await at.integrator()
  const play = (what: Triggered['what'], order: string, more: Partial<Triggered> = {}) =>
    at.sandbox.trigger({ what, order, ...more })
  return { ...at, us, play }
}

test('an order may be named by its checkout address as well, and in capitals', async () => {
  const { us, play } = await here()
  const { value } = await us.create()
  const own = String(value.urlForQR).split('/').at(-1) ?? ''
  expect(await play('declined', own)).toMatchObject({ status: 'FAILED', integratorOrderId: value.integratorOrderId })
  const other = await us.created()
  expect(await play('paid', other.toUpperCase())).toMatchObject({ status: 'SUCCESS' })
})

test('an order that there is not is not found (6)', async () => {
  const { play } = await here()
  await expect(play('paid', randomUUID())).rejects.toMatchObject({ kind: 'not-found', exit: 6 })
})

test('a play that is no longer possible is refused (5) with the status, and changes nothing', async () => {
  const { us, play, entry } = await here()
  const id = await us.created()
  await play('paid', id)
  for (const what of ['paid', 'declined', 'expired', 'refund-failed'] as const) {
    await expect(play(what, id)).rejects.toMatchObject({ kind: 'refused', exit: 5, facts: { status: 'SUCCESS' } })
  }
  expect(await entry(id)).toMatchObject({ status: 'SUCCESS', charges: 1 })
})

test('a payer who is at the second step cannot begin again, but can be declined or let it expire', async () => {
  const { us, play, pay } = await here()
  const [one, other] = [await us.created(), await us.created()]
  for (const id of [one, other]) await pay(id, { card: 'second-step' })
  await expect(play('paid', one)).rejects.toMatchObject({ facts: { status: 'PROCESSING' } })
  expect(await play('declined', one)).toMatchObject({ status: 'FAILED', failReason: 'declined by the bank' })
  expect(await play('expired', other)).toMatchObject({ status: 'EXPIRED' })
})

test('a tip, a card and an order that do not go together are a usage error (2)', async () => {
  const { us, play, entry } = await here()
  const id = await us.created()
  const wrong: Partial<Triggered>[] = [{ tip: '1.00' }, { tip: '1,00' }, { tip: '-1' }, { card: 'gold' }]
  for (const more of wrong) await expect(play('paid', id, more)).rejects.toMatchObject({ kind: 'usage', exit: 2 })
  await expect(play('declined', id, { card: 'approved' })).rejects.toMatchObject({ kind: 'usage' })
  const tipped = await us.created({ tipReceiverId: waiter, tipReceiverType: 'USER' })
  await expect(play('expired', tipped, { tip: '1.00' })).rejects.toMatchObject({ kind: 'usage' })
  expect(await play('paid', tipped, { tip: '0' })).toMatchObject({ status: 'SUCCESS' })
  expect((await entry(id)).status).toBe('INITIAL')
})

test('it plays through the store: a server of the same world sees it, and two payers at once pay once', async () => {
  const directory = freshDirectory()
  const clock = handClock()
  const running = await fileSandbox(directory, clock)
  const us = await integratorNamed(running, (await served(running)).url)
  const id = await us.created()
  const others = await Promise.all(Array.from({ length: 4 }, () => fileSandbox(directory, clock)))
  const played = await Promise.allSettled(others.map((each) => each.trigger({ what: 'paid', order: id })))
  expect(played.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await us.status(id)).toBe('SUCCESS')
  expect((await running.ledger()).orders).toMatchObject([{ charges: 1 }])
})
