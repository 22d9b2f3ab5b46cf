/** The functions behind the commands, on a journal in memory, against a service that answers as a test says. */
import { readFileSync } from 'node:fs'
import { givenFields } from '../../src/lib/cli/flags/fields.ts'
import { orderWithCard } from '../../src/lib/cli/write/new-order.ts'
import type { Line as LineToService } from '../../src/lib/client/exchange.ts'
import { openRequest, receivedMembers } from '../../src/lib/client/sealed.ts'
import { TokenSource } from '../../src/lib/client/token.ts'
import { fieldsOf } from '../../src/lib/contract/core/field.ts'
import type { Members } from '../../src/lib/contract/core/members.ts'
import type { RequestOf, WriteOperation } from '../../src/lib/contract/operation.ts'
import { operations } from '../../src/lib/contract/operations.ts'
import { cancelOrder, completeOrder, createOrder } from '../../src/lib/contract/order/order.ts'
import { refundOrder } from '../../src/lib/contract/order/refund.ts'
import { createPayout } from '../../src/lib/contract/payout/payout.ts'
import { revokeSubscription } from '../../src/lib/contract/subscription.ts'
import { tidy, validate } from '../../src/lib/contract/validate.ts'
import { cancelWalletOrder, createWalletOrder, finalizeWalletOrder } from '../../src/lib/contract/wallet/wallet.ts'
import type { Desk } from '../../src/lib/desk/desk.ts'
import { diffOrder, diffPayout } from '../../src/lib/desk/diff.ts'
import { idForKey } from '../../src/lib/desk/new-intent.ts'
import {
  orderOfId,
  placeOrder,
  readCard,
  readOrder,
  submitChange,
  submitOrderChange,
  waitForOrder,
} from '../../src/lib/desk/orders.ts'
import { createAndWait, readPayout, waitForPayout } from '../../src/lib/desk/payouts.ts'
import { doneOf, receiptOf } from '../../src/lib/desk/receipts.ts'
import { reconcile } from '../../src/lib/desk/reconcile.ts'
import { Desks, receipt, resolveAs, resume, resumeEach } from '../../src/lib/desk/resume.ts'
import { submit } from '../../src/lib/desk/submit.ts'
import {
  cancelWallet,
  createWallet,
  finalizeWallet,
  finalizing,
  hasLapsed,
  readFinalizing,
  readWallet,
  requireFinalizable,
  walletIdOf,
} from '../../src/lib/desk/wallet.ts'
import { withIntent } from '../../src/lib/desk/writes.ts'
import { readPrivateKey, readPublicKey } from '../../src/lib/envelope/key.ts'
import { Failure } from '../../src/lib/failure.ts'
import type { Transmission, Transport } from '../../src/lib/http/client.ts'
import type { HttpRequest } from '../../src/lib/http/message.ts'
import { findByName } from '../../src/lib/journal/find.ts'
import { Journal } from '../../src/lib/journal/journal.ts'
import type { State } from '../../src/lib/journal/verdict.ts'
import { readJson, writeJson } from '../../src/lib/json.ts'
import type { Part } from '../../src/lib/profile/parts.ts'
import { permitsOfProfile } from '../../src/lib/profile/profile.ts'
import { type JournalTables, journalSchema } from '../../src/lib/store/journal/schema.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { keyPair } from '../kit/key-pairs.ts'
import { create, type Flags } from '../kit/payment.ts'
import type { Ended } from '../kit/program.ts'
import {
  type HandDesk,
  handOrder,
  type Reply,
  type Said,
  type SealedCall,
  sealedReply,
  usually,
} from '../kit/service.ts'
import { memoryStore } from '../kit/store.ts'

const scheme = 'oaep-sha256'
const identity = '0f8fad5b-d9cb-469f-a165-70867728950e'
const profile = 'hand'
const timeout = 10_000

export interface MemoryDesk extends Pick<HandDesk, 'run' | 'skip' | 'set' | 'count'> {
  readonly calls: readonly SealedCall[]
  /** `payout create` of GEL 12.50 under the id `handOrder`. */
  pay(more?: Flags): Promise<Ended>
  /** From now on nothing can be sent: the service cannot be reached. */
  stop(): void
  /** Happens before a line writes to the journal, by the number of the line, counted from 1: what it has read there is older. */
  beforeWrite: (line: number) => Promise<unknown>
}

/** The answer to a request; undefined for the documented one, of payouts alone. */
export type Answering = (call: SealedCall) => Said | undefined | Promise<Said | undefined>

