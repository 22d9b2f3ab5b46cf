/**
 * Secrets planted wherever a shop keeps one, and every command that there is: no command shows one or leaves one in a
 * file.
 */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { type Clock, realClock } from '../../src/lib/edge.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { builtPaydesk } from '../kit/process.ts'
import { type Ended, newHome, paydesk, type Surroundings, succeeds } from '../kit/program.ts'
import { temporaryDirectory } from '../kit/run/temporary.ts'
import { keyFile } from '../kit/team.ts'
import { inSandbox, standingSandbox } from '../kit/world.ts'

/** Many commands of this process, or processes of the built program. */
const patience = { timeout: 120_000 }

const root = join(import.meta.dirname, '..', '..')
const ids: readonly string[] = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8')).commands

const folder = temporaryDirectory('planted')
const file = (name: string, text: string) => {
  const path = join(folder, name)
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

const planted = new Map<string, string>([
  ['a webhook secret', 'whsec_cGxhbnRlZHdlYmhvb2tzZWNyZXQxMjM0NTY3ODkw'],
  ['the password of a proxy', 'planted-proxy-password-4711'],
  ['a client secret in a variable', 'planted-variable-secret-4711'],
  ['the password of a store', 'planted-store-password-4711'],
])

const home = newHome()
const around: Surroundings = {
  home,
  env: { http_proxy: `http://anna:${planted.get('the password of a proxy')}@127.0.0.1:9`, no_proxy: '127.0.0.1' },
}
const person = keyFile()
const seen: string[] = []
/** Commands that made an archive. */
const archived: string[] = []

/** The two commands that are there to give a secret, on stdout and nowhere else: the token of a card, and an access token. */
const givesSecret = ([first = '', second = '']: readonly string[]) =>
  first === 'token' || (first === 'card' && second === 'get')

/** Runs a command as `acme`, and keeps all that it showed. */
async function run(argv: readonly string[], more: Partial<Surroundings> = {}): Promise<Ended> {
  const ended = await paydesk(argv, { ...around, ...more, env: { ...around.env, ...more.env } })
  const own = givesSecret(argv) && !argv.includes('--curl') ? '' : ended.stdout
  seen.push(`$ ${argv.join(' ')}\n${own}${ended.log}`)
  return ended
}

/** The middle of a key: enough to know it again, and in no other. */
const middle = (key: string) => key.replaceAll(/-----[^-]+-----|\s/g, '').slice(40, 80)

/** A secret, and how else it may be written. */
function formsOf(secret: string): readonly string[] {
  const forms = [
    secret,
    secret.toUpperCase(),
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').slice(2, -4),
  ]
  return [...new Set(forms)].filter((form) => form.length >= 12)
}

const shownIn = (text: string) =>
  [...planted].flatMap(([name, secret]) => (formsOf(secret).some((form) => text.includes(form)) ? [name] : []))

function filesBelow(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  )
}

const keys = { scheme: z.string(), servicePublicKey: z.string(), privateKey: z.string() }
const worldForm = z.object({
  distributorClients: z.array(z.object({ clientId: z.string(), clientSecret: z.string() })),
  integrators: z.array(z.object({ integratorId: z.string(), ...keys })),
  walletIntegrators: z.array(z.object({ identifier: z.string(), ...keys })),
  qrAddresses: z.array(z.object({ uri: z.string() })),
})

let made: Readonly<Record<'payout' | 'order' | 'saved' | 'wallet' | 'held' | 'plan' | 'subscription', string>>
let url = ''
let close: () => Promise<void> = async () => undefined

