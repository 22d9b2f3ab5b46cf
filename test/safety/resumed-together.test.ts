/** Several writes that are resolved together: what is told of one that the service has. */
import { expect, test } from 'vitest'
import { foreignOrder } from '../kit/service/hand-desk.ts'
import { handPayout } from '../kit/service/hand-payout.ts'
import { json } from '../kit/service/service-by-hand.ts'

test('a payout whose id is taken, and of which no status is known, is there', async () => {
  let isLate = false
  const desk = await handPayout(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (!isLate) return 'reset'
    return json({ message: 'no', statusCode: body.includes('2.25') ? 5042 : 5017 }, 400)
  })
  const lost = [await desk.pay({ amount: '12.50' }), await desk.pay({ amount: '2.25', 'unique-id': foreignOrder })]
  expect(lost.map(({ code }) => code)).toEqual([9, 9])
  isLate = true
  const resumed = await desk.run('resume', '--all', '--yes')
  expect(resumed, resumed.stderr).toMatchObject({ code: 10 })
  expect(resumed.error.hints).toContainEqual(expect.stringMatching(/: the service has it$/))
})