interface Line {
  readonly args: readonly string[]
  readonly flags: Readonly<Record<string, string | true>>
  readonly journal: Journal
  desk(part: Part): Desk
}

export async function memoryDesk(answering: Answering): Promise<MemoryDesk> {
  const { keys, ...answer } = await serviceOf(answering)
  const clock = hurriedClock()
  const store = await memoryStore<JournalTables>(journalSchema)
  const running = new Set<string>()
  let lines = 0

  const run = async (...argv: readonly string[]): Promise<Ended> => {
    lines += 1
    const number = lines
    const self = `line ${number}`
    running.add(self)
    const standing = (holder: string) => (running.has(holder) ? 'alive' : 'gone')
    const write: typeof store.write = async (work) => {
      await memory.beforeWrite(number)
      return store.write(work)
    }
    const own = Object.create(store, { write: { value: write } }) as typeof store
    const journal = new Journal(own, clock, impatient, { self, standing })
    const desks = new Map<Part, Desk>()
    const desk = (part: Part) => {
      const known = desks.get(part) ?? deskOf(part, journal, keys, answer.transport, clock)
      desks.set(part, known)
      return known
    }
    const [name, work] = Object.entries(commands).find(([each]) => `${argv.join(' ')} `.startsWith(`${each} `)) ?? []
    if (!name || !work) throw new Error(`no desk in memory knows ${argv.join(' ')}`)
    try {
      const { args, flags } = parsed(argv.slice(name.split(' ').length))
      return ended(0, writeJson(await work({ args, flags, journal, desk })), '')
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      const { document } = error.facts
      return ended(error.exit, document === undefined ? '' : writeJson(document), writeJson(error.toLine()))
    } finally {
      running.delete(self)
    }
  }
  const memory: MemoryDesk = {
    ...{ run, skip: clock.skip, set: clock.set, calls: answer.calls, stop: answer.stop },
    pay: (more = {}) => run(...create({ profile: null, 'unique-id': handOrder, ...more })),
    count: (operation) => answer.calls.filter(({ name }) => name === operation).length,
    beforeWrite: async () => undefined,
  }
  return memory
}

function ended(code: number, stdout: string, stderr: string): Ended {
  return {
    ...{ code, stdout, stderr, log: stderr },
    get json() {
      return JSON.parse(stdout) as Record<string, unknown>
    },
    get error() {
      return (JSON.parse(stderr) as { error: Record<string, unknown> }).error
    },
  }
}

/** Flags without a value. */
const switches = ['--yes', '--wait', '--all', '--no-local-check', '--pay-with-pre-auth', '--save-card']

function parsed(words: readonly string[]): Pick<Line, 'args' | 'flags'> {
  const [args, flags]: [string[], Record<string, string | true>] = [[], {}]
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('--')) args.push(word)
    else if (switches.includes(word)) flags[word.slice(2)] = true
    else {
      flags[word.slice(2)] = words[at + 1] ?? ''
      at += 1
    }
  }
  return { args, flags }
}

type Keys = Awaited<ReturnType<typeof keysOf>>

async function keysOf() {
  const [service, own] = await Promise.all([keyPair(2048, 0), keyPair(2048, 1)])
  const opened = ({ publicKey, privateKey }: typeof own, name: string) => ({
    toIt: readPublicKey(Buffer.from(publicKey), name),
    its: readPrivateKey(Buffer.from(privateKey), name),
  })
  return { service: opened(service, 'the service'), own: opened(own, 'the integrator') }
}

async function serviceOf(answering: Answering) {
  const keys = await keysOf()
  const calls: SealedCall[] = []
  let isStopped = false
  const transport: Transport = async (_base, http, { objection }) => {
    const why = isStopped ? 'nothing listens there' : (objection?.() ?? null)
    if (why !== null) return { kind: 'unsent', why }
    const operation = operations.find(({ method, path }) => method === http.method && path === http.path)
    const isSealed = operation?.wire === 'sealed' || operation?.wire === 'wallet'
    const members = isSealed ? receivedMembers(operation, http) : null
    const opened = members && isSealed ? await openRequest(operation, members, { key: keys.service.its, scheme }) : null
    const request = opened ? (opened.ok ? opened.request : {}) : plainRequest(http)
    const name = operation?.name ?? http.path
    const call = { name, request, count: calls.filter((each) => each.name === name).length + 1 }
    calls.push(call)
    const said = await answering(call)
    if (said && isSealed) return transmitted(sealedReply(said, keys.own.toIt, scheme))
    return transmitted(said ? plainReply(said) : usually(seenOf(http)))
  }
  const stop = () => {
    isStopped = true
  }
  return { keys, calls, transport, stop }
}

