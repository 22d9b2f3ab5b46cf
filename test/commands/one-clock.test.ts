/** At a terminal every time is local and has its zone; in JSON every time is ISO 8601 with its offset. */
import { beforeAll, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'

const home = newHome()
const env = { TZ: 'Asia/Tbilisi' }
const ids: Record<string, string> = {}

const screens = [
  ...['payout list -p sandbox', 'payout get {payout} -p sandbox', 'payout receipt {payout} -p sandbox'],
  ...['payout diff {payout} -p sandbox', 'order list -p sandbox', 'order status {order} -p sandbox'],
  ...['wallet list -p sandbox', 'wallet details {wallet} -p sandbox', 'payee list -p sandbox', 'journal list'],
  ...['journal show {journal}', 'batch list', 'batch show {plan}', 'batch status {plan}', 'batch report {plan}'],
  ...['callback list', 'sandbox requests', 'sandbox ledger', 'sandbox clock show', 'doctor -p sandbox'],
]

beforeAll(async () => {
  const run = async (words: readonly string[]) => {
    const ended = await succeeds(paydesk([...words, '--json'], { home, env }))
    return ended.json
  }
  const payout = await run(create({ 'beneficiary-name': 'ნინო ბერიძე' }))
  const order = await run(
    'order create -p sandbox --amount 3 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --yes'.split(' '),
  )
  const uri =
    'https://pay.example/pay?qrType=REQUEST&receiverType=USER&receiverId=5a9db0c0-0321-4a11-8c11-000000000321&amount=25.00&currency=GEL'
  const wallet = await run(['wallet', 'create', '-p', 'sandbox', '--uri', uri, '--yes'])
  const rows = `${home}/rows.csv`
  await paydesk(['sandbox', 'sample', '--rows', '2', '--out', rows], { home })
  const plan = await run(['batch', 'plan', rows, '-p', 'sandbox'])
  await run('payee add -p sandbox --beneficiary-name Nino --to-iban GE29NB0000000101904917'.split(' '))
  Object.assign(ids, {
    ...{ payout: payout.transactionId, journal: payout.journalId, order: order.integratorOrderId },
    ...{ wallet: wallet.uniqueId, plan: plan.planId },
  })
})

const argvOf = (line: string) => line.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? ''))

test.each(screens.flatMap((line) => [80, 200].map((columns) => [line, columns] as const)))(
  '%s at a terminal of %d columns: every time is local and has its zone',
  async (line, columns) => {
    const { stdout, stderr, code } = await paydesk(argvOf(line), { home, env, terminal: true, columns })
    expect(code, stderr).toBe(0)
    const outsideJson = stdout
      .split('\n')
      .filter((each) => !/[{[]"/.test(each))
      .join('\n')
    expect(outsideJson, line).not.toMatch(/\d\d:\d\d(?::\d\d)?(?:\.\d+)?Z| UTC\b(?!\+)/)
    for (const [, zone] of outsideJson.matchAll(/\(UTC([+-]\d\d:\d\d)\)/g)) expect(zone).toBe('+04:00')
  },
)

test('payout get: a time without a zone is marked at a terminal, and unchanged in JSON', async () => {
  const argv = argvOf('payout get {payout} -p sandbox')
  const { stdout } = await paydesk(argv, { home, env, terminal: true, columns: 200 })
  const { json } = await paydesk([...argv, '--json'], { home, env })
  expect(stdout).toContain(`${json.createdAt} (zone unknown)`)
})

test('JSON output: every time that paydesk itself records has its offset', async () => {
  for (const line of ['journal list', 'payout list -p sandbox', 'doctor -p sandbox', 'batch list']) {
    const { stdout } = await paydesk([...argvOf(line), '--json'], { home, env })
    const times = [...stdout.matchAll(/"(?:openedAt|changedAt|plannedAt|at)":"([^"]+)"/g)].map(([, time]) => time)
    expect(times.length, line).toBeGreaterThan(0)
    for (const time of times) expect(time).toMatch(/(?:Z|[+-]\d\d:\d\d)$/)
  }
})
