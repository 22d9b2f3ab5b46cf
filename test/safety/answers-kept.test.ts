/** A team's store is lost between the request and the answer: the machine keeps the answer, and stores it when the store is back. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { create } from '../kit/payment.ts'
import { cutWay, leaveElsewhere, postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'
import {
  addHandProfile,
  addSealedProfile,
  handIdentifier,
  handSecret,
  handToken,
  json,
  sealedByHand,
  serviceByHand,
} from '../kit/service.ts'
import { nappingClock, teamDesk } from '../kit/team.ts'
import { until } from '../kit/tools.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

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

/** The address of a store on a way that is cut. */
const through = ({ port }: { readonly port: number }, address: string) =>
  address.replace(`:${server.port}/`, `:${port}/`)

/** A command in this process, which does not wait long for its store. */
async function told({ home, env }: Machine, ...argv: readonly string[]) {
  const { code, stdout, stderr } = await paydesk([...argv, '--json'], { home, env, clock: nappingClock })
  const json = stdout === '' ? {} : JSON.parse(stdout)
  return { code, stderr, json, error: stderr.startsWith('{') ? JSON.parse(stderr).error : {} }
}

/** A command whose store is lost meanwhile; what it held was another process's, which is over. */
async function losing(machine: Machine, address: string, ...argv: readonly string[]) {
  const lost = await told(machine, ...argv, '--timeout', '2s')
  await leaveElsewhere(server, address)
  return lost
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
  const machine = (of: string): Machine => ({ home: newHome(), env: { PAYDESK_STORE: of } })
  const [till, office] = [machine(through(way, address)), machine(address)]
  for (const { home } of [till, office]) await addHandProfile(home, service.url)
  const outbox = join(till.home, 'outbox')
  const lost = await losing(till, address, ...create({ profile: 'hand', key: 'salary-11' }))
  const kept = () => readdirSync(outbox).map((name) => join(outbox, name))
  const ask = (...argv: readonly string[]) => told(till, ...argv, '--timeout', '2s')
  return { way, service, till, office, lost, kept, ask }
}

const shown = async (machine: Machine) => (await told(machine, 'journal', 'show', 'salary-11')).json

test('payout create: an acceptance that the store cannot take is told with its transaction (9), kept without a secret, and stored by the next command', async () => {
  const { way, service, till, lost, kept, ask } = await lostMeanwhile(taken)
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({ transactionId: '4711', moneyMoved: 'yes', retry: 'same-id' })
  const [path = ''] = kept()
  expect(lost.error.hints).toEqual([expect.stringContaining(`The answer is stored in ${path}`)])
  expect([statSync(path).mode & 0o777, statSync(join(till.home, 'outbox')).mode & 0o777]).toEqual([0o600, 0o700])
  const text = readFileSync(path, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ attempt: 1, verdict: { kind: 'accepted', transactionId: '4711' } })
  for (const secret of [handSecret, handToken, process.env.PGPASSWORD]) expect(text).not.toContain(secret)

  // While the store is away it waits, and is told.
  const away = await ask('resume', '--all')
  expect(away.code, away.stderr).toBe(11)
  expect(away.error.hints).toContainEqual(expect.stringMatching(/An answer of the service .* waits in .*outbox/))
  expect(kept()).toHaveLength(1)

  await way.open()
  const resumed = await succeeds(paydesk(['resume', '--all'], till))
  expect(resumed.stderr).toContain(
    'An answer of the service is stored now that the team’s store could not take before.',
  )
  expect(kept()).toEqual([])
  expect(await shown(till)).toMatchObject({ state: 'accepted', transactionId: '4711' })
  expect(service.creates).toHaveLength(1)
  expect((await ask('journal', 'verify')).json).toMatchObject({ intact: true })
})

test('payout create: a refusal that the store cannot take is told with its code (9) and kept; once stored, the payment is refused', async () => {
  const { way, lost, till, kept } = await lostMeanwhile(refused)
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({
    message: expect.stringMatching(/^the service answered 5023 .*, but the journal could not record that/),
    service: { statusCode: 5023 },
    moneyMoved: 'unknown',
  })
  const [path = ''] = kept()
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ verdict: { kind: 'refused', bodyOnly: true } })
  await way.open()
  await paydesk(['journal', 'list'], till)
  expect(kept()).toEqual([])
  expect(await shown(till)).toMatchObject({ state: 'refused', attempts: [{ outcome: 'refused', statusCode: 5023 }] })
})

test('payout create: a duplicate (5017) that the store cannot take is kept; once stored, the payment is a conflict (7)', async () => {
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
  ['that a status proves (6006)', 6006],
  ['that other writes explain (6001)', 6001],
])('order cancel: a refusal %s and the store cannot take is unknown (9), and so kept', async (_how, code) => {
  const way = await cutWay(server.port)
  const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
  const about = { integratorOrderId: order }
  const service = await sealedByHand(({ name, count }) => {
    if (name === 'order.status') return { value: { ...about, status: 'CANCELED', amount: 40, initialCurrency: 'GEL' } }
    if (count > 1) return { value: { ...about, status: 'CANCELED' } }
    way.close()
    return { code, group: 2 }
  }, 'oaep-sha256')
  const address = await server.newAddress()
  const till: Machine = { home: newHome(), env: { PAYDESK_STORE: through(way, address) } }
  await addSealedProfile(till.home, 'hand', service.url, { 'integrator-id': handIdentifier })
  const lost = await losing(till, address, 'order', 'cancel', order, '-p', 'hand', '--yes')
  expect(lost.code, lost.stderr).toBe(9)
  expect(lost.error).toMatchObject({ message: expect.stringContaining(`${code}`), moneyMoved: 'unknown' })
  await way.open()
  const [{ state, journalId }] = (await told(till, 'journal', 'list')).json
  expect(state).toBe('unknown')
  expect((await told(till, 'journal', 'show', journalId)).json.attempts).toMatchObject([
    { outcome: 'unknown', statusCode: code, why: expect.stringContaining(`${code}`) },
  ])
})

test('journal list: a kept answer to a payment that another store does not know stays kept', async () => {
  const { kept, till } = await lostMeanwhile(taken)
  const elsewhere = { home: till.home, env: { ...till.env, PAYDESK_STORE: await server.newAddress() } }
  expect((await told(elsewhere, 'journal', 'list')).code).toBe(0)
  expect(kept()).toHaveLength(1)
})

test('worker start: an answer that the store could not take is kept, and stored as soon as the store is back', {
  // A worker pays three rows, and waits for its store.
  timeout: 30_000,
}, async () => {
  const address = await server.newAddress()
  const way = await cutWay(server.port)
  let isCut = false
  const service = await serviceByHand(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (!isCut) way.close()
    isCut = true
    return taken((JSON.parse(body) as { uniqueId: string }).uniqueId)
  })
  const desk = await teamDesk(address, service.url, 3)
  const far = await teamDesk(through(way, address), service.url, 3)
  const planId = await desk.plan()
  const worker = far.workHere('--timeout', '2s')
  const handed = desk.handOver(planId)
  const outbox = join(far.home, 'outbox')
  const files = () => (existsSync(outbox) ? readdirSync(outbox).length : -1)
  await until('it keeps an answer', () => files() > 0)
  await way.open()
  await until('it has stored it', () => files() === 0)
  worker.stop()
  expect((await worker.end).stderr).toContain('"event":"stored"')
  handed.stop()
  await handed.end
})
