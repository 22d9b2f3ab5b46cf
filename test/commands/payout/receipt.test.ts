import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { beneficiaryIban, create, createToReceiver, mustVerify } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { type HandPayout, handOrder, handPayout, json, type Reply } from '../../kit/service.ts'

const receipt = (id: string, ...more: readonly string[]) => ['payout', 'receipt', id, ...more]

const details = { amount: 12.5, currency: 'GEL', toIban: beneficiaryIban, uniqueId: handOrder, transactionId: 4711 }
const shown = { ...details, paymentDescription: 'Salary, November', createdAt: '2026-11-20T10:00:00.123456789' }

/** A payout that the service shows in this status, or as the reply says. */
async function payout(status: string | Reply, created: Reply | undefined = undefined): Promise<HandPayout> {
  const desk = await handPayout(({ method, path }) => {
    if (method === 'GET')
      return typeof status === 'string' && status === status.toUpperCase()
        ? json({ value: { ...shown, status, statusDescription: 'as booked' } })
        : (status as Reply)
    return path === '/api/distributor' ? created : undefined
  })
  await desk.pay()
  return desk
}

test.each([
  ['SUCCESS', 'paid', true],
  ['INITIAL', 'accepted', false],
  ['REJECTED', 'not-paid', false],
  ['A_NEW_ONE', 'accepted', false],
])('payout receipt --refresh: a payout in %s is %s', async (status, standing, paid) => {
  const desk = await payout(status)
  const ended = await succeeds(desk.run(...receipt(handOrder, '--refresh')))
  expect(ended.json).toMatchObject({
    ...{ standing, paid, amount: 12.5, currency: 'GEL', description: 'Salary, November', transactionId: '4711' },
    beneficiary: { name: 'Nino Beridze', account: beneficiaryIban },
    serviceTime: '2026-11-20T10:00:00.123456789',
    environment: 'test',
    warnings: [],
  })
  await mustVerify({ home: desk.home }, '--head', String(ended.json.journalHead))
})

test('payout receipt: without --refresh it shows what the journal last read', async () => {
  const desk = await payout('SUCCESS')
  expect((await desk.run(...receipt(handOrder))).json).toMatchObject({ paid: false, standing: 'accepted' })
  await desk.run('payout', 'get', '4711')
  expect((await desk.run(...receipt(handOrder))).json).toMatchObject({ paid: true, standing: 'paid' })
})

test('payout receipt --refresh: a status that cannot be read is warned about, and nothing is paid', async () => {
  const desk = await payout('reset')
  const { code, json: told } = await desk.run(...receipt('4711', '--refresh'))
  expect(code).toBe(0)
  expect(told).toMatchObject({ paid: false, warnings: [expect.stringContaining('not read')] })
})

test.each([
  ['lost', 'reset', 'unknown'],
  ['refused', json({ statusCode: 5038, message: 'insufficient balance' }, 400), 'not-sent'],
] as const)('payout receipt --refresh: a payout whose answer was %s is not paid', async (what, reply, standing) => {
  const desk = await payout('SUCCESS', reply)
  const { json: told } = await desk.run(...receipt(handOrder, '--refresh'))
  expect(told).toMatchObject({ paid: false, standing })
  if (what === 'refused') expect(told.statement).toContain('refused the payment. No money was paid')
})

test('payout receipt: a payout that reads as paid and then as not paid is disputed', async () => {
  let status = 'SUCCESS'
  const desk = await handPayout(({ method }) =>
    method === 'GET' ? json({ value: { ...shown, status, statusDescription: status } }) : undefined,
  )
  await desk.pay()
  await desk.run('payout', 'get', '4711')
  status = 'REJECTED'
  await desk.run('payout', 'get', '4711')
  expect((await desk.run(...receipt('4711'))).json).toMatchObject({ paid: false, standing: 'disputed' })
  const list = await desk.run('payout', 'list', '--open')
  expect(list.json.rows).toMatchObject([
    { end: null, inDoubt: expect.stringContaining('one of the two is wrong'), moneyMoved: 'unknown' },
  ])
})

