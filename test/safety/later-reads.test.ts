/** A read never takes back what an earlier believed answer told. */
import { describe, expect, test } from 'vitest'
import type { Ended } from '../kit/program.ts'
import { chargeCard, type HandDesk, handDesk, handOrder, type Said } from '../kit/service.ts'
import { plain, sealedWrites, type WriteName, writes } from '../kit/verdict.ts'

const charge = chargeCard()
const refund = sealedWrites['order refund'].argv()
const complete = sealedWrites['order complete'].argv()
const status = ['order', 'status', handOrder]
const readLater = 20 * 60_000

const told = (status: string, more: object = {}) => ({
  ...{ integratorOrderId: handOrder, uniqueId: handOrder, status },
  ...more,
})
const under = (http: number, status: string): Said => plain(told(status), http)

/** Neither done nor denied. */
function undecided(ended: Ended) {
  expect([7, 9], ended.stdout + ended.stderr).toContain(ended.code)
  expect(ended.error.moneyMoved, ended.stderr).toBe('unknown')
}

interface Told {
  readonly name: WriteName
  readonly argv: readonly string[]
  /** The status that its answer tells. */
  readonly status: string
  /** The status that a lagging copy of the service shows; null where it does not know the thing. */
  readonly before: string | null
}

const tellers: readonly Told[] = [
  { name: 'order refund', argv: refund, status: 'PARTIALLY_REFUNDED', before: 'SUCCESS' },
  { name: 'order complete', argv: complete, status: 'SUCCESS', before: 'FAILED' },
  { name: 'order create with a card', argv: charge, status: 'SUCCESS', before: null },
]

/** The service answers the write with `said` once, and later writes as done. It can be read once `mayBeRead` is called. */
async function answering({ name, before }: Told, said: Said): Promise<HandDesk & { mayBeRead: () => void }> {
  let isRead = false
  const { operation } = writes[name]
  const desk = await handDesk((call): Said => {
    if (call.name === operation) return call.count === 1 ? said : { value: told('SUCCESS') }
    if (call.name === 'order.create') return { value: told('SUCCESS') }
    if (!isRead) return { plain: 'reset' }
    return before === null ? { code: 6005, group: 2 } : { value: told(before) }
  })
  const mayBeRead = () => {
    isRead = true
  }
  return Object.assign(desk, { mayBeRead })
}

async function staysUndecided(teller: Told, said: Said, skipped = 0) {
  const desk = await answering(teller, said)
  undecided(await desk.run(...teller.argv))
  desk.mayBeRead()
  desk.skip(skipped)
  await desk.run(...status)
  for (const argv of [['resume', '--all'], teller.argv]) undecided(await desk.run(...argv))
  expect(desk.count(writes[teller.name].operation)).toBe(1)
}

describe.each(tellers)('$name', (teller) => {
  const { name, argv } = teller

  test.each([['6016, while nothing can be read', { code: 6016, group: 2 }]] as const)(
    `${name}: an answer with %s is not denied by a copy that lags behind, and not sent again`,
    async (_, said) => {
      await staysUndecided(teller, said, readLater)
    },
  )

  test(`${name}: a lost answer that no read shows within 15 minutes is not executed (5), and is sent again`, async () => {
    const desk = await answering(teller, { plain: 'reset' })
    undecided(await desk.run(...argv))
    desk.mayBeRead()
    desk.skip(readLater)
    expect((await desk.run('resume', '--all')).code).toBe(5)
    await desk.run(...argv)
    expect(desk.count(writes[name].operation)).toBe(2)
  })
})

test.each([
  ['order complete', 6006, complete],
  ['order create with a card', 6016, charge],
] as const)('%s: %d while nothing can be read is not made done by a later SUCCESS', async (name, code, argv) => {
  let isRead = false
  const desk = await handDesk((call): Said => {
    if (call.name === writes[name].operation) return { code, group: 2 }
    return isRead ? { value: told('SUCCESS') } : { plain: { status: 503, body: '{}' } }
  })
  undecided(await desk.run(...argv))
  isRead = true
  undecided(await desk.run('resume', '--all'))
  undecided(await desk.run(...argv))
})

test('order complete: a status of a megabyte comes neither onto the screen nor into the journal', async () => {
  const long = under(500, `REFUNDED_BY_${'A'.repeat(2 ** 20)}`)
  const desk = await handDesk(({ name }): Said => (name === 'order.complete' ? long : { plain: 'reset' }))
  const ended = await desk.run(...complete)
  undecided(ended)
  expect(ended.stderr.length).toBeLessThan(10_000)
  expect((await desk.run('journal', 'show', String(ended.error.journalId))).stdout).not.toContain('AAAA')
})