async function plant(): Promise<void> {
  ;({ url } = await standingSandbox(home, (end) => {
    close = end
  }))
  const world = worldForm.parse((await paydesk(['sandbox', 'world', '--json'], { home })).json)
  const [client] = world.distributorClients
  const [integrator] = world.integrators
  const [wallet] = world.walletIntegrators
  if (!client || !integrator || !wallet) throw new Error('the world is empty')
  planted.set('a client secret', client.clientSecret)
  planted.set('a private key', middle(integrator.privateKey))
  planted.set('the private key of the wallet', middle(wallet.privateKey))
  planted.set('the key of a person', middle(readFileSync(person.file, 'utf8')))
  const added = await run([
    ...['profile', 'add', 'acme', '--base-url', url, '--environment', 'test', '--use'],
    ...['--client-id', client.clientId, '--client-secret-file', file('acme.secret', client.clientSecret)],
    ...['--integrator-id', integrator.integratorId, '--rsa-padding', integrator.scheme],
    ...['--service-public-key', file('service.pub', integrator.servicePublicKey)],
    ...['--private-key', file('own.key', integrator.privateKey)],
    ...['--wallet-identifier', wallet.identifier, '--wallet-scheme', wallet.scheme],
    ...['--wallet-service-public-key', file('wallet.pub', wallet.servicePublicKey)],
    ...['--wallet-private-key', file('wallet.key', wallet.privateKey)],
    ...['--callback-secret-file', file('hook.secret', String(planted.get('a webhook secret')))],
  ])
  expect(added.code, added.stderr).toBe(0)
  const receipt = async (line: string) => {
    const ended = await succeeds(run([...line.split(' '), '-p', 'acme', '--yes', '--json', '--trace']))
    return JSON.parse(ended.stdout) as Record<string, unknown>
  }
  const pay = `payout create --amount 5 --currency GEL --description Salary --to-iban ${beneficiaryIban}`
  const payout = await receipt(`${pay} --beneficiary-name Nino --key paid`)
  const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
  const order = await receipt(
    `order create --amount 30 --receiver-id ${shop} --save-card --direct-link-provider BOG --key saved`,
  )
  await inSandbox(home, (sandbox) => sandbox.trigger({ what: 'paid', order: String(order.integratorOrderId) }))
  const card = await run(['card', 'get', 'saved', '-p', 'acme', '--json', '--trace'])
  planted.set('the token of a card', String(JSON.parse(card.stdout).token))
  await receipt(`order create --amount 12 --receiver-id ${shop} --card-from-order saved --key charged`)
  const [token] = filesBelow(join(home, 'tokens')).map((path) => readFileSync(path, 'utf8'))
  const [, access = ''] = /"token":"([^"]+)"/.exec(token ?? '') ?? []
  planted.set('an access token', access)
  const created = await receipt(`wallet create --uri ${world.qrAddresses[0]?.uri} --key till`)
  const csv = file('rows.csv', `key,amount,currency,description,toIban\nrow-1,1,GEL,Salary,${beneficiaryIban}\n`)
  const plan = await run(['batch', 'plan', csv, '-p', 'acme', '--json'])
  made = {
    payout: String(payout.transactionId),
    order: 'charged',
    saved: String(order.integratorOrderId),
    wallet: String(created.uniqueId),
    held: String(payout.journalId),
    plan: String(JSON.parse(plan.stdout).planId),
    subscription: shop,
  }
}

