/** Rows whose key stands for another payment, and plans whose profile has become another client: nobody is told to pay them. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { papersIn } from '../kit/batch/papers.ts'
import { employees, type HandPayroll, handPayroll, type Payroll, sandboxPayroll } from '../kit/batch/payroll.ts'
import { create } from '../kit/payment.ts'
import { serviceByHand } from '../kit/service/service-by-hand.ts'

const consent = 'GEL 1.25'
const single = (amount: string) => create({ profile: null, key: 'e-1', amount, description: 'Salary' })
const batch = (command: string, { planId }: Payroll, ...more: readonly string[]) => ['batch', command, planId, ...more]
const go = (command: string, payroll: Payroll, words = consent) =>
  payroll.run(batch(command, payroll, '--confirm', words, '--timeout', '60s'))

const otherClient = '11111111-2222-4333-8444-666666666666'

/** A service that executes and whose answers are lost for as long as its line is lost. */
async function losing(rows = employees(1)): Promise<HandPayroll & { readonly line: { isLost: boolean } }> {
  const line = { isLost: false }
  const payroll = await handPayroll(rows, ({ path }) =>
    path === '/api/distributor' && line.isLost ? { status: 502, body: '<html>' } : undefined,
  )
  return Object.assign(payroll, { line })
}

async function papers(payroll: Payroll) {
  const dir = join(payroll.home, `papers-${payroll.planId}`)
  const ended = await payroll.run(batch('results', payroll, '--dir', dir, '--overwrite'))
  expect(ended.code, ended.stderr).toBe(0)
  return papersIn(dir)
}