function plainRequest({ body, query }: HttpRequest): Members {
  return body === null ? Object.fromEntries(query) : (readJson(body) as Members)
}

function plainReply(said: Said): Reply {
  if ('plain' in said) return said.plain
  if ('raw' in said) throw new Error('a desk in memory has no connection for raw bytes')
  if ('value' in said) return { status: said.status ?? 200, body: writeJson(said.value) }
  const { code, group } = said
  return { status: 400, body: writeJson({ message: `code ${code}`, statusCode: code, exceptionGroup: group }) }
}

function seenOf({ method, path, query, body }: HttpRequest) {
  return {
    method,
    path,
    query: `?${new URLSearchParams(Object.fromEntries(query))}`,
    headers: {},
    body: body ?? '',
    from: undefined,
  }
}

function transmitted(reply: Reply): Transmission {
  if (reply === 'reset' || reply === 'hang') return { kind: 'unanswered', why: 'the connection ended' }
  if ('raw' in reply) throw new Error('a desk in memory has no connection for raw bytes')
  const { status = 200, headers = {}, body } = reply
  return { kind: 'answered', answer: { status, headers, body }, milliseconds: 1 }
}

function deskOf(part: Part, journal: Journal, keys: Keys, transport: Transport, clock: Desk['clock']): Desk {
  const seal = { identifier: identity, scheme, toService: keys.service.toIt, own: [keys.own.its] } as const
  const service = 'https://service.invalid'
  const line: LineToService & Pick<Desk, 'profile'> = {
    profile: {
      ...{ name: profile, part, service, serviceId: service, baseUrl: service, clientId: identity },
      environment: 'test',
      clientSecret: async () => 'secret',
      seal: part === 'payouts' ? null : seal,
      permits: permitsOfProfile(true),
      orderType: null,
      duplicateGuard: 'warn',
      limits: [],
      transport: {},
    },
    ...{ transport, clock, random: impatient, signal: new AbortController().signal, naming: () => null },
    settings: { timeout, connectTimeout: 5_000, answerTimeout: timeout },
    tell: {
      ...{ trace: () => undefined, say: () => undefined, rest: () => () => undefined, hide: () => undefined },
      redact: (value) => value,
    },
  }
  const noTokens = { read: async () => null, write: async () => undefined, forget: async () => undefined }
  return { ...line, journal, tokens: new TokenSource(line, noTokens) }
}

/** The request that a line of flags makes, checked by the contract. Right at any time: a line that is run again keeps its `validUntil`. */
async function requestOf<Op extends WriteOperation>(
  { flags, desk }: Line,
  part: Part,
  operation: Op,
  knows: Members = {},
): Promise<RequestOf<Op>> {
  const { profile, journal, random } = desk(part)
  const { idField } = operation
  const filled = fieldsOf(operation.request).flatMap((field) =>
    field.filled ? [[field.name, field.filled(profile.clientId)]] : [],
  )
  const id = typeof flags.key === 'string' ? await idForKey({ journal, profile }, operation, flags.key) : random.uuid()
  const made = fieldsOf(operation.request).some(({ name, made }) => name === idField && made)
  const typed = tidy(operation, {
    ...Object.fromEntries(filled),
    ...(idField !== null && (made || flags.key !== undefined) ? { [idField]: id } : {}),
    ...givenFields(operation, flags),
    ...knows,
  })
  const checked = validate(operation, typed, { permits: profile.permits, orderType: null, now: 0 })
  if (!checked.ok) throw new Error(`the request is none: ${JSON.stringify(checked.violations)}`)
  return checked.request
}

const textOf = (flag: string | true | undefined) => (typeof flag === 'string' ? flag : null)

const optionsOf = ({ flags }: Line) => ({
  idempotencyKey: textOf(flags.key),
  allowDuplicate: textOf(flags['allow-duplicate']),
})

async function charge(line: Line) {
  const { flags } = line
  const desk = line.desk('orders')
  const file = textOf(flags['card-token-file'])
  const savedWith = textOf(flags['card-from-order'])
  const placeholder = '00000000-0000-4000-8000-000000000000'
  const token = file === null ? (savedWith === null ? null : placeholder) : readFileSync(file, 'utf8').trim()
  const typed = await requestOf(line, 'orders', createOrder, token === null ? {} : { cardToken: token })
  const { idempotencyKey, allowDuplicate } = optionsOf(line)
  const { known, request } = await orderWithCard(desk, { savedWith }, typed, idempotencyKey)
  const wait = flags.wait === true
  return placeOrder(desk, request, { idempotencyKey, allowDuplicate, wait, known }, async () => [])
}

