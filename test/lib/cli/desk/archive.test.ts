/** The HTTP archive of a command, and what its trace says of the same exchanges. */
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { create } from '../../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import {
  addHandProfile,
  certificate,
  foreignOrder,
  handDesk,
  handOrder,
  handSecret,
  handToken,
  json,
  serviceByHand,
} from '../../../kit/service.ts'
import { cardSaved, order, place } from '../../../kit/world.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

interface Named {
  readonly name: string
  readonly value: string
}

interface Entry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly Named[]
    readonly postData?: { readonly text: string }
  }
  readonly response: { readonly status: number; readonly content: { readonly text: string }; readonly comment?: string }
  readonly timings: Readonly<Record<string, number>>
  readonly _paydesk: { readonly operation: string; readonly openedAnswer?: unknown; readonly sealedInRequest?: unknown }
}

function archiveIn(path: string): readonly Entry[] {
  const { log } = JSON.parse(readFileSync(path, 'utf8'))
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'paydesk', version: expect.any(String) } })
  return log.entries
}

async function withService(...[answering, tls = false]: Parameters<typeof serviceByHand>) {
  const home = newHome()
  const service = await serviceByHand(answering, tls)
  const trusted: Record<string, string> = tls ? { 'ca-file': certificate } : {}
  await addHandProfile(home, service.url.replace('https://127.0.0.1', 'https://localhost'), trusted)
  return { home, service, har: join(home, 'one.har') }
}

describe('--har', () => {
  test('keeps sign-in and payout in their order, with times and without secrets, for the owner only', async () => {
    const { home, service, har } = await withService()
    await succeeds(paydesk([...create({ profile: 'hand' }), '--har', har], { home }))
    const entries = archiveIn(har)
    expect(entries.map(({ _paydesk: { operation } }) => operation)).toEqual(['auth.token', 'payout.create'])
    const [signIn, payout] = entries
    expect(payout?.request).toMatchObject({ method: 'POST', url: `${service.url}/api/distributor` })
    expect(payout?.request.headers).toContainEqual({ name: 'authorization', value: '[hidden]' })
    expect(payout?.request.postData?.text).toBe(service.creates[0]?.body)
    expect(payout?.response.content.text).toContain('"transactionId":4711')
    expect(signIn?.request.postData?.text).toContain('"client_secret":"[hidden]"')
    for (const { timings, time, startedDateTime } of entries) {
      expect(Object.keys(timings)).toEqual(['blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'])
      expect(timings.wait).toBeGreaterThan(0)
      expect(timings.connect).toBeGreaterThan(0)
      expect(timings.ssl).toBe(-1)
      expect(time).toBeGreaterThan(0)
      expect(Date.parse(startedDateTime)).not.toBeNaN()
    }
    const text = readFileSync(har, 'utf8')
    for (const secret of [handToken, handSecret]) expect(text).not.toContain(secret)
    expect(statSync(har).mode & 0o777).toBe(0o600)
  })

  test('a file that exists is refused (2), and nothing leaves', async () => {
    const { home, service, har } = await withService()
    writeFileSync(har, 'mine')
    const ended = await paydesk([...create({ profile: 'hand' }), '--har', har, '--json'], { home })
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error).toMatchObject({ moneyMoved: 'no', message: expect.stringContaining('already exists') })
    expect([readFileSync(har, 'utf8'), service.seen]).toEqual(['mine', []])
  })

  test('no link is followed, not even one that leads nowhere', async () => {
    const { home, service, har } = await withService()
    const elsewhere = join(home, 'elsewhere')
    symlinkSync(elsewhere, har)
    const ended = await paydesk(['payout', 'balance', '-p', 'hand', '--har', har], { home })
    expect([ended.code, existsSync(elsewhere), lstatSync(har).isSymbolicLink()]).toEqual([2, false, true])
    expect(service.seen).toEqual([])
  })

  test('a command that asks no service makes no file', async () => {
    const { home, har } = await withService()
    expect(await paydesk([...create({ profile: 'hand' }), '--dry-run', '--har', har], { home })).toMatchObject({
      code: 0,
    })
    expect(existsSync(har)).toBe(false)
  })

  test('an answer that does not come is an entry that says why', async () => {
    const { home, har } = await withService(({ path }) => (path === '/api/distributor' ? 'reset' : undefined))
    const argv = [...create({ profile: 'hand', timeout: '3s' }), '--har', har]
    expect((await paydesk(argv, { home })).code).toBe(9)
    const last = archiveIn(har).at(-1)
    expect(last?.response).toMatchObject({ status: 0, comment: expect.stringMatching(/^unanswered: /) })
  })

  test('the parts of a whole command stand in one archive', async () => {
    const around = place()
    const har = join(around.home, 'check.har')
    await succeeds(paydesk(['profile', 'check', '-p', 'sandbox', '--har', har], around))
    const names = archiveIn(har).map(({ _paydesk: { operation } }) => operation)
    expect(new Set(names)).toEqual(new Set(['auth.token', 'payout.balance', 'order.status', 'wallet.details']))
  })

  test('of sealed areas it has what was sealed and what was opened, the token of a card hidden', async () => {
    const around = place()
    const id = await cardSaved(around)
    const har = join(around.home, 'card.har')
    const ended = await succeeds(paydesk(['card', 'get', id, '-p', 'sandbox', '--json', '--har', har], around))
    const [entry] = archiveIn(har)
    expect(entry?._paydesk.sealedInRequest).toEqual({ integratorOrderId: id })
    expect(entry?._paydesk.openedAnswer).toMatchObject({ token: '[hidden]', cardMask: '411111******1111' })
    expect(readFileSync(har, 'utf8')).not.toContain(String(ended.json.token))
  })

  test('the number of a card is hidden wherever an answer has it', async () => {
    const pan = '4111111111111111'
    const value = { token: foreignOrder, provider: 'BOG', cardMask: '411111******1111', note: `paid with ${pan}`, pan }
    const { home, run } = await handDesk(() => ({ value }))
    const har = join(home, 'pan.har')
    expect((await run('card', 'get', handOrder, '--har', har)).code).toBe(0)
    expect(archiveIn(har)).toMatchObject([
      { _paydesk: { openedAnswer: { note: 'paid with [hidden]', pan: '[hidden]' } } },
    ])
    expect(readFileSync(har, 'utf8')).not.toContain(pan)
  })

  test('an order that is charged has the token of its card nowhere', async () => {
    const around = place()
    const id = await cardSaved(around)
    const har = join(around.home, 'charge.har')
    const card = await paydesk(['card', 'get', id, '-p', 'sandbox', '--json'], around)
    const ended = await succeeds(paydesk([...order({ 'card-from-order': id }), '--har', har, '--trace'], around))
    expect(archiveIn(har).length).toBeGreaterThan(1)
    const all = readFileSync(har, 'utf8') + ended.stderr
    expect(all).not.toContain(String(card.json.token))
  })
})

