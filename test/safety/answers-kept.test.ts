/** The team's store is lost between the request and the answer: the answer is kept on the machine until the store has it. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { teamMachine } from '../kit/batch/fleet.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { until } from '../kit/run/until.ts'
import { addSealedProfile, handIdentifier, sealedByHand } from '../kit/service/sealed-by-hand.ts'
import { addHandProfile, handSecret, handToken, json, serviceByHand } from '../kit/service/service-by-hand.ts'
import { cutWay } from '../kit/store/cut.ts'
import { postgresServer } from '../kit/store/postgres.ts'

vi.setConfig({ testTimeout: 180_000 })

const server = postgresServer()

const taken = (uniqueId: string) =>
  json({
    transactionId: 4711,
    status: 'INITIAL',
    statusDescription: 'Created',
    uniqueId,
    createdAt: '2026-11-20T10:00:00.1',
  })
const refused = () => json({ statusCode: 5023, message: 'Wrong IBAN', exceptionGroup: 1 }, 400)
const isThere = () => json({ statusCode: 5017, message: 'Duplicate', exceptionGroup: 1 }, 400)

interface Machine {
  readonly home: string
  readonly env: Readonly<Record<string, string>>
}

/** A command as a process of its own: what it held is free when it has ended. */
async function told({ home, env }: Machine, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await builtPaydesk([...argv, '--json'], home, env)
  const json = stdout === '' ? {} : JSON.parse(stdout)
  return { code, stderr, json, error: stderr.startsWith('{') ? JSON.parse(stderr).error : {} }
}

/** Two machines of a team; the store of the first is lost while the service makes its first answer. */
async function lostMeanwhile(answer: (uniqueId: string) => ReturnType<typeof json>) {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  const service = await serviceByHand(({ path, body }, count) => {
    if (path !== '/api/distributor') return undefined
    if (count > 1) return isThere()
    way.close()
    return answer((JSON.parse(body) as { uniqueId: string }).uniqueId)
  })
  const password = process.env.PGPASSWORD ?? ''
  const machine = (of: string): Machine => ({ home: newHome(), env: { PAYDESK_STORE: of, PGPASSWORD: password } })
  const [till, office] = [machine(address.replace(`:${server.port}/`, `:${way.port}/`)), machine(address)]
  for (const { home } of [till, office]) await addHandProfile(home, service.url)
  const spool = join(till.home, 'spool')
  const lost = await told(till, ...create({ profile: 'hand', key: 'salary-11', timeout: '2s' }))
  const kept = () => readdirSync(spool).map((name) => join(spool, name))
  const ask = (...argv: readonly string[]) => told(till, ...argv, '--timeout', '2s')
  return { way, service, till, office, lost, kept, ask }
}

const shown = async (machine: Machine) => (await told(machine, 'journal', 'show', 'salary-11')).json

test('an acceptance is told with its transaction, kept for its owner alone without a secret, and stored by the next command', async () => {
  const { way, service, till, lost, kept, ask } = await lostMeanwhile(taken)
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({ transactionId: '4711', moneyMoved: 'yes', retry: 'same-id' })
  const [path = ''] = kept()
  expect(lost.error.hints).toEqual([expect.stringContaining(`The answer is kept in ${path}`)])
  expect([statSync(path).mode & 0o777, statSync(join(till.home, 'spool')).mode & 0o777]).toEqual([0o600, 0o700])
  const text = readFileSync(path, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ attempt: 1, verdict: { kind: 'accepted', transactionId: '4711' } })
  for (const secret of [handSecret, handToken, process.env.PGPASSWORD]) expect(text).not.toContain(secret)

  // While the store is away it waits, and is told.
  const away = await ask('resume', '--all')
  expect(away.code, away.stderr).toBe(11)
  expect(away.error.hints).toContainEqual(expect.stringMatching(/An answer of the service .* waits in .*spool/))
  expect(kept()).toHaveLength(1)

  await way.open()
  const resumed = await builtPaydesk(['resume', '--all'], till.home, till.env)
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(resumed.stderr).toContain(
    'An answer of the service is stored now that the team’s store could not take before.',
  )
  expect(kept()).toEqual([])
  expect(await shown(till)).toMatchObject({ state: 'accepted', transactionId: '4711' })
  expect(service.creates).toHaveLength(1)
  expect((await ask('journal', 'verify')).json).toMatchObject({ intact: true })
})

test('an acceptance stands, whatever another machine has made of the payment meanwhile', async () => {
  const { way, office, till, kept, ask } = await lostMeanwhile(taken)
  const resumed = await told(office, 'resume', 'salary-11', '-p', 'hand')
  expect(resumed.code, resumed.stderr).toBe(0)
  expect(await shown(office)).toMatchObject({ state: 'exists', transactionId: null })
  await way.open()
  await ask('journal', 'list')
  expect(kept()).toEqual([])
  expect(await shown(till)).toMatchObject({ state: 'accepted', transactionId: '4711' })
})

