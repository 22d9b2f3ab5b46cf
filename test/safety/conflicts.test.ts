/** An id that is taken at the first attempt is a conflict (7): whose payment has it is not known, and every later command says so. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ended } from '../kit/program.ts'
import { handDesk, handOrder, handPayout, json } from '../kit/service.ts'
import { sealedWrites } from '../kit/verdict.ts'

function told(ended: Ended, code: number) {
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ code, error: { moneyMoved: 'unknown' } })
  expect(ended.error.hints).not.toEqual(expect.arrayContaining([expect.stringContaining('run its command again')]))
}

const isCreate = (path: string) => path === '/api/distributor'
const taken = json({ message: 'Duplicate', statusCode: 5017 }, 400)

test('payout create: a taken id is a conflict (7) to payout get, payout wait and resume, until a person settles it', async () => {
  const desk = await handPayout(({ path }) => (isCreate(path) ? taken : undefined))
  const first = await desk.pay()
  told(first, 7)
  const [journalId, uniqueId] = [String(first.error.journalId), String(first.error.uniqueId)]
  for (const argv of [
    ['payout', 'get', uniqueId],
    ['payout', 'wait', uniqueId],
    ['resume', journalId],
  ]) {
    told(await desk.run(...argv), 7)
  }
  const word = ['--settle', 'refused', '--because', 'not on the statement', '--yes']
  expect((await desk.run('resume', journalId, ...word)).json).toMatchObject({ outcome: 'refused' })
  expect(await desk.run('payout', 'get', uniqueId)).toMatchObject({ code: 6, error: { moneyMoved: 'no' } })
})

test('payout create: a conflict keeps the sum that was sent, and its id is refused for another one', async () => {
  const desk = await handPayout(({ path }) => (isCreate(path) ? taken : undefined))
  told(await desk.pay(), 7)
  told(await desk.pay({ amount: '0.02' }), 7)
  expect(desk.creates()).toBe(1)
  const [known] = JSON.parse((await desk.run('journal', 'list')).stdout)
  expect(String(known.amount)).not.toBe('0.02')
})

test('payout create: a repeat of a conflict that cannot sign in ends with 4, and stays unknown', async () => {
  let isClosed = false
  const desk = await handPayout(({ path }) => {
    if (path === '/api/auth' && isClosed) return json({ message: 'Incorrect credentials', statusCode: 5021 }, 401)
    return isCreate(path) ? taken : undefined
  })
  told(await desk.pay(), 7)
  isClosed = true
  rmSync(join(desk.home, 'tokens'), { recursive: true, force: true })
  told(await desk.pay(), 4)
})

test('order create and wallet finalize: a taken id and ALREADY_FINALISED at the first attempt are conflicts (7)', async () => {
  const desk = await handDesk(({ name }) =>
    name === 'order.create'
      ? { code: 6023, group: 2 }
      : { value: { uniqueId: handOrder, status: 'ALREADY_FINALISED' } },
  )
  told(await desk.run(...sealedWrites['order create'].argv()), 7)
  told(await desk.run(...sealedWrites['wallet finalize'].argv()), 7)
})