describe('--trace', () => {
  test('tells the time of each part, the decision and its reason; journal show the same afterwards', async () => {
    const { home } = await withService(({ path }, count) =>
      path === '/api/distributor' && count === 1 ? { status: 502, body: '<html>' } : undefined,
    )
    const argv = [...create({ profile: 'hand', key: 'one' }), '--trace']
    const ended = await succeeds(paydesk(argv, { home }))
    expect(ended.stderr).toMatch(/< HTTP 200 after \d+ ms \(.*TCP [\d.]+, first byte [\d.]+\)/)
    const shown = await paydesk(['journal', 'show', 'one', '-p', 'hand', '--json'], { home })
    const decisions = (shown.json.attempts as { decision: string }[]).map(({ decision }) => decision)
    expect(decisions).toEqual([
      'unknown, because no definite answer: the answer is not JSON',
      'accepted, because the answer repeats the request, in a status that the contract names as done',
    ])
    for (const decision of decisions) expect(ended.stderr).toContain(`= ${decision}`)
    const table = await paydesk(['journal', 'show', 'one', '-p', 'hand'], { home, columns: 200 })
    expect(table.stdout).toContain('unknown, because no definite answer')
  })

  test.each([
    [
      'a refusal',
      json({ message: 'no money', statusCode: 5038 }, 400),
      /= refused, because code 5038 \(HTTP 400\): no money/,
    ],
    ['a token that is refused', { status: 401, body: '' }, /= turned-away, because HTTP 401/],
  ] as const)('%s is decided as the journal shows it', async (_what, reply, words) => {
    const { home } = await withService(({ path }) => (path === '/api/distributor' ? reply : undefined))
    const ended = await paydesk([...create({ profile: 'hand', key: 'two' }), '--trace'], { home })
    expect(ended.stderr).toMatch(words)
    const shown = await paydesk(['journal', 'show', 'two', '-p', 'hand', '--json'], { home })
    const [first] = shown.json.attempts as { decision: string }[]
    expect(ended.stderr).toContain(`= ${first?.decision}`)
  })

  test('of TLS, too; and a read tells what it was read as', async () => {
    const { home } = await withService(undefined, true)
    const ended = await succeeds(paydesk(['payout', 'balance', '-p', 'hand', '--currency', 'GEL', '--trace'], { home }))
    expect(ended.stderr).toMatch(/TLS [\d.]+, first byte/)
    expect(ended.stderr).toContain('= an answer that matches the contract')
  })
})
