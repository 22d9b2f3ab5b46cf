/**
 * The schemas of the outputs with --json: each is written from the result that its command names, and every property that one
 * with a scenario names stands in some output with a value other than null. Every output is held against its schema wherever
 * a test runs a command (kit/program.ts). Scripts are written by these files.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, onTestFinished, test } from 'vitest'
import { documents } from '../scripts/schemas/documents.mts'
import { payoutStatuses } from '../src/lib/contract/payout/status.ts'
import { failures } from '../src/lib/failure.ts'
import { intentStates } from '../src/lib/journal/verdict.ts'
import { settingNames, settings } from '../src/lib/profile/settings.ts'
import { faultKinds, faultPlaces, faultTargets } from '../src/lib/sandbox/faults.ts'
import { lockDirectory } from '../src/lib/sandbox/server/address.ts'
import { hurriedClock, impatient } from './kit/clock.ts'
import { keyPair } from './kit/key-pairs.ts'
import { beneficiaryIban, create, createToReceiver, type Flags, flags, journalOf } from './kit/payment.ts'
import { newHome, paydesk, type Surroundings } from './kit/program.ts'
import { temporaryDirectory } from './kit/run/temporary.ts'
import { addHandProfile, json, selfSigned, serviceByHand } from './kit/service.ts'
import { until } from './kit/tools.ts'
import { addFault, clearFaults, ledgerOf, orderOf100, standingSandbox } from './kit/world.ts'
import { callbackScenarios } from './schemas/callback.ts'
import { envelopeScenarios } from './schemas/envelope.ts'
import { orderScenarios } from './schemas/order.ts'
import { sandboxScenarios } from './schemas/sandbox.ts'
import { walletScenarios } from './schemas/wallet.ts'

const root = join(import.meta.dirname, '..')
const directory = join(root, 'schemas')

interface Schema {
  readonly $ref?: string
  readonly title?: string
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
}

const files = readdirSync(directory)
const schemas = new Map(files.map((file) => [file, JSON.parse(readFileSync(join(directory, file), 'utf8')) as Schema]))
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
for (const [file, schema] of schemas) ajv.addSchema(schema, file)

/** A part of a schema, such as receipt.json#/properties/status. */
type Place = `${string}#${string}`

function schemaAt(place: Place): Schema {
  const [file = '', pointer = ''] = place.split('#')
  let found: unknown = schemas.get(file)
  for (const step of pointer.split('/').slice(1)) found = (found as Record<string, unknown> | undefined)?.[step]
  if (typeof found !== 'object' || found === null) throw new Error(`there is no schema ${place}`)
  return found
}

function target(from: Place, ref: string): Place {
  const [file, pointer = ''] = ref.split('#')
  return `${file || from.split('#')[0]}#${pointer}`
}

/** The places that a schema sends an object to, besides its own properties. */
function onward(place: Place): { readonly always: Place[]; readonly either: Place[] } {
  const { $ref, oneOf = [], anyOf = [] } = schemaAt(place)
  return {
    always: $ref === undefined ? [] : [target(place, $ref)],
    either: [
      ...oneOf.map((_, at): Place => `${place}/oneOf/${at}`),
      ...anyOf.map((_, at): Place => `${place}/anyOf/${at}`),
    ],
  }
}

/** Every property and every list below a schema; most results have nothing to warn of. */
function named(place: Place): Place[] {
  const { properties = {}, items } = schemaAt(place)
  const { always, either } = onward(place)
  const inside = Object.keys(properties).map((name): Place => `${place}/properties/${name}`)
  const elements: Place[] = items && !place.endsWith('/warnings') ? [`${place}/items`] : []
  return [...inside, ...elements, ...[...inside, ...elements, ...always, ...either].flatMap(named)]
}

/** The places of the schema that a value has. */
function reached(place: Place, value: unknown): Place[] {
  if (value === null || value === undefined) return []
  const { properties = {}, items } = schemaAt(place)
  const { always, either } = onward(place)
  const fitting = either.filter((branch) => ajv.validate({ $ref: branch }, value))
  const members = value as Readonly<Record<string, unknown>>
  const inside = Object.keys(properties).flatMap((name): Place[] => {
    const there: Place = `${place}/properties/${name}`
    return members[name] === null || members[name] === undefined ? [] : [there, ...reached(there, members[name])]
  })
  const elements = items && Array.isArray(value) ? value : []
  return [
    ...inside,
    ...elements.flatMap((each): Place[] => [`${place}/items`, ...reached(`${place}/items`, each)]),
    ...[...always, ...fitting].flatMap((there) => reached(there, value)),
  ]
}

