import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getCard } from '../../../src/lib/contract/card.ts'
import { realClock } from '../../../src/lib/edge.ts'
import { attemptInWords } from '../../../src/lib/sandbox/courier.ts'
import { startSandbox } from '../../../src/lib/sandbox/server/start.ts'
import { read, receiver } from '../../kit/callback.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, served } from '../../kit/sandbox/stand.ts'
import { until } from '../../kit/tools.ts'
import { done, order as newOrder, place, play } from '../../kit/world.ts'

async function home() {
  const home = newHome()
  const directory = join(home, 'sandbox')
  const sandbox = await fileSandbox(directory, realClock)
  const us = await integratorNamed(sandbox, (await served(sandbox)).url)
  return {
    home,
    directory,
    sandbox,
    us,
    callbacks: (...more: string[]) => paydesk(['sandbox', 'callbacks', ...more], { home }),
  }
}

test('sandbox callbacks: without a callback the list is empty, in words and as JSON', async () => {
  const { callbacks } = await home()
  expect(await callbacks('--json')).toMatchObject({ code: 0, json: [], stderr: '' })
  expect((await callbacks()).stdout).toContain('No callbacks yet')
})

test('sandbox callbacks: without a running sandbox callbacks wait, and trigger and list both say so', async () => {
  const { home: here, us, callbacks } = await home()
  const order = await us.created({ callbackUri: 'http://127.0.0.1:1/paid' })
  const caused = await paydesk(['sandbox', 'trigger', 'paid', '--order', order, '--json'], { home: here })
  expect(caused.json).toMatchObject({
    callbacks: [{ id: '1', kind: 'payment', url: 'http://127.0.0.1:1/paid', state: 'waiting', why: null }],
    warnings: [expect.stringContaining('1 callback waits, because no sandbox runs')],
  })
  const { code, stdout, stderr } = await callbacks()
  expect(code).toBe(0)
  expect(stdout).toContain('Callback 1: payment, waiting')
  expect(stdout).toContain('SUCCESS')
  expect(stderr).toContain('sandbox start')
  await paydesk(['sandbox', 'trigger', 'callback', '--order', order, '--set', 'amount=1', '--set', 'x.y=2'], {
    home: here,
  })
  expect((await callbacks()).stdout).toContain('edited: amount, x.y; `sandbox ledger` shows what was executed')
  expect((await callbacks()).stderr).toContain('2 callbacks wait')
})

test('sandbox callbacks: --order shows one order only, and an unknown order is not found (6)', async () => {
  const { us, callbacks, sandbox } = await home()
  const [one, other] = [await us.created(), await us.created()]
  for (const order of [one, other]) await sandbox.trigger({ what: 'paid', order })
  const { json, stderr } = await callbacks('--order', other.toUpperCase(), '--json')
  expect(json).toMatchObject([{ id: '2', integratorOrderId: other, state: 'given-up', payload: { status: 'SUCCESS' } }])
  expect(stderr).toBe('')
  expect((await callbacks('--order', randomUUID())).code).toBe(6)
  expect((await callbacks('--order', 'nobody')).code).toBe(6)
  expect((await callbacks()).stdout).toMatch(/attempt 1 .*not sent: shop\.example/)
  expect(json).toMatchObject([{ attempts: [{ http: null, reply: null }] }])
})

test('sandbox callbacks: --order takes the order’s key', async () => {
  const around = place()
  const { json } = await done(newOrder({ key: 's1' }), around)
  await play(around, json.integratorOrderId)
  const listed = await done(['sandbox', 'callbacks', '--order', 's1'], around)
  expect(listed.json).toMatchObject([{ integratorOrderId: json.integratorOrderId }])
})