/** A line for every command; {name}: something that was made before. Many end with a refusal, and that is looked at, too. */
const lines: Readonly<Record<string, string>> = {
  api: 'GET /api/v1/integrator/card/order-id?integratorOrderId={saved}',
  'approval:approve': 'a-1 --person-key {person}',
  'approval:list': '',
  'approval:reject': 'a-1 --because no --person-key {person}',
  'approval:request': '{plan} --person-key {person}',
  'approval:show': 'a-1',
  'batch:check': '{csv}',
  'batch:list': '',
  'batch:plan': '{csv}',
  'batch:report': '{plan}',
  'batch:results': '{plan} --dir {folder}/results --overwrite',
  'batch:resume': '{plan} --confirm GEL_1.00',
  'batch:run': '{plan} --confirm GEL_1.00',
  'batch:show': '{plan}',
  'batch:status': '{plan}',
  'batch:wait': '{plan} --timeout 1s',
  'batch:discard': '{plan}',
  'callback:list': '',
  'callback:replay': 'cb-1',
  'callback:show': 'cb-1',
  'callback:verify': 'cb-1 --secret-file {hook}',
  'card:get': 'saved',
  'card:list': '',
  commands: '',
  completion: 'bash',
  doctor: '',
  'envelope:doctor': '--private-key {key} --file {envelope}',
  'envelope:inspect': '--file {envelope}',
  'envelope:open': '--private-key {key} --file {envelope}',
  'envelope:seal': '--public-key {pub} --file {user}',
  explain: '5038',
  help: 'exit-codes',
  'journal:export': '',
  'journal:import': '',
  'journal:list': '',
  'journal:purge': '--before 2025-11-20 --yes',
  'journal:reconcile': '{csv}',
  'journal:show': '{held}',
  'journal:verify': '',
  'key:generate': '--private-key {folder}/new.key --bits 2048',
  'key:import': '{key} --to {folder}/imported.key',
  'key:show': '{key}',
  'order:cancel': '{order} --yes',
  'order:complete': '{order} --amount 1 --yes',
  'order:create':
    '--amount 7 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --card-from-order saved --yes --key again',
  'order:diff': '{order}',
  'order:list': '',
  'order:refund': '{order} --amount 1 --yes --key refunded',
  'order:status': '{order}',
  'order:wait': '{order} --timeout 1s',
  'payee:add': `--beneficiary-name Nino --to-iban ${beneficiaryIban}`,
  'payee:edit': 'nobody --beneficiary-address Tbilisi',
  'payee:import': '{csv}',
  'payee:list': '',
  'payee:remove': 'nobody',
  'payout:balance': '--currency GEL',
  'payout:create': `--amount 6 --currency GEL --description Salary --to-iban ${beneficiaryIban} --yes --key another`,
  'payout:diff': '{payout}',
  'payout:get': '{payout}',
  'payout:list': '--refresh',
  'payout:receipt': '{payout}',
  'payout:reconcile': 'paid --transaction-id {payout}',
  'payout:wait': '{payout} --timeout 1s',
  'profile:add':
    'other --base-url {url} --environment test --client-id 5a9db0c0-0001-4a11-8c11-000000000001 --client-secret-file {secret}',
  'profile:check': '',
  'profile:list': '',
  'profile:remove': 'nobody',
  'profile:show': 'acme',
  'profile:use': 'acme',
  resume: '--all',
  'sandbox:callbacks': '',
  'sandbox:clock:advance': '1s',
  'sandbox:clock:set': '2030-01-01T00:00:00Z',
  'sandbox:clock:show': '',
  'sandbox:fault:add': '--op payout.get --kind json500 --at before',
  'sandbox:fault:clear': '',
  'sandbox:fault:list': '',
  'sandbox:ledger': '',
  'sandbox:openapi': '',
  'sandbox:requests': '',
  'sandbox:sample': '--rows 3 --out {folder}/sample.csv',
  'sandbox:statement': '--out {folder}/statement.xml',
  'sandbox:trigger': 'refunded --order {order}',
  'subscription:history': '{subscription}',
  'subscription:list': '',
  'subscription:revoke': '{subscription} --yes',
  'team:confirm': '--because looked',
  'team:key:add': 'Anna --person-key {person}',
  'team:key:generate': '{folder}/person.key',
  'team:key:list': '',
  'team:key:revoke': 'Anna --person-key {person}',
  'team:rule:add': '--from 1000 --currency GEL --person-key {person}',
  'team:rule:list': '',
  'team:rule:remove': 'r-1 --person-key {person}',
  token: '',
  'user:register': '--file {user} --yes --key nino',
  'wallet:cancel': '{wallet} --yes',
  'wallet:create': '--uri https://pay.example/x?qrType=DEFAULT&receiverType=USER&receiverId=1 --yes --key till-2',
  'wallet:details': '{wallet}',
  'wallet:finalize': '--unique-id {wallet} --amount 5 --final-status SUCCESS --yes',
  'wallet:list': '',
  'worker:list': '',
}

/** Prints the secrets of the sandbox's world on purpose, ends it, or stays until it is stopped. */
const leftOut = ['sandbox:world', 'sandbox:reset', 'sandbox:start', 'callback:listen', 'worker:start', 'team:dashboard']

const namesProfile = (id: string) =>
  !/^(profile|sandbox|envelope|key|team|approval|commands|completion|explain|help)/.test(id)

