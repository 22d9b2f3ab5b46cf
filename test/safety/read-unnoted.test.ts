/** A read that the journal cannot store, because the disk is full or the store takes nothing: no older status is told in its place. */
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, test } from 'vitest'
import { foreignOrder, handDesk, handOrder } from '../kit/service.ts'
import { tamper } from '../kit/store.ts'

const create = [
  ...['order', 'create', '--amount', '12.50', '--receiver-id', foreignOrder],
  ...['--integrator-order-id', handOrder, '--yes'],
]

/** The journal of this home takes no change of a write any more, or takes them again. */
function journalOf(home: string) {
  const run = (statement: string) => {
    const database = new DatabaseSync(join(home, 'journal', 'journal.db'), { timeout: 5_000 })
    database.exec(statement)
    database.close()
  }
  return {
    fill: () =>
      run("create trigger if not exists full before update on intents begin select raise(abort, 'full'); end"),
    free: () => run('drop trigger full'),
  }
}

/** An order that was read as EXPIRED, whose journal takes nothing from a read on. */
async function scene() {
  const now = { status: 'EXPIRED', isFull: false }
  const desk = await handDesk(({ name }) => {
    if (name === 'order.create') return { value: { integratorOrderId: handOrder, urlForQR: 'https://pay.example/1' } }
    if (now.isFull) journalOf(desk.home).fill()
    return { value: { integratorOrderId: handOrder, status: now.status } }
  })
  const created = await desk.run(...create)
  expect(created, created.stderr).toMatchObject({ code: 0 })
  await desk.run('order', 'status', handOrder)
  const free = () => {
    now.isFull = false
    journalOf(desk.home).free()
  }
  return { ...desk, now, free, lines: { create, resume: ['resume', String(created.json.journalId)] } }
}

test.each(['create', 'resume'] as const)(
  'order %s: read as EXPIRED, then as SUCCESS that cannot be stored: unknown (9), then paid (0)',
  async (line) => {
    const desk = await scene()
    Object.assign(desk.now, { status: 'SUCCESS', isFull: true })
    const ended = await desk.run(...desk.lines[line])
    expect(ended, ended.stderr).toMatchObject({ code: 9, error: { moneyMoved: 'unknown', retry: 'same-id' } })
    expect(ended.error.message).toMatch(/is SUCCESS now.*could not store/)
    desk.free()
    const again = await desk.run(...desk.lines[line])
    expect(again, again.stderr).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
  },
)

test('order wait: SUCCESS that cannot be stored is told all the same (0)', async () => {
  const desk = await scene()
  Object.assign(desk.now, { status: 'SUCCESS', isFull: true })
  expect(await desk.run('order', 'wait', handOrder)).toMatchObject({ code: 0, json: { status: 'SUCCESS' } })
})

test('order refund beside another one: a status that cannot be stored keeps it from leaving (11)', async () => {
  const service = { shown: 'SUCCESS' }
  const desk = await handDesk(({ name }) =>
    name === 'order.refund'
      ? { code: 6130, group: 2 }
      : { value: { integratorOrderId: handOrder, status: service.shown } },
  )
  const refund = (key: string, amount: string) =>
    desk.run('order', 'refund', handOrder, '--amount', amount, '--key', key, '--yes')
  expect((await refund('Q', '5')).code).toBe(5)
  tamper(
    desk.home,
    "create trigger no_notes before update on intents when new.state = 'refused' begin select raise(fail, 'no'); end",
  )
  service.shown = 'PARTIALLY_REFUNDED'
  const next = await refund('R', '3')
  expect(next, next.stderr).toMatchObject({ code: 11, error: { moneyMoved: 'no' } })
  expect(next.error.message).toContain('could not note')
  expect(desk.count('order.refund')).toBe(1)
})
