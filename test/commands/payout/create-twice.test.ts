/** The same payment typed twice: --key, --unique-id and the duplicate check. */
import { expect, test } from 'vitest'
import { impatient, stillClock } from '../../kit/clock.ts'
import { create, createToReceiver } from '../../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, certificate, json, serviceByHand } from '../../kit/service.ts'
import { addFault, clearFaults, ledgerOf } from '../../kit/world.ts'

const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
const key = 'payroll-2026-11:emp-17'

test('payout create --key: the same key pays once, and the second run replays the receipt (0)', async () => {
  const home = newHome()
  const first = await paydesk([...create({ key }), '--json'], { home })
  const second = await paydesk([...create({ key }), '--json'], { home })
  expect([first.code, second.code]).toEqual([0, 0])
  expect(second.json).toEqual({ ...first.json, replayed: true })
  expect(first.json.replayed).toBe(false)
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --key: the replayed receipt says that nothing was sent now', async () => {
  const home = newHome()
  await paydesk(create({ key }), { home })
  const again = await paydesk(create({ key }), { home })
  expect(again.stdout).toMatch(/^Payout accepted \(sent by an earlier run; nothing was sent now\)$/m)
})

test('payout create --key: amount and IBAN written otherwise are the same payment', async () => {
  const home = newHome()
  await paydesk([...create({ key, amount: '12.50' }), '--json'], { home })
  const again = await paydesk([...create({ key, amount: '12.5', 'to-iban': 'ge29nb0000000101904917' }), '--json'], {
    home,
  })
  expect(again).toMatchObject({ code: 0, json: { replayed: true } })
})

test('payout create --key: another amount is refused (7), and nothing is sent', async () => {
  const home = newHome()
  const first = await paydesk([...create({ key }), '--json'], { home })
  const other = await paydesk([...create({ key, amount: '12.51' }), '--json'], { home })
  expect(other).toMatchObject({ code: 7, stdout: '' })
  expect(other.error).toMatchObject({
    name: 'duplicate',
    journalId: first.json.journalId,
    uniqueId: first.json.uniqueId,
  })
  expect(await ledgerOf(home)).toHaveLength(1)
})