function wordsOf(id: string): readonly string[] {
  const envelope = file('envelope.json', '{"data":"4111","key":"x","iv":"y"}')
  const places: Record<string, string> = {
    ...made,
    ...{ folder, url, person: person.file, envelope, csv: join(folder, 'rows.csv') },
    ...{ key: join(folder, 'own.key'), pub: join(folder, 'service.pub'), hook: join(folder, 'hook.secret') },
    ...{ secret: join(folder, 'acme.secret'), user: file('user.json', '{"name":"Nino"}') },
  }
  const words = (lines[id] ?? '').split(' ').filter(Boolean)
  const filled = words.map((word) =>
    word.replace(/\{(\w+)\}/g, (_, name) => places[name] ?? '').replace('GEL_', 'GEL '),
  )
  return [...id.split(':'), ...filled, ...(namesProfile(id) ? ['-p', 'acme'] : [])]
}

export const everyLine = Object.keys(lines)

/** A command that is run in another form, by flags or by a variable. */
export const everyForm = [
  'words',
  'json',
  'dry',
  'curl',
  'archive',
  'wrong flag',
  'other profile',
  'wrong secret',
] as const
type Form = (typeof everyForm)[number]

const flagsOf = (form: Form, archive: string): readonly string[] =>
  ({
    words: ['--trace'],
    json: ['--json', '--trace'],
    dry: ['--dry-run', '--json'],
    curl: ['--curl'],
    archive: ['--har', archive, '--json', '--trace'],
    'wrong flag': ['--nonsense'],
    'other profile': ['-p', 'nobody'],
    'wrong secret': ['--trace'],
  })[form]

/** A clock that breaks after so many looks at it: a defect in the middle of a command. */
function breaking(looks: number): Clock {
  let left = looks
  const now = () => {
    left -= 1
    if (left < 0) throw new TypeError('the clock is broken')
    return realClock.now()
  }
  return { ...realClock, now }
}

/** Commands of every kind, which have more to do before they end. */
export const mustCrash = [
  ...['payout:create', 'order:create', 'order:refund', 'profile:check', 'resume', 'wallet:finalize', 'token'],
]

interface Sample {
  /** The forms in which a command is run; `at` is its place among all. */
  readonly forms: (at: number) => readonly Form[]
  /** Looks of a command at the clock after which it breaks. */
  readonly crashes: (id: string) => readonly number[]
  /** Commands that are run as the built program with every debug switch on. */
  readonly debugged: readonly string[]
  /** Lines that a shell asks to complete. */
  readonly completed: readonly string[]
}

export const completedLines = [
  'payout get ',
  'payout create -p ',
  'journal show ',
  'order status ',
  'batch run ',
  'token -',
]

