import { expect, test } from 'vitest'
import { employees, plannedPayroll, plannedSandboxPayroll } from '../../kit/batch.ts'
import { hurriedClock } from '../../kit/clock.ts'
import { start } from '../../kit/process.ts'
import { succeeds } from '../../kit/program.ts'
import { type Answering, json } from '../../kit/service.ts'
import { signalLine, until } from '../../kit/tools.ts'
import { addFault } from '../../kit/world.ts'

const wait = ({ planId }: { readonly planId: string }, ...more: readonly string[]) => ['batch', 'wait', planId, ...more]

interface Kept {
  readonly uniqueId: string
  readonly amount: number
  readonly currency: string
  readonly toIban: string
  readonly description: string
}

/** A service that keeps payouts, and shows each in the status that `statusOf` says. */
function keeping(statusOf: (payout: Kept, asked: number) => string, told: Partial<Kept> = {}): Answering {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, number>()
  return ({ path, body, query }) => {
    if (path === '/api/distributor') {
      const payout = JSON.parse(body) as Kept
      const id = String(1000 + kept.size)
      kept.set(id, payout)
      const about = { status: 'INITIAL', statusDescription: null, uniqueId: payout.uniqueId, createdAt: null }
      return json({ transactionId: Number(id), ...about })
    }
    if (path !== '/api/distributor/details') return undefined
    const id = new URLSearchParams(query).get('transaction_id') ?? ''
    const payout = kept.get(id)
    if (!payout) return undefined
    const times = (asked.get(id) ?? 0) + 1
    asked.set(id, times)
    const { uniqueId, amount, currency, toIban, description } = payout
    const about = { uniqueId, amount, currency, toIban, paymentDescription: description, createdAt: null }
    const status = statusOf(payout, times)
    const other = id === '1000' ? told : {}
    return json({ value: { transactionId: Number(id), status, statusDescription: null, ...about, ...other } })
  }
}

async function paidBy(answering: Answering, rows = employees(3), confirm = 'GEL 6.75') {
  const payroll = await plannedPayroll(rows, answering)
  const ended = await payroll.batch('run', '--confirm', confirm, '--timeout', '20s')
  return { payroll, ended }
}

test.each([100, 40])('batch wait: at %i columns a bar is drawn until all payouts are final', async (columns) => {
  const { payroll } = await paidBy(keeping((_, asked) => (asked < 2 ? 'PENDING' : 'SUCCESS')))
  const argv = wait(payroll, '--output', 'table')
  const ended = await succeeds(payroll.run(argv, { terminal: true, columns, env: { NO_COLOR: '1' } }))
  expect(ended.stderr).toContain(columns === 100 ? '0/3 final' : '0/3')
  expect(ended.stderr).toContain('paid 3')
  expect(ended.stderr).not.toContain('looking again')
})

test('batch wait: a plan is waited for until all is paid (0), and the journal stores it', async () => {
  const clock = hurriedClock()
  const payroll = await plannedSandboxPayroll(employees(5), { clock })
  await payroll.batch('run', '--yes')
  await payroll.run(['sandbox', 'clock', 'advance', '1h'])
  const ended = await succeeds(payroll.run(wait(payroll)))
  expect(ended.json).toMatchObject({ rows: 5, paid: 5, accepted: 0, paidTotals: { GEL: 16.25 }, warnings: [] })
  const shown = await payroll.batch('show')
  expect(shown.json.shown).toMatchObject([{ status: 'SUCCESS' }, {}, {}, {}, { status: 'SUCCESS' }])
})

test('batch wait: --timeout passes first (8), and the command that goes on is told', async () => {
  const payroll = await plannedSandboxPayroll(employees(2), { clock: hurriedClock() })
  await payroll.batch('run', '--yes')
  await addFault(payroll.home, { op: 'payout.get', kind: 'html502', at: 'before', times: 9999 })
  const ended = await payroll.run(wait(payroll, '--timeout', '2s'))
  expect(ended).toMatchObject({ code: 8, json: { accepted: 2, paid: 0 }, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toContain(`batch wait ${payroll.planId}`)
})

test('batch wait: each payout is read until it is final, and a final one is not read again', async () => {
  const asked: string[] = []
  const { payroll } = await paidBy(
    keeping(({ uniqueId, amount }, times) => {
      asked.push(uniqueId)
      return times >= amount ? 'SUCCESS' : 'PENDING'
    }),
  )
  const ended = await succeeds(payroll.run([...wait(payroll), '--output', 'ndjson']))
  const lines = ended.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ row, status }) => [row, status]).slice(0, 3)).toEqual([
    [2, 'SUCCESS'],
    [3, 'SUCCESS'],
    [4, 'SUCCESS'],
  ])
  expect(lines[3]).toMatchObject({ paid: 3 })
  expect(asked).toHaveLength(2 + 3 + 4)
  const before = asked.length
  expect((await payroll.run(wait(payroll))).code).toBe(0)
  expect(asked).toHaveLength(before)
})

test('batch wait: a payout that ends FAILED makes it 10 and stands in the result files', async () => {
  const { payroll } = await paidBy(keeping(({ amount }) => (amount === 2.25 ? 'FAILED' : 'SUCCESS')))
  const ended = await payroll.run(wait(payroll))
  expect(ended, ended.stderr).toMatchObject({
    code: 10,
    json: { paid: 2, notPaid: 1, paidTotals: { GEL: 4.5 } },
    error: { moneyMoved: 'yes' },
  })
  const papers = await payroll.batch('results', '--dir', payroll.home)
  expect(papers.json).toMatchObject({ notPaid: 1, warnings: [expect.stringContaining('1 row of ok.csv')] })
})