const { texts, filesOf } = await documents()

interface Printed {
  readonly argv: readonly string[]
  readonly text: string
  /** JSON.parse of it: what a script sees. */
  readonly value: Readonly<Record<string, unknown>>
}

/** Runs a command with --json and gives back its document. Digits are looked for in the text, where no parser took them. */
async function printed(
  argv: readonly string[],
  around: Surroundings,
  { code = 0, keeps = [] }: { readonly code?: number; readonly keeps?: readonly string[] } = {},
): Promise<Printed> {
  const ended = await paydesk([...argv, '--json'], around)
  expect(ended.code, `${argv.join(' ')}: ${ended.stderr}`).toBe(code)
  for (const digits of keeps) expect(ended.stdout).toContain(digits)
  return { argv, text: ended.stdout, value: JSON.parse(ended.stdout) }
}

/** The error line of a command. */
async function refused(argv: readonly string[], around: Surroundings, code: number): Promise<Printed> {
  const ended = await paydesk([...argv, '--json'], around)
  expect(ended.code, `${argv.join(' ')}: ${ended.stderr}`).toBe(code)
  expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1)
  return { argv, text: ended.stderr, value: JSON.parse(ended.stderr) }
}

function begin() {
  const home = newHome()
  return { home, clock: hurriedClock(), random: impatient }
}

const sandbox = ['-p', 'sandbox']
const money = { keeps: ['"amount":12.50'] }
const firstId = { keeps: ['"transactionId":"100001"'] }

/** A payout whose answer was lost and that the service then called a duplicate. */
async function existing(around: Surroundings, more: Flags = {}): Promise<Printed> {
  await addFault(around.home, { at: 'after', kind: 'reset' })
  return printed(create(more), around, money)
}

/** A payout with an unknown outcome. */
async function lost(around: Surroundings, argv: readonly string[] = create()): Promise<string> {
  await addFault(around.home, { at: 'before', kind: 'reset', times: 99 })
  const { value } = await refused(argv, around, 9)
  await clearFaults(around.home)
  return String((value.error as Record<string, unknown>).journalId)
}

const clientId = '3f0e2a53-7b7c-4a5e-9d53-0f1b8a6f2c11'

const pair = await keyPair(2048)

/** Every flag of `profile add` that is a setting. */
function everySetting(home: string): Record<string, string | true> {
  const fixtures = temporaryDirectory('schemas')
  const made = selfSigned()
  writeFileSync(join(fixtures, 'client.pem'), made.cert)
  writeFileSync(join(fixtures, 'client.key'), made.key)
  const given = {
    url: 'https://pay.example.com',
    uuid: clientId,
    text: 'wallet-7',
    file: join(home, 'any.key'),
  }
  writeFileSync(given.file, 'a secret')
  const keys = { private: join(fixtures, 'private.key'), public: join(fixtures, 'public.key') }
  writeFileSync(keys.private, pair.privateKey, { mode: 0o600 })
  writeFileSync(keys.public, pair.publicKey)
  const usual = settingNames.map((name): [string, string | true] => {
    const { flag, takes } = settings[name]
    if (takes === 'switch') return [flag, true]
    return [flag, typeof takes === 'string' ? given[takes] : String(takes[0])]
  })
  return {
    ...Object.fromEntries(usual),
    'private-key': keys.private,
    'wallet-private-key': keys.private,
    'service-public-key': keys.public,
    'wallet-service-public-key': keys.public,
    'ca-file': join(fixtures, 'client.pem'),
    'client-certificate-file': join(fixtures, 'client.pem'),
    'client-key-file': join(fixtures, 'client.key'),
    store: 'postgres://paydesk@127.0.0.1:1/paydesk',
  }
}

const addAcme = (home: string) => ['profile', 'add', 'acme', ...flags(everySetting(home))]
const plain = ['--base-url', 'https://pay.example.com', '--environment', 'test']