test('sandbox callbacks: a running sandbox sends what another process triggered, and lists each attempt', async () => {
  const { home: here, directory, sandbox, callbacks } = await home()
  const there = await receiver((_, count) => (count === 1 ? 500 : 200))
  const lines: string[] = []
  const running = await startSandbox(sandbox, directory, {
    callbacks: 'plain',
    onAttempt: (attempted) => lines.push(attemptInWords(attempted)),
  })
  const us = await integratorNamed(sandbox, running.ready.url)
  const order = await us.created({ callbackUri: there.url })
  const { json } = await paydesk(['sandbox', 'trigger', 'paid', '--order', order, '--json'], { home: here })
  expect(json.warnings).toEqual([])
  await there.came(1)
  expect(JSON.parse(there.last.body)).toMatchObject({ integratorOrderId: order, status: 'SUCCESS' })
  await until('it was heard of', () => lines.length === 1)
  expect(lines[0]).toMatch(/^POST http:\S+ {2}callback 1, payment {2}answered 500, not 200, again at /)
  await paydesk(['sandbox', 'clock', 'advance', '5s'], { home: here })
  await there.came(2)
  await until('it was heard of', () => lines.length === 2)
  expect(lines[1]).toMatch(/ 200$/)
  expect((await callbacks('--json')).json).toMatchObject([
    {
      state: 'delivered',
      sealed: false,
      attempts: [
        { http: 500, reply: 'thank you' },
        { http: 200, why: null, reply: 'thank you' },
      ],
    },
  ])
  await running.close()
  expect((await sandbox.ledger()).callbacks).toMatchObject([{ state: 'delivered', attempts: 2 }])
})

/** A card that was saved with a payment, and a receiver that opened the sealed callback before it replied. */
async function replied(words: (read: Readonly<Record<string, unknown>>) => string) {
  const { directory, sandbox, callbacks } = await home()
  const running = await startSandbox(sandbox, directory, {})
  const us = await integratorNamed(sandbox, running.ready.url)
  const there = await receiver(async (arrived) => ({ status: 200, body: words(await read(arrived, us)) }))
  const saving = { saveCard: true, directLinkProvider: 'TBC', callbackUri: there.url }
  const order = await us.created(saving)
  await sandbox.trigger({ what: 'paid', order })
  await there.came(1)
  const delivered = async () => (await sandbox.callbacks.list()).every(({ state }) => state === 'delivered')
  await until('it was delivered', delivered)
  const card = await us.send(getCard, { integratorOrderId: order })
  const printed: readonly { attempts: readonly { http: number; reply: string }[] }[] = JSON.parse(
    (await callbacks('--json')).stdout,
  )
  const { stdout } = await callbacks()
  await running.close()
  const { http = 0, reply = '' } = printed[0]?.attempts[0] ?? {}
  return { order, token: String(card.value.token), http, reply, stdout }
}

test('sandbox callbacks: a card token that a reply quotes is hidden', async () => {
  const { token, reply } = await replied(({ cardInfo }) => `got ${JSON.stringify(cardInfo)}`)
  expect(reply).toContain('"cardToken":"[hidden]"')
  expect(reply).toContain('411111******1111')
  expect(reply).not.toContain(token)
  const loud = await replied(({ cardInfo }) => JSON.stringify({ a: { accessToken: 'mine' }, cardInfo }).toUpperCase())
  expect(loud.reply).toContain('"ACCESSTOKEN":"[hidden]"')
  expect(loud.reply.toLowerCase()).not.toContain(loud.token)
})

test('sandbox callbacks: of a long reply the first 4096 bytes are kept', async () => {
  const { reply } = await replied(() => 'ა'.repeat(100_000))
  expect(Buffer.byteLength(reply)).toBeLessThanOrEqual(4096)
  expect(reply).toMatch(/^ა+… \d+ more characters$/)
})

test('sandbox start: an attempt to another machine is marked as such', async () => {
  const said = {
    id: '3',
    kind: 'payment',
    state: 'given-up',
    http: null,
    why: 'no answer within 10 s',
    nextAt: null,
  } as const
  expect(attemptInWords({ ...said, url: 'https://dev.ge/cb' })).toBe(
    'POST https://dev.ge/cb (another machine)  callback 3, payment  no answer within 10 s, given up',
  )
})