test('batch wait: while a run still sends rows the timeout (8) never says that rows stay unsent', async () => {
  const payroll = await plannedPayroll(
    employees(6),
    keeping(() => 'SUCCESS'),
  )
  const slow = ['--confirm', 'GEL 22.50', '--rate', '20/m', '--concurrency', '1', '-p', 'hand', '--json']
  const { child, end } = start(['batch', 'run', payroll.planId, ...slow], payroll.home)
  await until('one is paid', () => payroll.service.creates.length > 0)
  const ended = await payroll.run(wait(payroll, '--timeout', '1s'))
  expect(ended, ended.stderr).toMatchObject({ code: 8, error: { moneyMoved: 'unknown' } })
  expect(String(ended.error.hints)).toContain('batch wait')
  expect(String(ended.error.hints)).not.toContain('batch resume')
  const papers = await payroll.batch('results', '--dir', `${payroll.home}/papers`)
  expect(papers, papers.stderr).toMatchObject({ code: 0, json: { isWorked: true } })
  expect(String(papers.json.warnings)).toContain('the plan is still being paid')
  const report = await payroll.batch('report')
  expect(report.json).toMatchObject({ isWorked: true })
  expect(String(report.json.next)).toContain('A run or workers are paying it')
  expect(String(report.json.next)).not.toContain('batch resume')
  child.kill('SIGINT')
  await end
  const after = await payroll.batch('results', '--dir', `${payroll.home}/papers`, '--overwrite')
  expect(after.json, after.stderr).toMatchObject({ isWorked: false, sending: 0, warnings: [] })
})

test('batch wait: a row that only exists is not waited for (8), and payout reconcile is suggested', async () => {
  const tried = new Set<string>()
  const { payroll, ended: run } = await paidBy(
    ({ path, body }) => {
      if (path !== '/api/distributor') return undefined
      if (tried.has(body)) return json({ message: 'Duplicate', statusCode: 5017 }, 400)
      tried.add(body)
      return 'reset'
    },
    employees(1),
    'GEL 1.25',
  )
  expect(run, run.stderr).toMatchObject({ code: 0, json: { exists: 1 } })
  const ended = await payroll.run(wait(payroll))
  expect(ended, ended.stderr).toMatchObject({
    code: 8,
    json: { exists: 1, warnings: [expect.stringContaining('only exist')] },
  })
  expect(String(ended.error.hints)).toContain('payout reconcile')
})

test('batch wait: an unknown row makes it 9, and the other rows are waited for', async () => {
  const own = keeping((_payout, times) => (times > 2 ? 'SUCCESS' : 'PENDING'))
  const { payroll } = await paidBy((request, count) =>
    request.path === '/api/distributor' && request.body.includes('2.25')
      ? { status: 502, body: '' }
      : own(request, count),
  )
  const ended = await payroll.run(wait(payroll))
  expect(ended, ended.stderr).toMatchObject({
    code: 9,
    json: { paid: 2, unknown: 1 },
    error: { moneyMoved: 'unknown' },
  })
  expect(String(ended.error.hints)).toContain(`batch resume ${payroll.planId} --confirm 'GEL `)
})

test('batch wait: a payout that was executed with another sum is unknown (9), never paid', async () => {
  const own = keeping(() => 'SUCCESS')
  const { payroll } = await paidBy(async (request, count) => {
    const reply = await own(request, count)
    if (request.path !== '/api/distributor/details' || !reply || typeof reply === 'string' || 'raw' in reply)
      return reply
    return { ...reply, body: reply.body.replace('"amount":2.25', '"amount":22.5') }
  })
  const ended = await payroll.run(wait(payroll))
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { paid: 2, unknown: 1 } })
})

test('batch wait: a payout that the service refuses to show is unknown (9) and is not read again', async () => {
  let asked = 0
  const own = keeping(() => 'SUCCESS')
  const { payroll } = await paidBy((request, count) => {
    if (request.path !== '/api/distributor/details') return own(request, count)
    asked += 1
    return asked === 1 ? json({ message: 'no', statusCode: 5042 }, 400) : own(request, count)
  })
  const ended = await payroll.run(wait(payroll, '--concurrency', '1'))
  expect(ended, ended.stderr).toMatchObject({ code: 9, json: { paid: 2, accepted: 1 } })
  expect(asked).toBe(3)
})

test('batch wait: a refused token ends the wait (4)', async () => {
  const own = keeping(() => 'SUCCESS')
  const { payroll } = await paidBy((request, count) =>
    request.path === '/api/distributor/details' ? json({ message: 'no', statusCode: 5021 }, 401) : own(request, count),
  )
  const ended = await payroll.run(wait(payroll))
  expect(ended, ended.stderr).toMatchObject({ code: 4, json: { accepted: 3 } })
})

test('batch wait: ^C ends the wait (130) with the command that goes on', async () => {
  const { send, signals } = signalLine()
  let isSent = false
  const { payroll } = await paidBy(
    keeping((_payout, times) => {
      // Once: several questions are on their way, and a second ^C ends the process.
      if (times === 2 && !isSent) send('SIGINT')
      if (times === 2) isSent = true
      return 'PENDING'
    }),
  )
  const ended = await payroll.run(wait(payroll), { signals })
  expect(ended, ended.stderr).toMatchObject({ code: 130, json: { accepted: 3 } })
  expect(String(ended.error.hints)).toContain(`batch wait ${payroll.planId}`)
})