export function plantedSecrets({ forms, crashes, debugged, completed }: Sample): void {
  beforeAll(plant, 120_000)
  afterAll(() => close())

  test('planted secrets: every command has a line here', () => {
    expect([...everyLine, ...leftOut].toSorted()).toEqual(ids.toSorted())
  })

  test('planted secrets: ten are there from the start, and each is found in a text that shows it', () => {
    expect([...planted.values()].every((secret) => secret.length >= 12)).toBe(true)
    expect(planted.size).toBe(10)
    for (const [name, secret] of planted) expect(shownIn(`x ${secret}`)).toEqual([name])
  })

  test.each(everyLine.map((id, at) => [id.replaceAll(':', ' '), id, at] as const))(
    '%s: shows no secret in words, as JSON, traced, dry, as curl, in an archive, or refused',
    patience,
    async (_, id, at) => {
      const words = wordsOf(id)
      const archive = join(folder, `${id.replaceAll(':', '-')}.har`)
      const before = seen.length
      for (const form of forms(at)) {
        const wrong = { PAYDESK_CLIENT_SECRET: String(planted.get('a client secret in a variable')) }
        const more = form === 'wrong secret' ? { env: wrong } : {}
        const ended = await run([...words, ...flagsOf(form, archive)], more)
        if (form === 'wrong secret') continue
        // 1 is a defect; only what looks at a damaged journal ends so.
        expect(ended.code, `${words.join(' ')}\n${ended.log}`).not.toBe(1)
        if (form === 'words') expect(ended.log, words.join(' ')).not.toMatch(/has no flag|unexpected|is missing/)
      }
      if (existsSync(archive)) {
        archived.push(id)
        seen.push(readFileSync(archive, 'utf8'))
        expect(statSync(archive).mode & 0o777).toBe(0o600)
      }
      expect(shownIn(seen.slice(before).join('\n'))).toEqual([])
      expect(shownIn(seen.slice(before).join('\n').replaceAll(/\s+/g, ''))).toEqual([])
    },
  )

  /** Commands that ended with a defect. */
  const crashed = new Set<string>()

  test.each(everyLine.map((id) => [id.replaceAll(':', ' '), id] as const))(
    '%s: shows no secret when it crashes',
    patience,
    async (_, id) => {
      const before = seen.length
      for (const looks of crashes(id)) {
        const ended = await run([...wordsOf(id), '--trace', '--json'], { clock: breaking(looks) })
        if (ended.code === 1) crashed.add(id)
      }
      expect(shownIn(seen.slice(before).join('\n'))).toEqual([])
    },
  )

  test('planted secrets: commands of every kind have crashed', () => {
    expect([...crashed]).toEqual(expect.arrayContaining(mustCrash))
    expect(crashed.size).toBeGreaterThan(30)
  })

  test('planted secrets: every kind of command that asks the service made an archive', () => {
    expect(archived).toEqual(
      expect.arrayContaining([
        'card:get',
        'order:status',
        'payout:balance',
        'payout:create',
        'profile:check',
        'wallet:details',
      ]),
    )
  })

  test('token and card get: they give their secret on stdout alone', async () => {
    // By now it may be another one than the first.
    const lent = await run(['token', '-p', 'acme', '--trace'])
    const card = await run(['card', 'get', 'saved', '-p', 'acme', '--trace', '--json'])
    for (const [ended, secret] of [
      [lent, lent.stdout.trim()],
      [card, String(JSON.parse(card.stdout).token)],
    ] as const) {
      expect(secret).toMatch(/^\S{20,}$/)
      expect(ended.log).not.toContain(secret)
      expect(shownIn(ended.log)).toEqual([])
    }
  })

  test('completion: it offers no secret, and leaves no file behind', patience, async () => {
    for (const line of completed) {
      const before = filesBelow(home).length
      const ended = await builtPaydesk(['__complete', 'bash', '--', ...line.split(' ')], home, around.env)
      expect(shownIn(ended.stdout + ended.log), line).toEqual([])
      const made = filesBelow(home).filter((path) => !/-(?:wal|shm)$/.test(path))
      expect(made.length, line).toBeLessThanOrEqual(before)
    }
  })

  test('key generate and team key generate: the new private key is in its file and nowhere else', () => {
    for (const name of ['new.key', 'person.key']) {
      const secret = middle(readFileSync(join(folder, name), 'utf8'))
      expect(secret.length, name).toBeGreaterThan(12)
      expect(seen.join('\n').includes(secret), name).toBe(false)
    }
  })

  test.each(debugged.map((id) => [id.replaceAll(':', ' '), id] as const))(
    '%s, the built program with every debug switch on: shows no secret',
    patience,
    async (_, id) => {
      const env = { ...around.env, DEBUG: '*' }
      const ended = await builtPaydesk([...wordsOf(id), '--trace'], home, env)
      const own = givesSecret(id.split(':')) ? '' : ended.stdout
      expect(ended.code, ended.log).not.toBe(null)
      expect(shownIn(own + ended.log)).toEqual([])
    },
  )

  test('a store that cannot be reached: it is told without its password', async () => {
    const store = `postgres://anna:${planted.get('the password of a store')}@127.0.0.1:1/paydesk`
    for (const words of [
      ['journal', 'list'],
      ['payout', 'get', made.payout, '-p', 'acme'],
      ['worker', 'list'],
    ]) {
      const ended = await run([...words, '--trace'], { env: { PAYDESK_STORE: store } })
      expect(ended.code).not.toBe(0)
      expect(shownIn(ended.stdout + ended.log)).toEqual([])
    }
  })

  test('the files of the home: no secret is in one but the access token in its own, and only their owner reads them', () => {
    for (const path of filesBelow(home)) {
      if (path.includes(join(home, 'sandbox'))) continue
      const found = shownIn(readFileSync(path, 'latin1'))
      expect(found, path).toEqual(
        path.startsWith(join(home, 'tokens')) ? found.filter((name) => name === 'an access token') : [],
      )
      expect(statSync(path).mode & 0o077, path).toBe(0)
    }
  })
}
