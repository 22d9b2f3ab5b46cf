import { describe, expect, test } from 'vitest'
import { paydesk } from '../../kit/paydesk.ts'
import { addFault } from '../../kit/world.ts'
import { done, inSandbox, ordered, place, play } from './scene.ts'

const wait = (id: string, ...more: readonly string[]) => ['order', 'wait', id, ...inSandbox, ...more]

describe('order wait', () => {
  test('is 0 when the order was paid, and when what was paid went back', async () => {
    const around = place()
    const id = await ordered(around)
    await play(around, id, 'paid', 'second-step')
    expect((await done(wait(id), around)).json.status).toBe('SUCCESS')
    await done(['order', 'refund', id, '--amount', '12.50', '--yes', ...inSandbox], around)
    expect((await done(wait(id), around)).json.status).toBe('REFUND_REQUESTED')
  })

  test.each([
    ['declined', 'FAILED'],
    ['expired', 'EXPIRED'],
  ] as const)('is 5 when it was %s', async (what, status) => {
    const around = place()
    const id = await ordered(around, { 'valid-until': status === 'EXPIRED' ? '2099-12-31 23:59:59' : null })
    await play(around, id, what)
    const ended = await paydesk(wait(id, '--json'), around)
    expect(ended).toMatchObject({ code: 5, stdout: '' })
    expect(ended.error).toMatchObject({ status, uniqueId: id, moneyMoved: 'no' })
  })

  test('is 8 with what was last seen when the time is up', async () => {
    const around = place()
    const id = await ordered(around)
    const ended = await paydesk(wait(id, '--json', '--timeout', '3s'), around)
    expect(ended.code).toBe(8)
    expect(ended.json).toMatchObject({ status: 'INITIAL', integratorOrderId: id })
    expect(ended.error.hints).toEqual([`Wait on: \`paydesk order wait ${id}\`.`])
  })

  test('of a blocked amount is 8, and says what takes it', async () => {
    const around = place()
    const id = await ordered(around, { 'pay-with-pre-auth': true })
    await play(around, id)
    const ended = await paydesk(wait(id, '--json', '--timeout', '3s'), around)
    expect(ended.code).toBe(8)
    expect(ended.json.status).toBe('WAITING_FOR_CONFIRM')
    expect(String(ended.error.hints)).toContain(`paydesk order complete ${id} --amount`)
  })

  test('looks again after an answer that was none', async () => {
    const around = place()
    const id = await ordered(around)
    await play(around, id)
    await addFault(around.home, { op: 'order.status', at: 'before', kind: 'html502', times: 7 })
    expect((await done(wait(id), around)).json.status).toBe('SUCCESS')
  })

  test('stopped by ^C is 130; the order goes on', async () => {
    const around = place()
    const id = await ordered(around)
    const clock = {
      ...around.clock,
      sleep: async (_milliseconds: number, signal?: AbortSignal) => {
        send('SIGINT')
        signal?.throwIfAborted()
      },
    }
    let send: (signal: 'SIGINT') => void = () => undefined
    const ended = await paydesk(wait(id), {
      ...around,
      clock,
      signals: (given) => {
        send = given
      },
    })
    expect(ended.code).toBe(130)
    expect(ended.stderr).toContain('the order goes on')
  })
})
