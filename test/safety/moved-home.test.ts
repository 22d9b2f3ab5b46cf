/** A home that moves to another machine: the clock there proves nothing about a request that the first machine sent. */
import { expect, test } from 'vitest'
import { type HandDesk, handDesk, handOrder, type Said } from '../kit/service.ts'

const refund = ['order', 'refund', handOrder, '--amount', '5', '--key', 'R', '--yes']
const hour = 3_600_000

/** A refund whose answer was lost; its order reads SUCCESS. */
async function lostRefund(): Promise<HandDesk> {
  const desk = await handDesk(({ name }): Said => {
    if (name === 'order.refund') return { plain: 'reset' }
    return { value: { integratorOrderId: handOrder, status: 'SUCCESS' } }
  })
  expect((await desk.run(...refund)).code).toBe(9)
  return desk
}

test.each(['that', 'this'])(
  'order refund, answer lost, home moved to another machine (named %s): stays unknown (9) until the operator ends it',
  async (name) => {
    const desk = await lostRefund()
    // Machines that were made of one image have one name.
    desk.startAnew(name, 2 * hour)
    desk.set(hour)
    for (const argv of [['resume', 'R'], refund]) {
      const { code, error, stderr } = await desk.run(...argv)
      expect(code, stderr).toBe(9)
      expect(error).toMatchObject({ moneyMoved: 'unknown' })
    }
    const { error } = await desk.run('resume', 'R')
    expect(error).toMatchObject({ message: expect.stringContaining('another machine has sent it') })
    expect(error.hints).toEqual([expect.stringContaining('--settle')])
    expect(desk.count('order.refund')).toBe(1)
    expect((await desk.run('resume', 'R', '--settle', 'refused', '--because', 'the bank says so', '--yes')).code).toBe(
      0,
    )
  },
)

test('order refund, answer lost, home moved to another machine and back: refused (5) once the first machine has waited long enough', async () => {
  const desk = await lostRefund()
  desk.startAnew('that')
  desk.skip(hour)
  expect((await desk.run('resume', 'R')).code).toBe(9)
  desk.startAnew('this')
  expect((await desk.run('resume', 'R')).code).toBe(9)
  desk.skip(hour)
  expect((await desk.run('resume', 'R')).code).toBe(5)
})