describe('a row whose key another payment has', () => {
  test.each(['accepted', 'unknown'] as const)('that is %s is never unsent, and says so', async (end) => {
    const payroll = await losing()
    await payroll.plan()
    payroll.line.isLost = end === 'unknown'
    await payroll.run([...single('9'), '--timeout', '60s'])
    payroll.line.isLost = false
    const ended = await go('run', payroll)
    const isOpen = end === 'unknown'
    expect(ended, ended.stderr).toMatchObject({
      code: isOpen ? 9 : 10,
      json: { refused: isOpen ? 0 : 1, unknown: isOpen ? 1 : 0, unsent: 0, conflicts: 1 },
      error: { moneyMoved: 'unknown', retry: 'never' },
    })
    expect(ended.error.message).toMatch(/its key e-1 stands for another payment, j-\w+ \(GEL 9.00 to/)
    expect(String(ended.error.hints)).not.toContain('batch resume')
    const { unsent, refused, unknown } = await papers(payroll)
    expect([unsent, refused]).toEqual([[], []])
    expect(unknown).toMatchObject([
      { 'paydesk:state': 'conflict', 'paydesk:why': expect.stringMatching(/j-\w+ .*: money may have moved/) },
    ])
    const report = await payroll.run(batch('report', payroll))
    expect(report.stdout).not.toContain('sends them')
    const waited = await payroll.run([...batch('wait', payroll), '--timeout', '60s'])
    for (const hints of [String(report.json.next), String(waited.error.hints)]) {
      expect(hints).not.toContain('batch resume')
      expect(hints).toContain(isOpen ? 'resolve that payment first' : 'compare each')
    }
    // A request of the other payment may still arrive after its command has ended.
    expect(payroll.service.creates.filter(({ body }) => Number(JSON.parse(body).amount) !== 9)).toEqual([])
  })

  test('that was sent and settled as refused by a word alone may not be mended, and the run says so', async () => {
    const payroll = await losing()
    await payroll.plan()
    payroll.line.isLost = true
    await payroll.run([...single('9'), '--timeout', '60s'])
    payroll.line.isLost = false
    const settled = await payroll.run([
      'resume',
      'e-1',
      '--settle',
      'refused',
      '--because',
      'the bank says so',
      '--yes',
    ])
    expect(settled.code, settled.stderr).toBe(0)
    const sent = payroll.service.creates.length
    const ended = await go('run', payroll)
    expect(ended, ended.stderr).toMatchObject({ code: 10, json: { planned: 0, refused: 1, conflicts: 1 } })
    expect(ended.error.message).toMatch(/its key e-1 stands for another payment, j-\w+ \(GEL 9.00 to/)
    expect(String(ended.error.hints)).not.toContain('batch resume')
    expect(payroll.service.creates).toHaveLength(sent)
    payroll.write([{ key: 'e-1', amount: '2' }])
    expect(await payroll.plan()).toMatchObject({ code: 2 })
  })

  test('is refused by a plan without the advice to give it another key first', async () => {
    const payroll = await losing()
    payroll.line.isLost = true
    await payroll.run([...single('9'), '--timeout', '60s'])
    const planned = await payroll.plan()
    expect(planned).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
    expect(String((planned.error.hints as string[])[0])).toContain('is not to be paid under another key')
  })

  test('of a file that was mended and paid elsewhere stays out of unsent.csv', async () => {
    const payroll = sandboxPayroll(employees(1, { amount: '0.01' }))
    await payroll.plan()
    const first = payroll.planId
    expect((await payroll.run(['batch', 'run', first, '--yes'])).code).toBe(10)
    payroll.write(employees(1, { amount: '7' }))
    await payroll.plan()
    expect((await payroll.run(['batch', 'run', payroll.planId, '--yes'])).code).toBe(0)
    const again = await payroll.run(['batch', 'run', first, '--yes'])
    expect(again).toMatchObject({ code: 10, json: { refused: 1, unsent: 0, conflicts: 1 }, error: { retry: 'never' } })
  })
})

describe('a profile that was moved to another service', () => {
  test('stops rows that went to the first one, and the row names the payment', async () => {
    const payroll = await losing()
    await payroll.plan()
    expect((await go('run', payroll)).code).toBe(0)
    const there = await serviceByHand()
    const moved = ['profile', 'add', 'hand', '--base-url', there.url, '--replace', '--another-service']
    expect((await payroll.run(moved)).code).toBe(0)
    const planned = await payroll.plan()
    expect(planned.code, planned.stderr).toBe(0)
    expect(String(planned.json.warnings)).toMatch(/1 row stands for a payment that was sent to another address.*j-/)
    const ended = await go('run', payroll)
    expect(ended, ended.stderr).toMatchObject({
      code: 10,
      json: { planned: 0, refused: 1, conflicts: 1 },
      error: { moneyMoved: 'unknown', retry: 'never' },
    })
    expect((await papers(payroll)).unknown[0]?.['paydesk:why']).toContain(payroll.service.url)
    expect(there.creates).toEqual([])
  })
})

describe('a profile that is another client by now', () => {
  const replaced = ['profile', 'add', 'hand', '--client-id', otherClient, '--replace']

  test.each(['run', 'resume'])(
    'sends no row of the plan: %s says whose it is, and what planning anew would pay',
    async (command) => {
      const payroll = await losing(employees(2))
      await payroll.plan()
      expect((await go('run', payroll, 'GEL 3.50')).code).toBe(0)
      payroll.write([...employees(2), { key: 'e-9', amount: '3' }])
      await payroll.plan()
      const sent = payroll.service.creates.length
      expect((await payroll.run(replaced)).code).toBe(0)
      const ended = await go(command, payroll, 'GEL 6.50')
      expect(ended, ended.stderr).toMatchObject({
        code: 12,
        json: { accepted: 2, planned: 1 },
        error: { moneyMoved: 'yes' },
      })
      expect(ended.error.message).toContain(`is the client ${otherClient}`)
      const hints = String(ended.error.hints)
      expect(hints).toContain('OTHER ids')
      expect(hints).toContain('2 rows were accepted and 0 are unknown')
      expect(payroll.service.creates).toHaveLength(sent)
    },
  )

  test('leaves unknown rows unknown (9) until it is that client again, and then they are resolved', async () => {
    const payroll = await losing()
    await payroll.plan()
    payroll.line.isLost = true
    expect((await go('run', payroll)).code).toBe(9)
    payroll.line.isLost = false
    expect((await payroll.run(replaced)).code).toBe(0)
    const sent = payroll.service.creates.length
    const ended = await go('resume', payroll)
    expect(ended, ended.stderr).toMatchObject({ code: 9, json: { unknown: 1 }, error: { moneyMoved: 'unknown' } })
    expect(String(ended.error.hints)).toContain('which alone can resolve its 1 unknown row')
    expect(payroll.service.creates).toHaveLength(sent)
    const back = ['profile', 'add', 'hand', '--client-id', '11111111-2222-4333-8444-555555555555', '--replace']
    expect((await payroll.run(back)).code).toBe(0)
    expect(await go('resume', payroll)).toMatchObject({ code: 0, json: { accepted: 1 } })
  })

  test('does not wait for rows of the other client', async () => {
    const payroll = await losing()
    await payroll.plan()
    expect((await go('run', payroll)).code).toBe(0)
    expect((await payroll.run(replaced)).code).toBe(0)
    const seen = payroll.service.seen.length
    const waited = await payroll.run(batch('wait', payroll, '--timeout', '60s'))
    expect(waited, waited.stderr).toMatchObject({ code: 12, error: { moneyMoved: 'unknown' } })
    expect(payroll.service.seen).toHaveLength(seen)
  })
})