/** The line of a sandbox that is stopped as soon as it runs. */
async function startedOnce(...flags: readonly string[]) {
  const around = begin()
  let stop: (signal: 'SIGINT') => void = () => undefined
  const signals = (send: typeof stop) => {
    stop = send
  }
  const address = join(around.home, 'sandbox', 'server.json')
  const started = printed(['sandbox', 'start', '--port', '0', ...flags], { ...around, signals }, { code: 130 })
  await until('the sandbox runs', () => existsSync(address))
  stop('SIGINT')
  return await started
}

/** Payouts that have ended by now lose their personal data. */
function purged(around: ReturnType<typeof begin>): Promise<Printed> {
  const day = 24 * 60 * 60 * 1000
  around.clock.skip(32 * day)
  const before = new Date(around.clock.now() - 31 * day).toISOString()
  return printed(['journal', 'purge', '--before', before, '--yes'], around)
}

/** The outputs of every command, by schema. */
const scenarios: Readonly<Record<string, () => Promise<readonly Printed[]>>> = {
  ...callbackScenarios(printed, (argv, text) => ({ argv, text, value: JSON.parse(text) })),
  ...envelopeScenarios(printed),
  ...orderScenarios(printed),
  ...sandboxScenarios(printed),
  ...walletScenarios(printed),
  'help.json': async () => [await printed(['help'], begin()), await printed(['help', 'payout', 'get'], begin())],

  'help-exit-codes.json': async () => [await printed(['help', 'exit-codes'], begin())],

  'payout-create.json': async () => {
    const around = begin()
    const first = await printed(create({ key: 'emp-17' }), around, { keeps: [...money.keeps, ...firstId.keeps] })
    const again = await printed(create({ key: 'emp-17' }), around, money)
    const waits = create({ description: 'sandbox:insufficient-balance', wait: true })
    const payee = ['--beneficiary-name', 'Nino Beridze', '--to-iban', beneficiaryIban]
    await printed(['payee', 'add', ...payee, ...sandbox], around)
    const named = [
      'payout',
      'create',
      '--payee',
      'Nino Beridze',
      '--amount',
      '5',
      '--currency',
      'GEL',
      '--description',
      'x',
    ]
    return [
      await printed([...named, '--yes', ...sandbox], around),
      await printed([...named, '--dry-run', ...sandbox], around),
      first,
      again,
      await printed(createToReceiver({ amount: '100' }), around, { keeps: ['"amount":100.00'] }),
      await existing(around),
      await printed(waits, around, { code: 8, ...money }),
      await printed(create({ 'dry-run': true }), around, { keeps: ['\\"amount\\":12.50,'] }),
      await printed(create({ curl: true }), around),
    ]
  },

  'payout-get.json': async () => {
    const around = begin()
    const { value } = await printed(create(), around)
    const id = String(value.transactionId)
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor/details'
        ? {
            body: '{"value":{"transactionId":90071992547409931,"status":"LATER","amount":7.10,"currency":"GEL","uniqueId":"U","more":{"a":[1.50]}}}',
          }
        : undefined,
    )
    await addHandProfile(around.home, service.url)
    const open = await printed(create({ description: 'sandbox:insufficient-balance' }), around)
    return [
      await printed(['payout', 'get', id, ...sandbox], around, {
        keeps: [...money.keeps, ...firstId.keeps, '"commissionAmount":0.07'],
      }),
      await printed(['payout', 'wait', String(value.uniqueId), ...sandbox], around, money),
      await printed(['payout', 'wait', String(open.value.uniqueId), ...sandbox], around, { code: 8, ...money }),
      await printed(['payout', 'get', '90071992547409931', '-p', 'hand'], around, {
        keeps: ['"transactionId":"90071992547409931"', '"amount":7.10', '"more":{"a":[1.50]}'],
      }),
    ]
  },

  'payout-balance.json': async () => {
    const around = begin()
    return [
      await printed(['payout', 'balance', ...sandbox], around, { keeps: ['"amount":1000000.00'] }),
      await printed(['payout', 'balance', '--currency', 'USD', ...sandbox], around, { keeps: ['"amount":250000.00'] }),
    ]
  },

  'payout-reconcile.json': async () => {
    const around = begin()
    const reconcile = (uniqueId: unknown, transactionId: unknown) =>
      printed(
        ['payout', 'reconcile', String(uniqueId), '--transaction-id', String(transactionId), ...sandbox],
        around,
        money,
      )
    const { value: known } = await printed(create(), around)
    const { value } = await existing(around, {})
    const executed = (await ledgerOf(around.home)).find(({ uniqueId }) => uniqueId === value.uniqueId)
    return [
      await reconcile(known.uniqueId, known.transactionId),
      await reconcile(value.uniqueId, executed?.transactionId),
    ]
  },

  'resume.json': async () => {
    const around = begin()
    const nothing = await printed(['resume', ...sandbox], around, { keeps: ['[]'] })
    const one = await printed(['resume', await lost(around), ...sandbox], around, money)
    await lost(around, create({ amount: '3' }))
    const every = await printed(['resume', '--all', ...sandbox], around, { keeps: ['"amount":3.00'] })
    const word = ['--settle', 'refused', '--because', 'the bank says so', '--yes', ...sandbox]
    const mine = await printed(['resume', await lost(around, create({ amount: '4' })), ...word], around)
    expect(mine.value.outcome).toBe('refused')
    await addFault(around.home, { op: 'order.*', at: 'after', kind: 'reset', times: 99 })
    const { value } = await refused(orderOf100('--no-input'), around, 9)
    await clearFaults(around.home)
    const { journalId } = value.error as { readonly journalId: string }
    const made = await printed(['resume', journalId, ...sandbox], around)
    return [nothing, one, every, mine, made]
  },

  'journal-list.json': async () => {
    const around = begin()
    await printed(create({ key: 'emp-17' }), around)
    await existing(around)
    await refused(create({ amount: '0.01' }), around, 5)
    await lost(around, create({ amount: '3' }))
    const word = ['--settle', 'executed', '--because', 'on the statement', '--yes', ...sandbox]
    await printed(['resume', await lost(around, create({ amount: '4' })), ...word], around)
    await printed(orderOf100('--no-input'), around)
    await purged(around)
    const list = await printed(['journal', 'list'], around, { keeps: [...money.keeps, ...firstId.keeps] })
    const states = (await journalOf(around)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['accepted', 'exists', 'refused', 'unknown']))
    return [list, await printed(['journal', 'list'], begin(), { keeps: ['[]'] })]
  },

  'journal-purge.json': async () => {
    const around = begin()
    await printed(create(), around)
    await refused(create({ amount: '0.01' }), around, 5)
    return [await purged(around)]
  },

  'journal-show.json': async () => {
    const around = begin()
    const paid = await printed(create({ key: 'emp-17' }), around)
    const { value } = await existing(around)
    const word = ['--settle', 'executed', '--because', 'on the statement', '--yes', ...sandbox]
    const resolved = await lost(around, create({ amount: '4' }))
    await printed(['resume', resolved, ...word], around)
    const service = await serviceByHand(({ path, body }) => {
      if (path !== '/api/distributor') return undefined
      const { uniqueId, amount } = JSON.parse(body) as { uniqueId: string; amount: number }
      if (amount === 3) return json({ transactionId: 1, uniqueId, status: 'INITIAL' }, 500)
      return json({ message: 'no', statusCode: 5038, exceptionGroup: 1 }, 400)
    })
    await addHandProfile(around.home, service.url)
    const no = await refused(create({ profile: 'hand' }), around, 5)
    const told = await refused(create({ profile: 'hand', amount: '3', timeout: '2s' }), around, 9)
    const made = await printed(orderOf100('--no-input'), around)
    const unpaid = String(made.value.integratorOrderId)
    const read = await refused(['order', 'refund', unpaid, '--amount', '1', '--yes', ...sandbox], around, 5)
    const ids = [
      paid.value.journalId,
      made.value.journalId,
      value.journalId,
      resolved,
      ...[no, told, read].map(({ value: { error } }) => (error as Record<string, unknown>).journalId),
    ].map(String)
    await purged(around)
    const shown: Printed[] = []
    for (const id of ids) shown.push(await printed(['journal', 'show', id], around))
    expect(shown[0]?.text).toContain('"amount":12.50')
    expect(shown[0]?.text).toContain('"transactionId":"100001"')
    return shown
  },

  'profile-add.json': async () => {
    const around = begin()
    const open = join(around.home, 'open.secret')
    writeFileSync(open, 's3cret', { mode: 0o644 })
    const limits = ['--limit', 'GEL 5000/payout', '--limit', 'GEL 20000/day']
    const whole = await printed([...addAcme(around.home), ...limits], around)
    const limited = ['profile', 'add', 'limited', ...plain, '--client-id', clientId, ...limits]
    rmSync(join(around.home, 'any.key'))
    return [
      whole,
      await printed(['profile', 'add', 'acme', '--client-secret-file', open], around),
      await printed(['profile', 'add', 'less', ...plain, '--client-id', clientId], around),
      // Of a journal that can be asked.
      await printed(limited, around),
    ]
  },

  'profile-show.json': async () => {
    const around = begin()
    const secret = ['--client-secret-env', 'ACME_SECRET']
    const limits = ['--limit', '100/hour', '--limit', 'GEL 5000/payout']
    await printed([...addAcme(around.home), ...secret, ...limits], around)
    await printed(['profile', 'add', 'limited', ...plain, '--client-id', clientId, ...limits], around)
    rmSync(join(around.home, 'any.key'))
    const show = ['profile', 'show']
    return [
      await printed([...show, 'acme'], around),
      await printed([...show, 'acme'], { ...around, env: { ACME_SECRET: 's3cret' } }),
      await printed([...show, 'limited'], around),
      await printed([...show, 'sandbox'], around),
    ]
  },

  'profile-check.json': async () => [
    await printed(['profile', 'check', ...sandbox], begin(), { keeps: ['"amount":1000000.00'] }),
  ],

  'profile-list.json': async () => {
    const around = begin()
    await printed([...addAcme(around.home), '--use'], around)
    await printed(
      ['profile', 'add', 'broken', '--base-url', 'https://broken.example.com', '--environment', 'live'],
      around,
    )
    const config = join(around.home, 'config', 'config.json')
    writeFileSync(config, readFileSync(config, 'utf8').replace('https://broken.example.com', 'nowhere'))
    return [await printed(['profile', 'list'], around)]
  },

  'profile-remove.json': async () => {
    const around = begin()
    await printed([...addAcme(around.home), '--use'], around)
    return [await printed(['profile', 'remove', 'acme', '--yes'], around)]
  },

  'profile-use.json': async () => [await printed(['profile', 'use', 'sandbox'], begin())],

  'sandbox-reset.json': async () => [await printed(['sandbox', 'reset', '--yes'], begin())],

  'sandbox-start.json': async () => [await startedOnce(), await startedOnce('--tls')],

  'sandbox-fault-add.json': async () => {
    const around = begin()
    const order = ['sandbox', 'fault', 'add', '--op', 'payout.get', '--at', 'after', '--kind', '429']
    const slow = [...order.slice(0, -1), 'slow', '--delay', '40s', '--per-mille', '50', '--seed', '7']
    return [
      await printed(order, around),
      await printed([...order, '--nth', '2', '--times', '3'], around),
      await printed(slow, around),
      await printed([...order.slice(0, -4), '--at', 'before', '--kind', '429', '--above', '50/s'], around),
    ]
  },

  'sandbox-fault-list.json': async () => {
    const around = begin()
    await addFault(around.home, { at: 'after', kind: 'reset', nth: 2, times: 3 })
    await addFault(around.home, { op: 'order.*', at: 'after', kind: 'slow', perMille: 50, seed: 7 })
    await addFault(around.home, { at: 'before', kind: '429', above: '50/s' })
    return [await printed(['sandbox', 'fault', 'list'], around)]
  },

  'sandbox-fault-clear.json': async () => {
    const around = begin()
    await addFault(around.home, { at: 'after', kind: 'reset' })
    return [await printed(['sandbox', 'fault', 'clear'], around)]
  },

  'error.json': async () => {
    const around = begin()
    const service = await serviceByHand(({ path }) =>
      path === '/api/distributor' ? json({ message: 'no', statusCode: 5038, exceptionGroup: 1 }, 400) : undefined,
    )
    await addHandProfile(around.home, service.url)
    const busy = newHome()
    await standingSandbox(busy)
    onTestFinished(await lockDirectory(join(busy, 'sandbox')))
    const id = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
    const failed = await printed(create({ description: 'sandbox:failed', 'unique-id': id }), around)
    const wait = ['payout', 'wait', String(failed.value.transactionId), ...sandbox]
    const open = await lost(around, create({ amount: '5' }))
    await addFault(around.home, { at: 'before', kind: 'reset', times: 99 })
    return [
      await refused(create({ amount: '0' }), around, 2),
      await refused(create({ yes: null, confirm: 'GEL 1.00' }), around, 3),
      await refused(create({ profile: 'nobody' }), around, 4),
      await refused(create({ profile: 'hand' }), around, 5),
      await refused(wait, around, 5),
      await refused(['payout', 'get', '1', ...sandbox], around, 6),
      await refused(create({ 'unique-id': id, amount: '99' }), around, 7),
      await refused(create(), around, 9),
      await refused(['resume', open, ...sandbox], around, 9),
      await refused(['sandbox', 'start', '--port', '0'], { home: busy }, 12),
    ]
  },
}

