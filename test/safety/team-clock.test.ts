/** The clock of a team's database is set ahead or back. */
import { expect, test, vi } from 'vitest'
import { type Clock, realClock } from '../../src/lib/edge.ts'
import { postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addSealedProfile, handIdentifier, sealedByHand } from '../kit/service.ts'

// Each runs a dozen commands or more over a real database.
vi.setConfig({ testTimeout: 30_000 })

const server = postgresServer()
const order = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const refund = ['order', 'refund', order, '--amount', '5', '--key', 'return-1', '--yes', '--json', '--timeout', '60s']
const minutes = 60_000

/** A machine of the team: its clock, and the name of its present start. */
function machine(address: string, boot: string) {
  let passed = 0
  const clock: Clock = {
    ...realClock,
    steady: () => ({ boot, milliseconds: 1_000_000 + passed }),
  }
  const around = { home: newHome(), env: { PAYDESK_STORE: address }, clock }
  return {
    home: around.home,
    run: (...argv: string[]) => paydesk([...argv, '-p', 'own'], around),
    pass: (milliseconds: number) => {
      passed += milliseconds
    },
  }
}

/** A team whose database's clock can be set: a function of its schema goes before that of the system. */
async function team() {
  const plain = await server.newAddress()
  const address = `${plain}%2Cpg_catalog`
  const setAhead = (hours: number) =>
    server.run(
      plain,
      `create or replace function clock_timestamp() returns timestamptz language sql volatile
       as 'select pg_catalog.clock_timestamp() + interval ''${hours} hours'''`,
    )
  await setAhead(0)
  let isLost = true
  const service = await sealedByHand(({ name }) => {
    if (name === 'order.status') return { value: { integratorOrderId: order, status: 'SUCCESS' } }
    return isLost ? { plain: 'reset' } : { value: { integratorOrderId: order, status: 'REFUND_REQUESTED' } }
  }, 'oaep-sha256')
  const [till, office] = [machine(address, 'till'), machine(address, 'office')]
  for (const { home } of [till, office]) {
    await addSealedProfile(home, 'own', service.url, { 'integrator-id': handIdentifier, 'wallet-identifier': null })
  }
  const lost = await till.run(...refund)
  expect(lost.code, lost.stderr).toBe(9)
  isLost = false
  const refunds = () => service.calls.filter(({ name }) => name === 'order.refund').length
  return { till, office, setAhead, refunds }
}

const resume = ['resume', 'return-1', '--json']

test.each([
  ['sending', 'till'],
  ['other', 'office'],
] as const)(
  'order refund: a database that is set a day ahead leaves an unknown refund unknown on the %s machine, and it is not sent again (9)',
  async (_, at) => {
    const { [at]: asking, setAhead, refunds } = await team()
    await setAhead(24)
    const resumed = await asking.run(...resume)
    expect(resumed.code, resumed.stderr).toBe(9)
    const again = await asking.run(...refund)
    expect(again.code, again.stderr).toBe(9)
    expect(refunds()).toBe(1)
  },
)

test('resume: an unknown refund is refused (5) on the machine that sent it when 15 minutes of its own time have passed', async () => {
  const { till, setAhead } = await team()
  await setAhead(1)
  till.pass(14 * minutes)
  expect((await till.run(...resume)).code).toBe(9)
  till.pass(2 * minutes)
  const resumed = await till.run(...resume)
  expect(resumed.code, resumed.stderr).toBe(5)
})

test('resume: an unknown refund is refused (5) on another machine when 15 minutes have passed since it first asked', async () => {
  const { office, setAhead } = await team()
  office.pass(60 * minutes)
  await setAhead(1)
  const first = await office.run(...resume)
  expect(first.code, first.stderr).toBe(9)
  expect(String(first.error.message)).toContain('15 minutes after the first question from here')
  office.pass(14 * minutes)
  expect((await office.run(...resume)).code).toBe(9)
  office.pass(2 * minutes)
  const resumed = await office.run(...resume)
  expect(resumed.code, resumed.stderr).toBe(5)
})

test('resume: a database that is set back an hour leaves an unknown refund unknown on a machine that has known it for an hour (9)', async () => {
  const { office, setAhead } = await team()
  await office.run(...resume)
  office.pass(60 * minutes)
  await setAhead(-1)
  expect((await office.run(...resume)).code).toBe(9)
})
