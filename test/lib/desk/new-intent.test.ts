/** What the journal keeps of a request, and when two requests mean the same: every member counts, at every depth. */
import { expect, test } from 'vitest'
import { type Field, fieldsOf } from '../../../src/lib/contract/core/field.ts'
import type { Members } from '../../../src/lib/contract/core/members.ts'
import type { WriteOperation } from '../../../src/lib/contract/operation.ts'
import { operations } from '../../../src/lib/contract/operations.ts'
import { createPayout } from '../../../src/lib/contract/payout/payout.ts'
import {
  anotherId,
  digestOfRequest,
  idOfKey,
  mustBeAsHeld,
  newIntentOf,
  sameButForSecrets,
  sameIdFlag,
  scopeOf,
} from '../../../src/lib/desk/new-intent.ts'
import type { Intent } from '../../../src/lib/journal/intent.ts'
import { isRecord } from '../../../src/lib/json.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { addSealedProfile } from '../../kit/service.ts'
import { intent } from '../../kit/store.ts'

const writes = operations.filter((each): each is WriteOperation => each.effect === 'write')

/** A request with every field; the values need not keep the rules. */
function whole(fields: readonly Field[]): Record<string, unknown> {
  const valueFor = ({ name, json, members }: Field): unknown => {
    if (json === 'number') return '12.5'
    if (!members) return `a ${name}`
    const one = whole(fieldsOf(members))
    if (json === 'list') return [one, one]
    return json === 'map' ? { first: one, second: one } : one
  }
  return Object.fromEntries(fields.map((field) => [field.name, valueFor(field)]))
}

/** Every request that differs from the given one in a single value, or lacks it, with the path of the difference. */
function neighbours(value: unknown, path = ''): (readonly [path: string, value: unknown])[] {
  if (Array.isArray(value)) {
    return [
      [`${path}, one entry less`, value.slice(1)],
      ...value.flatMap((entry, at) =>
        neighbours(entry, `${path}[${at}]`).map(([where, other]) => [where, value.with(at, other)] as const),
      ),
    ]
  }
  if (!isRecord(value)) return [[path, value === '12.5' ? '12.51' : 'another']]
  return Object.entries(value).flatMap(([name, member]) => {
    const { [name]: _, ...others } = value
    const within = neighbours(member, `${path}.${name}`)
    return [
      [`${path}.${name} left out`, others] as const,
      ...within.map(([where, other]) => [where, { ...value, [name]: other }] as const),
    ]
  })
}