function change<Op extends typeof cancelOrder | typeof refundOrder | typeof completeOrder>(operation: Op) {
  return async (line: Line) => {
    const desk = line.desk('orders')
    const found = await orderOfId(desk, line.args[0] ?? '')
    const { integratorOrderId } = found
    const request = await requestOf(line, 'orders', operation as WriteOperation, { integratorOrderId })
    return submitOrderChange(desk, operation as WriteOperation, request, found, optionsOf(line))
  }
}

async function finalize(line: Line) {
  const desk = line.desk('wallet')
  const request = await requestOf(line, 'wallet', finalizeWalletOrder)
  const checked = line.flags['no-local-check'] !== true
  let order = await finalizing(desk, request.uniqueId)
  if (checked) {
    if (hasLapsed(order)) order = await readFinalizing(desk, order)
    requireFinalizable(order, String(request.amount))
  }
  return finalizeWallet(desk, request, order, { idempotencyKey: textOf(line.flags.key), checked })
}

async function named({ journal, desk }: Line, id: string) {
  const known = await findByName(journal, id)
  const found = await new Desks(async (_, part) => desk(part)).named(id, known, {
    profile,
    isNamed: true,
    settles: false,
  })
  if (!found) throw new Error(`the journal knows no ${id}`)
  return found
}

async function resumed(line: Line) {
  const { args, flags, journal } = line
  const [id] = args
  if (id === undefined) {
    const open = (await journal.list({ states: ['unknown'] })).toReversed()
    const desks = new Desks(async (_, part) => line.desk(part))
    return resumeEach(open, (intent) => desks.of(intent), journal.moment.now)
  }
  const { desk, intent } = await named(line, id)
  const word = textOf(flags.settle)
  return withIntent(desk, intent, async () => {
    if (word !== 'executed' && word !== 'refused') return resume(desk, intent)
    const resolved = await resolveAs(desk, intent, word, textOf(flags.because) ?? '')
    return receipt(desk, { intent: resolved, replayed: false, warnings: [] })
  })
}

async function pay(line: Line) {
  const desk = line.desk('payouts')
  const request = await requestOf(line, 'payouts', createPayout)
  if (line.flags.wait === true) return createAndWait(desk, request, optionsOf(line))
  return receiptOf(await submit(desk, createPayout, request, optionsOf(line)), desk)
}

const firstOf = ({ args }: Line) => args[0] ?? ''

/** What each command does behind its flags and its consent. */
const commands: Readonly<Record<string, (line: Line) => Promise<unknown>>> = {
  'order create': charge,
  'order status': (line) => readOrder(line.desk('orders'), firstOf(line)),
  'order wait': (line) => waitForOrder(line.desk('orders'), firstOf(line)),
  'order diff': (line) => diffOrder(line.desk('orders'), firstOf(line)),
  'order cancel': change(cancelOrder),
  'order refund': change(refundOrder),
  'order complete': change(completeOrder),
  'card get': (line) => readCard(line.desk('orders'), firstOf(line)),
  'subscription revoke': async (line) => {
    const desk = line.desk('orders')
    const request = await requestOf(line, 'orders', revokeSubscription, { subscriptionId: firstOf(line) })
    return doneOf(await submitChange(desk, revokeSubscription, request), desk)
  },
  'wallet create': async (line) =>
    createWallet(line.desk('wallet'), await requestOf(line, 'wallet', createWalletOrder), {
      idempotencyKey: textOf(line.flags.key),
    }),
  'wallet finalize': finalize,
  'wallet cancel': async (line) => {
    const desk = line.desk('wallet')
    const uniqueId = await walletIdOf(desk, firstOf(line))
    return cancelWallet(desk, await requestOf(line, 'wallet', cancelWalletOrder, { uniqueId }))
  },
  'wallet details': (line) => readWallet(line.desk('wallet'), firstOf(line)),
  'payout create': pay,
  'payout get': (line) => readPayout(line.desk('payouts'), firstOf(line)),
  'payout wait': (line) => waitForPayout(line.desk('payouts'), firstOf(line)),
  'payout diff': (line) => diffPayout(line.desk('payouts'), firstOf(line)),
  'payout reconcile': (line) =>
    reconcile(line.desk('payouts'), firstOf(line), textOf(line.flags['transaction-id']) ?? ''),
  resume: resumed,
  'journal show': async (line) => (await named(line, firstOf(line))).intent,
  'journal list': ({ journal, flags }) => {
    const state = textOf(flags.state) as State | null
    return journal.list(state === null ? {} : { states: [state] })
  },
}