/** Places that no output has: a payout is not sealed, a DELETE has no body. */
const notYet: Readonly<Record<string, readonly Place[]>> = {
  'order-cancel.json': ['order-cancel.json#/anyOf/1/properties/body'],
  'payout-create.json': ['payout-create.json#/anyOf/1/properties/payload'],
  'wallet-cancel.json': ['wallet-cancel.json#/anyOf/1/properties/body'],
}

// Some scenarios run a dozen commands.
test.each(Object.entries(scenarios))(
  'outputs fit their schema, and reach all of it: %s',
  { timeout: 30_000 },
  async (file, outputs) => {
    const seen = new Set<Place>()
    const commands = new Set<string>()
    for (const { argv, text, value } of await outputs()) {
      const fits = ajv.validate({ $ref: `${file}#` }, value)
      expect(fits, `${argv.join(' ')}: ${ajv.errorsText()}\n${text}`).toBe(true)
      for (const place of reached(`${file}#`, value)) seen.add(place)
      for (const command of filesOf.keys()) {
        if (`${argv.join('/')}/`.startsWith(`${command}/`)) commands.add(command)
      }
    }
    const unseen = [...new Set(named(`${file}#`))].filter((place) => !seen.has(place))
    expect(unseen).toEqual(notYet[file] ?? [])
    const meant = [...filesOf.keys()].filter((command) => filesOf.get(command)?.includes(file))
    if (file !== 'error.json') expect([...commands].toSorted()).toEqual(meant)
  },
)