test('payout create --key: the uniqueId is the same on every machine, so 5017 on a second machine is a conflict (7)', async () => {
  const [here, there] = [newHome(), newHome()]
  const taken = new Set<string>()
  const service = await serviceByHand(({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const { uniqueId } = JSON.parse(body) as { uniqueId: string }
    if (taken.has(uniqueId)) return json({ message: 'exists', statusCode: 5017 }, 400)
    taken.add(uniqueId)
    return undefined
  })
  await addHandProfile(here, service.url)
  await addHandProfile(there, service.url)
  const first = await paydesk([...create({ key, profile: 'hand' }), '--json'], { home: here })
  const second = await paydesk([...create({ key, profile: 'hand' }), '--json'], { home: there })
  expect(first.code).toBe(0)
  expect(second.code).toBe(7)
  expect(second.error).toMatchObject({ uniqueId: first.json.uniqueId, service: { statusCode: 5017 } })
  const third = await paydesk([...create({ key, profile: 'hand' }), '--json'], { home: there })
  expect(third.code).toBe(7)
})

test('payout create --key: an unknown payment is resolved and not made again', async () => {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset', times: 99 })
  const around = { home, clock: stillClock(), random: impatient }
  const lost = await paydesk([...create({ key }), '--json'], around)
  expect(lost.code).toBe(9)
  await clearFaults(home)
  const again = await paydesk([...create({ key }), '--json'], around)
  expect(again).toMatchObject({ code: 0, json: { outcome: 'exists', idUnknown: true, uniqueId: lost.error.uniqueId } })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --key: an empty key, and a --unique-id beside it, are refused (2)', async () => {
  const home = newHome()
  expect(await paydesk(create({ key, 'unique-id': id }), { home })).toMatchObject({ code: 2 })
  expect(await paydesk(create({ key: ' ' }), { home })).toMatchObject({ code: 2 })
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create --unique-id: the same body pays once and is replayed', async () => {
  const home = newHome()
  const first = await paydesk([...create({ 'unique-id': id }), '--json'], { home })
  const second = await paydesk([...create({ 'unique-id': id }), '--json'], { home })
  expect(first).toMatchObject({ code: 0, json: { uniqueId: id, replayed: false } })
  expect(second).toMatchObject({ code: 0, json: { transactionId: first.json.transactionId, replayed: true } })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --unique-id: an id in capitals is the same id, and pays once', async () => {
  const home = newHome()
  expect(await paydesk(create({ 'unique-id': id }), { home })).toMatchObject({ code: 0 })
  const second = await paydesk([...create({ 'unique-id': id.toUpperCase() }), '--json'], { home })
  expect(second).toMatchObject({ code: 0, json: { uniqueId: id, replayed: true } })
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create --unique-id: another description is refused (7)', async () => {
  const home = newHome()
  await paydesk(create({ 'unique-id': id }), { home })
  const other = await paydesk(create({ 'unique-id': id, description: 'Another' }), { home })
  expect(other.code).toBe(7)
  expect(other.stderr).toContain('belongs to another request')
  expect(await ledgerOf(home)).toHaveLength(1)
})

test('payout create --unique-id: a refused payment can be corrected under the same id', async () => {
  const home = newHome()
  const refused = await paydesk([...create({ 'unique-id': id, amount: '0.01' }), '--json'], { home })
  expect(refused).toMatchObject({ code: 5, stdout: '' })
  expect(refused.error).toMatchObject({ name: 'refused', service: { statusCode: 5045 }, moneyMoved: 'no' })
  const mended = await paydesk([...create({ 'unique-id': id, amount: '0.02' }), '--json'], { home })
  expect(mended).toMatchObject({ code: 0, json: { uniqueId: id, amount: 0.02 } })
  expect(mended.json.journalId).toBe(refused.error.journalId)
  expect(await ledgerOf(home)).toMatchObject([{ uniqueId: id, executions: 1 }])
})

test('payout create --unique-id: an unknown payment cannot get another amount (7)', async () => {
  const home = newHome()
  await addFault(home, { at: 'after', kind: 'reset', times: 99 })
  const around = { home, clock: stillClock(), random: impatient }
  expect((await paydesk(create({ 'unique-id': id }), around)).code).toBe(9)
  await clearFaults(home)
  expect((await paydesk(create({ 'unique-id': id, amount: '13' }), around)).code).toBe(7)
  expect(await ledgerOf(home)).toMatchObject([{ amount: { text: '12.50' }, executions: 1 }])
})

test('payout create: a suspected duplicate on the sandbox is warned about on stderr or in the document, and paid', async () => {
  const home = newHome()
  const first = await paydesk([...create(), '--json'], { home })
  const second = await paydesk([...create({ description: 'Another' }), '--json'], { home })
  expect(second.code).toBe(0)
  expect(second.json.warnings).toEqual([expect.stringContaining(String(first.json.journalId))])
  const third = await paydesk(create(), { home })
  expect(third.code).toBe(0)
  expect(third.stderr).toContain('warning: the same amount was sent to the same payee less than 24 hours ago')
  expect(await ledgerOf(home)).toHaveLength(3)
})

test('payout create: another amount, currency, payee, a --key or 24 hours make no suspected duplicate', async () => {
  const home = newHome()
  const clock = stillClock()
  const warnings = async (argv: string[]) => {
    const ended = await succeeds(paydesk([...argv, '--json'], { home, clock }))
    return ended.json.warnings
  }
  await warnings(create())
  expect(await warnings(create({ amount: '12.51' }))).toEqual([])
  expect(await warnings(create({ currency: 'USD' }))).toEqual([])
  expect(await warnings(create({ 'to-iban': 'GE02SB1000000000000011' }))).toEqual([])
  expect(await warnings(create({ key }))).toEqual([])
  expect(await warnings(createToReceiver())).toEqual([])
  expect(await warnings(create())).toHaveLength(1)
  clock.skip(24 * 3_600_000 + 60_000)
  expect(await warnings(create())).toEqual([])
})

test('payout create: a suspected duplicate on a test profile is paid with a warning, or refused (7) if the profile says so', async () => {
  const home = newHome()
  const service = await serviceByHand()
  await addHandProfile(home, service.url)
  await paydesk(create({ profile: 'hand' }), { home })
  expect(await paydesk(create({ profile: 'hand' }), { home })).toMatchObject({ code: 0 })
  await addHandProfile(home, service.url, { 'duplicate-guard': 'refuse', replace: true })
  expect(await paydesk(create({ profile: 'hand' }), { home })).toMatchObject({ code: 7 })
  expect(service.creates).toHaveLength(2)
})

test('payout create: a suspected duplicate on a live profile is refused (7) unless --allow-duplicate names it', async () => {
  const home = newHome()
  const service = await serviceByHand(() => undefined, true)
  await addHandProfile(home, service.url, { environment: 'live', 'ca-file': certificate })
  const live = { profile: 'hand', yes: null, confirm: 'GEL 12.50' }
  const first = await succeeds(paydesk([...create(live), '--json'], { home }))
  expect(first.json).toMatchObject({ environment: 'live' })
  const before = service.seen.length
  const second = await paydesk([...create(live), '--json'], { home })
  expect(second).toMatchObject({ code: 7, stdout: '' })
  expect(second.error).toMatchObject({ name: 'duplicate', journalId: first.json.journalId, moneyMoved: 'unknown' })
  expect(String(second.error.hints)).toContain(`--allow-duplicate ${first.json.journalId}`)
  expect(service.seen).toHaveLength(before)
  const wrong = await paydesk(create({ ...live, 'allow-duplicate': 'j-000000000000' }), { home })
  expect(wrong.code).toBe(7)
  await succeeds(paydesk(create({ ...live, 'allow-duplicate': String(first.json.journalId) }), { home }))
  expect(service.creates).toHaveLength(2)
  const third = await paydesk(create({ ...live, 'allow-duplicate': String(first.json.journalId) }), { home })
  expect(third.code, 'the second payment is a look-alike of its own').toBe(7)
  expect((await paydesk(create({ ...live, key }), { home })).code, 'a --key says that it is meant').toBe(0)
})