/** The same members in the opposite order, at every depth. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (!isRecord(value)) return value
  const members = Object.entries(value).toReversed()
  return Object.fromEntries(members.map(([name, member]) => [name, reversed(member)]))
}

const differing = writes.flatMap((operation) => {
  const request = whole(fieldsOf(operation.request))
  return neighbours(request).map(([path, other]) => [`${operation.name}${path}`, operation, request, other] as const)
})

test('the digest of a request: there is a test for every field of every write', () => {
  const names = writes.flatMap(({ name, request }) => fieldsOf(request).map((field) => `${name}.${field.name}`))
  expect(differing.map(([path]) => path)).toEqual(expect.arrayContaining(names.map((name) => `${name} left out`)))
})

test.each(differing)('the digest of a request: %s alone makes another request', (_path, operation, request, other) => {
  expect(digestOfRequest(operation, other as Members)).not.toBe(digestOfRequest(operation, request))
})

test.each(writes.map((each) => [each.name, each] as const))(
  'the digest of %s: another order of the members and another spelling of a number make no other request',
  (_name, operation) => {
    const request = whole(fieldsOf(operation.request))
    expect(digestOfRequest(operation, reversed(request) as Members)).toBe(digestOfRequest(operation, request))
    const spelled = JSON.parse(JSON.stringify(request).replaceAll('"12.5"', '"12.50"')) as Members
    expect(digestOfRequest(operation, spelled)).toBe(digestOfRequest(operation, request))
  },
)

test('the digest of a payout stays what it was: a journal of yesterday knows its requests today', () => {
  const request = { uniqueId: 'u', amount: '12.50', currency: 'GEL', toIban: 'GE29NB0000000101904917' }
  expect(digestOfRequest(createPayout, request)).toBe('MHWRPXhH1FaZw6CCTEDu0MPj8_NAqnZYCV6wqTKUA7I')
})

test.each(differing)(
  'the same but for secrets: with %s alone two requests are the same only if it is the secret',
  (path, operation, request, other) => {
    const secrets = fieldsOf(operation.request).filter(({ secret }) => secret)
    const isSecret = secrets.some(({ name }) => path === `${operation.name}.${name}`)
    expect(sameButForSecrets(operation, request, other as Members)).toBe(isSecret)
  },
)

const place = { service: 'https://a.example', serviceId: 'a', environment: 'test', clientId: 'Me' } as const
const request = {
  ...{ uniqueId: '0B5F0F0E-8a2c-4f0e-9a53-5d1f3f1f7a11', amount: '12.5', currency: 'GEL' },
  ...{ toIban: 'GE29NB0000000101904917', beneficiaryName: 'Nino Beridze', description: 'Salary' },
}
const names = { idempotencyKey: 'k', ownId: 'unused' }

test('the record of a payout has its id, place, payee, sum and currency', () => {
  expect(newIntentOf({ ...place, name: 'acme' }, createPayout, request, names)).toEqual({
    ...{ operation: 'payout.create', profile: 'acme', idempotencyKey: 'k' },
    ...{ service: 'https://a.example', serviceId: 'a', environment: 'test', clientId: 'me' },
    uniqueId: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11',
    body: JSON.stringify(request),
    bodyDigest: digestOfRequest(createPayout, request),
    ...{ payee: 'GE29NB0000000101904917', amountMinor: '1250', currency: 'GEL' },
  })
})

test('the scope of an id is the service by its address and its name, the environment and the client', () => {
  expect(scopeOf(place)).toEqual({ ...place, clientId: 'me' })
})

const held = (more: Partial<Intent> = {}) =>
  intent({ ...newIntentOf({ ...place, name: 'acme' }, createPayout, request, names), state: 'held', ...more })

test.each([
  ['uniqueId', '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a12'],
  ['bodyDigest', 'another'],
  ['payee', 'GE18SB1000000000000014'],
  ['amountMinor', '1251'],
  ['currency', 'USD'],
] as const)('a held intent whose record has another %s than its request is not sent (1)', (column, value) => {
  expect(() => mustBeAsHeld(createPayout, request, held())).not.toThrow()
  expect(() => mustBeAsHeld(createPayout, request, held({ [column]: value }))).toThrow(/the stored request of/)
  // An intent that was sent is compared elsewhere.
  expect(() => mustBeAsHeld(createPayout, request, held({ [column]: value, state: 'unknown' }))).not.toThrow()
})

test('the id of a business key is the same on every machine, and another one for another service, client, operation or key', () => {
  const id = (more: object = {}, operation = 'payout.create', key = 'k') =>
    idOfKey({ serviceId: 'a', clientId: 'me', ...more }, operation, key)
  expect(id()).toBe('49e275f6-ee57-44b3-acc7-940d345cd524')
  expect(id({ clientId: 'ME' })).toBe(id())
  const others = [id({ serviceId: 'b' }), id({ clientId: 'you' }), id({}, 'order.create'), id({}, 'payout.create', 'l')]
  expect(new Set([id(), ...others]).size).toBe(5)
})

const uniqueId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

test('the same write again is named by its key, else by a flag of the command, and by none where the id is no flag', () => {
  for (const write of writes) expect(sameIdFlag(write, { idempotencyKey: 'k', uniqueId })).toBe('the same --key')
  const named = writes.map((write) => [write.name, sameIdFlag(write, { idempotencyKey: null, uniqueId })])
  expect(Object.fromEntries(named)).toMatchObject({
    'payout.create': `--unique-id ${uniqueId}`,
    'order.create': `--integrator-order-id ${uniqueId}`,
    'wallet.create': `--unique-id ${uniqueId}`,
    ...{ 'order.cancel': null, 'order.complete': null, 'order.refund': null, 'wallet.cancel': null },
  })
})

test('another one gets another key, or another id', () => {
  expect(anotherId({ idempotencyKey: 'k' })).toBe('another --key')
  expect(anotherId({ idempotencyKey: null })).toContain('another --unique-id')
})

test('a write that never left this machine is run again with the key that it was given, and only then with its id', async () => {
  const home = newHome()
  await addSealedProfile(home, 'own', 'http://127.0.0.1:1')
  const uri = 'https://pay.example/pay?qrType=DEFAULT&receiverType=USER&receiverId=1'
  const hint = async (...more: readonly string[]) => {
    const argv = ['wallet', 'create', '-p', 'own', '--uri', uri, '--yes', '--timeout', '2s', '--json', ...more]
    const ended = await paydesk(argv, { home })
    expect(ended.code, ended.stderr).toBe(11)
    return String(ended.error.hints)
  }
  const keyed = await hint('--key', 'n3')
  expect(keyed).toContain('the same --key keeps the id')
  expect(keyed).not.toContain('--unique-id')
  expect(await hint('--unique-id', uniqueId)).toContain(`--unique-id ${uniqueId} keeps the id`)
})