describe('every command names its result', () => {
  test.each([...filesOf])('%s', (_command, its) => {
    expect(its, 'give the command a `static result`').not.toEqual([])
  })

  test('schemas/ is what `npm run schemas` writes of the results: run it', () => {
    expect([...texts.keys()].toSorted()).toEqual(files.toSorted())
    for (const [file, text] of texts) expect(text, file).toBe(readFileSync(join(directory, file), 'utf8'))
  })

  test('no scenario of a schema that is gone', () => {
    expect(Object.keys(scenarios).filter((file) => !files.includes(file))).toEqual([])
  })
})

describe('the lists in the schemas are those of the program', () => {
  const listAt = (place: Place) => schemaAt(place).enum

  test('states, operations, faults, failures', () => {
    expect(listAt('journal-show.json#/properties/state')).toEqual(intentStates)
    expect(listAt('sandbox-fault-add.json#/properties/op')).toEqual(faultTargets)
    expect(listAt('sandbox-fault-add.json#/properties/at')).toEqual(faultPlaces)
    expect(listAt('sandbox-fault-add.json#/properties/kind')).toEqual(faultKinds)
    expect(listAt('error.json#/properties/error/properties/name')).toEqual(Object.keys(failures))
  })

  test.each(settingNames)('setting %s', (name) => {
    const { takes } = settings[name]
    const list = name === 'environment' ? undefined : listAt(`profile-show.json#/properties/${name}`)
    if (typeof takes === 'object' && list) expect(list).toEqual([...takes, null])
    expect(schemaAt(`profile-show.json#/properties/${name}`)).toBeDefined()
  })

  test('every status of a payout is named to the reader', () => {
    const said = JSON.stringify(schemaAt('payout-get.json#/properties/status'))
    for (const status of Object.keys(payoutStatuses)) expect(said).toContain(status)
  })
})
