import { expect, test } from 'vitest'
import type { Clock } from '../../../src/lib/edge.ts'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, json, serviceByHand } from '../../kit/service.ts'

async function made(description: string) {
  const home = newHome()
  const clock = stillClock()
  const { json } = await paydesk([...create({ description }), '--json'], { home, clock })
  const wait = (...more: string[]) =>
    paydesk(['payout', 'wait', String(json.transactionId), '-p', 'sandbox', ...more], {
      home,
      clock,
      random: impatient,
    })
  return { home, clock, receipt: json, wait }
}

test('payout wait: an executed payout is 0, and is shown', async () => {
  const { wait, receipt } = await made('Salary, November')
  const ended = await succeeds(wait('--json'))
  expect(ended.stderr).toBe('')
  expect(ended.json).toMatchObject({ transactionId: receipt.transactionId, status: 'SUCCESS', amount: 12.5 })
})

test('payout wait: progress stands on stderr, and the result on stdout', async () => {
  const { wait } = await made('Salary, November')
  const ended = await wait()
  expect(ended.stderr.split('\n').slice(1, -1)).toEqual([
    'INITIAL; waiting until it is final',
    'PENDING; waiting until it is final',
  ])
  expect(ended.stdout).toMatch(/^status +SUCCESS /m)
})

test('payout wait: each new status is told once, with the time and the uniqueId', async () => {
  const { wait, receipt } = await made('Salary, November')
  const { log } = await wait()
  const line = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d id=(\S+) (INITIAL|PENDING); waiting until/gm
  expect([...log.matchAll(line)].map(([, id, status]) => [id, status])).toEqual([
    [receipt.uniqueId, 'INITIAL'],
    [receipt.uniqueId, 'PENDING'],
  ])
})

test('payout wait at a terminal: one line shows the status and the seconds until the time is up (8)', async () => {
  const { home, clock, receipt } = await made('sandbox:insufficient-balance')
  // The line counts real seconds; the clock of the command jumps as soon as one second is drawn.
  let isDrawn = () => {}
  const drawn = new Promise<void>((resolve) => {
    isDrawn = resolve
  })
  const sleep: Clock['sleep'] = async (milliseconds, signal) => {
    await drawn
    await clock.sleep(milliseconds, signal)
  }
  const second = /INITIAL_INSUFFICIENT_BALANCE; not final, [1-9]\d* s \(\^C stops\)/
  const argv = ['payout', 'wait', String(receipt.transactionId), '-p', 'sandbox', '--timeout', '60s']
  const { code, stderr } = await paydesk(argv, {
    ...{ home, clock: { ...clock, sleep }, random: impatient, terminal: true },
    dialogue: (screen) => {
      if (second.test(screen)) isDrawn()
    },
  })
  expect(code, stderr).toBe(8)
  expect(stderr).toMatch(second)
  expect(stderr).not.toContain('looking again')
})

test.each([
  ['sandbox:failed', 'FAILED'],
  ['sandbox:rejected', 'REJECTED'],
  ['sandbox:deleted', 'DELETED'],
])('payout wait: a payout %s that ended in %s is 5', async (description, status) => {
  const { wait, receipt } = await made(description)
  const ended = await wait('--json')
  expect(ended).toMatchObject({ code: 5, stdout: '' })
  expect(ended.error).toMatchObject({
    name: 'refused',
    status,
    transactionId: receipt.transactionId,
    uniqueId: receipt.uniqueId,
    journalId: receipt.journalId,
    moneyMoved: 'no',
  })
})

test('payout wait: when --timeout passes it is 8 with the last status', async () => {
  const { wait, receipt } = await made('sandbox:insufficient-balance')
  const ended = await wait('--timeout', '20s', '--json')
  expect(ended.code).toBe(8)
  expect(ended.json).toMatchObject({ status: 'INITIAL_INSUFFICIENT_BALANCE', transactionId: receipt.transactionId })
  expect(ended.error).toMatchObject({ name: 'pending', status: 'INITIAL_INSUFFICIENT_BALANCE' })
  const table = await wait('--timeout', '20s')
  expect(table.code).toBe(8)
  expect(table.stdout).toMatch(/^status +INITIAL_INSUFFICIENT_BALANCE /m)
  expect(table.stderr).toContain(`paydesk payout wait ${receipt.transactionId}`)
})

test('payout wait: an unknown status is never an end', async () => {
  const home = newHome()
  const service = await serviceByHand(({ path }, count) =>
    path === '/api/distributor/details'
      ? json({
          transactionId: 7,
          status: ['CONSTRUCTOR', 'toString', 'SUCCESSFUL', ' SUCCESS'][count - 1],
          amount: 1,
          currency: 'GEL',
          uniqueId: 'x',
        })
      : undefined,
  )
  await addHandProfile(home, service.url)
  await succeeds(paydesk(['payout', 'wait', '7', '-p', 'hand', '--json'], { home, clock: stillClock() }))
  expect(service.seen.filter(({ path }) => path === '/api/distributor/details')).toHaveLength(4)
})

test('payout wait: the journal remembers the final status', async () => {
  const { home, wait, receipt } = await made('sandbox:rejected')
  await wait()
  const shown = await paydesk(['journal', 'show', String(receipt.journalId), '--json'], { home })
  expect(shown.json).toMatchObject({ state: 'accepted', status: 'REJECTED' })
})

test('payout wait: ^C is 130', async () => {
  const { home, clock, receipt } = await made('sandbox:insufficient-balance')
  let stop = (_signal: 'SIGINT'): void => undefined
  const sleep: Clock['sleep'] = async (_milliseconds, signal) => {
    stop('SIGINT')
    signal?.throwIfAborted()
  }
  const ended = await paydesk(['payout', 'wait', String(receipt.transactionId), '-p', 'sandbox', '--json'], {
    ...{ home, clock: { ...clock, sleep } },
    signals: (send) => {
      stop = send
    },
  })
  expect(ended).toMatchObject({ code: 130, stdout: '' })
  expect(ended.error).toMatchObject({ name: 'interrupted', exit: 130 })
})