test('payout receipt --refresh: another sum at the service is disputed', async () => {
  const desk = await payout(json({ value: { ...shown, amount: 99, status: 'SUCCESS', statusDescription: '' } }))
  expect((await desk.run(...receipt('4711', '--refresh'))).json).toMatchObject({ paid: false, standing: 'disputed' })
})

test('payout receipt: text and page say first that it is not paid, and nothing of the sender stands in it', async () => {
  const desk = await payout('INITIAL')
  const around = { home: desk.home, env: { TZ: 'Asia/Tbilisi' } }
  const text = await paydesk(receipt('4711', '-p', 'hand'), around)
  expect(text.stdout).toMatch(/^NOT PAID YET: this is not a receipt\nTEST \(test\): no real money\n/)
  expect(text.stdout).toMatch(/^Account +GE29 NB00 0000 0101 9049 17$/m)
  expect(text.stdout).toMatch(/\(UTC\+04:00\)$/m)
  expect(text.stdout).toContain("(the service's own clock)")
  expect(text.stdout).not.toContain('Journal head')
  const page = await paydesk(receipt('4711', '-p', 'hand', '--html'), around)
  expect(page.stdout).toContain('<h1>NOT PAID YET: this is not a receipt</h1>')
  expect(page.stdout).toContain('TEST (test): no real money')
  const data = await paydesk(receipt('4711', '-p', 'hand', '--json'), around)
  for (const { stdout } of [text, page, data]) {
    for (const inner of [handOrder, '11111111-2222', 'as booked']) expect(stdout).not.toContain(inner)
    expect(stdout).not.toMatch(/\bhand\b/)
  }
})

test("payout receipt --html: foreign texts are escaped, scripts are forbidden, and the file is new and its owner's", async () => {
  const home = newHome()
  const around = { home, clock: stillClock(), random: impatient }
  await paydesk(create({ key: 'k', 'beneficiary-name': 'Nino<b>&\u202e"' }), around)
  const path = join(home, 'receipt.html')
  await succeeds(paydesk(receipt('k', '--html', '--out', path, '--json'), around))
  const page = readFileSync(path, 'utf8')
  expect(page).toContain('<bdi>Nino&lt;b&gt;&amp;&lt;U+202E&gt;&quot;</bdi>')
  expect(page).not.toMatch(/\p{Cf}/u)
  expect(page).toContain('default-src &#39;none&#39;')
  expect(page).not.toContain('<script')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  const other = join(home, 'other.html')
  expect((await paydesk(receipt('k', '--html', '--out', other), around)).stdout).toMatch(
    new RegExp(`^Written to ${other}\\.$`, 'm'),
  )
  expect((await paydesk(receipt('k', '--html', '--out', '-'), around)).stdout).toMatch(/^<!doctype html>/i)
  const again = await paydesk(receipt('k', '--html', '--out', path), around)
  expect(again).toMatchObject({ code: 2, stdout: '' })
  expect(again.stderr).toContain('already exists')
})

test('payout receipt: an unknown payout is 6, a key of two payouts 2, and an unknown profile 4', async () => {
  const around = { home: newHome(), clock: stillClock(), random: impatient }
  expect((await paydesk(receipt('j-0123456789ab'), around)).code).toBe(6)
  await paydesk(create({ key: 'both' }), around)
  await paydesk(createToReceiver({ key: 'both' }), around)
  const ended = await paydesk(receipt('both'), around)
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(/2 payouts have the name both[\s\S]*j-[0-9a-f]{12}, j-/)
  expect((await paydesk(receipt('both', '-p', 'sandbox'), around)).code).toBe(0)
  expect((await paydesk(receipt('both', '-p', 'nobody'), around)).code).toBe(4)
})

test.each([[['--out', 'x.html']], [['--html', '--json']], [[]]])('payout receipt %j: refused (2)', async (flags) => {
  const id = flags.length === 0 ? [] : ['k']
  expect(await paydesk(['payout', 'receipt', ...id, ...flags], { home: newHome() })).toMatchObject({
    code: 2,
    stdout: '',
  })
})