test('a refusal is told with its code, kept, and stored: the payment is refused, and may be mended', async () => {
  const { way, lost, till, kept, ask } = await lostMeanwhile(refused)
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({
    message: expect.stringMatching(/^the service answered 5023 .*, but the journal could not record that/),
    service: { statusCode: 5023 },
    moneyMoved: 'unknown',
  })
  const [path = ''] = kept()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ verdict: { kind: 'refused', bodyOnly: true } })
  await way.open()
  await ask('journal', 'list')
  expect(kept()).toEqual([])
  expect(await shown(till)).toMatchObject({ state: 'refused', attempts: [{ outcome: 'refused', statusCode: 5023 }] })
})

test('a conflict stays one: what another request has done is not told as done by this payment', async () => {
  const { way, lost, till, kept, ask, service } = await lostMeanwhile(isThere)
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({ message: expect.stringContaining('5017'), moneyMoved: 'unknown' })
  expect(kept()).toHaveLength(1)
  await way.open()
  const resumed = await ask('resume', 'salary-11', '-p', 'hand')
  expect(resumed.code, resumed.stderr).toBe(7)
  expect(await shown(till)).toMatchObject({ state: 'refused', attempts: [{ outcome: 'refused', statusCode: 5017 }] })
  expect(service.creates).toHaveLength(1)
})

test.each([
  ['is proved by a status', 6006],
  ['is weighed against other writes', 6001],
])('a code that %s is kept as no definite answer while the journal is away, with its words', async (_how, code) => {
  const way = await cutWay(server.port)
  const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const about = { integratorOrderId: order }
  const service = await sealedByHand(({ name, count }) => {
    if (name === 'order.status') return { value: { ...about, status: 'CANCELED', amount: 40, initialCurrency: 'GEL' } }
    if (count > 1) return { value: { ...about, status: 'CANCELED' } }
    way.close()
    return { code, group: 2 }
  }, 'oaep-sha256')
  const address = (await server.newAddress()).replace(`:${server.port}/`, `:${way.port}/`)
  const till: Machine = { home: newHome(), env: { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' } }
  await addSealedProfile(till.home, 'hand', service.url, { 'integrator-id': handIdentifier })
  const lost = await told(till, 'order', 'cancel', order, '-p', 'hand', '--yes', '--timeout', '2s')
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({ message: expect.stringContaining(`${code}`), moneyMoved: 'unknown' })
  await way.open()
  const [{ state, journalId }] = (await told(till, 'journal', 'list')).json
  expect(state).toBe('unknown')
  expect((await told(till, 'journal', 'show', journalId)).json.attempts).toMatchObject([
    { outcome: 'unknown', statusCode: code, why: expect.stringContaining(`${code}`) },
  ])
})

test('what an answer without a meaning tells of its thing is kept: no later read denies it', async () => {
  const way = await cutWay(server.port)
  const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const service = await sealedByHand(({ name }) => {
    if (name === 'order.status') return { plain: 'reset' }
    way.close()
    return { plain: { status: 500, body: JSON.stringify({ integratorOrderId: order, status: 'REFUND_REQUESTED' }) } }
  }, 'oaep-sha256')
  const address = (await server.newAddress()).replace(`:${server.port}/`, `:${way.port}/`)
  const till: Machine = { home: newHome(), env: { PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' } }
  await addSealedProfile(till.home, 'hand', service.url, { 'integrator-id': handIdentifier })
  const lost = await told(
    till,
    ...['order', 'refund', order, '--amount', '5', '-p', 'hand', '--yes', '--timeout', '2s'],
  )
  expect(lost.code, lost.stderr).toBe(9)
  await way.open()
  const [{ state, journalId }] = (await told(till, 'journal', 'list')).json
  expect(state).toBe('unknown')
  expect((await told(till, 'journal', 'show', journalId)).json.attempts).toMatchObject([{ told: 'REFUND_REQUESTED' }])
})

test('an answer to a payment that this store does not know is kept', async () => {
  const { kept, till } = await lostMeanwhile(taken)
  const elsewhere = { home: till.home, env: { ...till.env, PAYDESK_STORE: await server.newAddress() } }
  expect((await told(elsewhere, 'journal', 'list')).code).toBe(0)
  expect(kept()).toHaveLength(1)
})

test('a worker stores what it had to keep as soon as the store is there again', async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  let isCut = false
  const service = await serviceByHand(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (!isCut) way.close()
    isCut = true
    return taken((JSON.parse(body) as { uniqueId: string }).uniqueId)
  })
  const own = await teamMachine(address, service.url, 3)
  const far = await teamMachine(address.replace(`:${server.port}/`, `:${way.port}/`), service.url, 3)
  const planId = await own.plan()
  const worker = far.work('--timeout', '2s')
  await until('it is there', async () => (await own.workers()).length === 1)
  const handed = own.handOver(planId)
  const spool = join(far.home, 'spool')
  const files = () => {
    try {
      return readdirSync(spool).length
    } catch {
      return -1
    }
  }
  await until('it keeps an answer', () => files() > 0)
  await way.open()
  await until('it has stored it', () => files() === 0)
  worker.child.kill('SIGTERM')
  const { stderr } = await worker.end
  expect(stderr).toContain('"event":"stored"')
  handed.child.kill('SIGINT')
  await handed.end
})
