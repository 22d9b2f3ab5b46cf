import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { promisify } from 'node:util'
import { expect, onTestFinished } from 'vitest'
import { cleanEnv, isMissingProgram, program, start } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'

export const shapes = ['documented', 'recorded'] as const

export type ShapeName = (typeof shapes)[number]

/** One line of a client. */
interface Step {
  readonly step: string
  readonly http: number
  readonly code: number | null
  readonly answer: Readonly<Record<string, unknown>>
}

/** The folder of the clients. */
export const clients = import.meta.dirname

/** The sandbox as its command starts it, in a process of its own. */
async function started(shape: ShapeName): Promise<string> {
  const home = newHome()
  // Makes the keys of this world, in this process, which takes them from the pool.
  await paydesk(['sandbox', 'world', '--json'], { home })
  const { child, end } = start(['sandbox', 'start', '--port', '0', '--json', '--shape', shape], home)
  onTestFinished(async () => {
    child.kill('SIGTERM')
    await end
  })
  if (!child.stdout) throw new Error('the sandbox has no stdout')
  const failed = end.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`)))
  await Promise.race([once(child.stdout, 'data'), failed])
  // From here on its end is no failure.
  failed.catch(() => undefined)
  return home
}

/** Runs a client as an integrator would, from the lines of `sandbox world --env`. Gives back its steps, and the ledger. */
export async function runClient(shape: ShapeName, ...command: readonly string[]) {
  const home = await started(shape)
  const { stdout: facts } = await paydesk(['sandbox', 'world', '--env', 'sandbox'], { home })
  const shell = ['-c', 'eval "$1" && shift && exec "$@"', 'sh', facts, ...command]
  const PAYER = `'${execPath}' '${program}' sandbox trigger`
  const options = { env: cleanEnv(home, { PAYER }), timeout: 160_000 }
  const { stdout } = await promisify(execFile)('sh', shell, options).catch(({ stdout, stderr }) => {
    throw new Error(`the client ended early: ${stderr}\n${stdout}`)
  })
  const steps = stdout
    .trim()
    .split('\n')
    .map((line: string): Step => JSON.parse(line))
  const { json: ledger } = await paydesk(['sandbox', 'ledger', '--json'], { home })
  return { steps, ledger }
}

const has = (fields: Readonly<Record<string, unknown>>) => expect.objectContaining(fields)
const done = (step: string, fields: Readonly<Record<string, unknown>> = {}) => ({
  ...{ step, http: 200, code: null },
  answer: has(fields),
})
const refused = (step: string, statusCode: number) => ({
  ...{ step, http: 400, code: statusCode },
  answer: has({ statusCode, message: expect.any(String) }),
})

/** The steps of area A, by the answer to the payout. */
function payoutSteps(shape: ShapeName, payout: Step['answer']) {
  const ids = { transactionId: payout.transactionId, uniqueId: payout.uniqueId }
  const details = { ...ids, amount: 12.5, currency: 'GEL', toIban: 'GE29NB0000000101904917', commissionAmount: 0.07 }
  return [
    refused('sign in with a wrong secret', 5021),
    done('sign in', { token_type: 'Bearer', expires_in: 1800 }),
    done('balance', { amount: 1_000_000, currency: 'GEL' }),
    done('balance without a currency', { amount: 1_000_000, currency: 'GEL' }),
    done('payout', { transactionId: expect.any(Number), status: 'INITIAL' }),
    refused('the same payout again', 5017),
    refused('payout to an IBAN that is none', 5023),
    done('payout details', { ...details, paymentDescription: 'ხელფასი, ნოემბერი' }),
    {
      ...{ step: 'payout details without a token', http: 401, code: shape === 'documented' ? 5021 : null },
      answer: has({ message: expect.any(String) }),
    },
    done('payout at its end', { ...details, status: 'SUCCESS' }),
    done('balance afterwards', { amount: 999_987.43, currency: 'GEL' }),
  ]
}

const checkout = { urlForQR: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/checkout\//) }
const charged = expect.objectContaining(checkout)

/** The steps of areas B and D; `extra` follow the status. */
function orderSteps(shape: ShapeName, extra: readonly string[]) {
  return [
    done('order', checkout),
    refused('the same order again', 6023),
    refused('order of nothing', 6068),
    ...['order status', ...extra].map((step) => done(step, { status: 'INITIAL' })),
    done('cancel', { status: 'CANCELED' }),
    refused('cancel again', 6006),
    refused('status of an unknown order', 6005),
    done('order that saves a card', checkout),
    refused('card before the payment', 6075),
    done('order that saved a card', { status: 'SUCCESS' }),
    done('card', { provider: 'TBC', cardMask: '411111******1111', expirationDate: '12/49', cardBrand: 'VISA' }),
    { ...done('charge of the card'), answer: shape === 'documented' ? charged : expect.not.objectContaining(checkout) },
    done('charge at its end', { status: 'SUCCESS' }),
    refused('refund of too much', 6007),
    done('refund of a part', { status: 'REFUND_REQUESTED' }),
    done('part refunded', { status: 'PARTIALLY_REFUNDED' }),
    done('refund of the rest', { status: 'REFUND_REQUESTED' }),
    done('all refunded', { status: 'REFUNDED_BY_INTEGRATOR' }),
    done('order with pre-authorisation', checkout),
    done('authorised', { status: 'WAITING_FOR_CONFIRM' }),
    done('completion'),
    done('completed', { status: 'SUCCESS' }),
  ]
}

const walletSteps = [
  done('wallet order', { status: 'REGISTERED', amount: 25, receiverName: 'ნინო ბერიძე' }),
  done('wallet details', { status: 'REGISTERED', amount: 25 }),
  done('finalize with a wrong amount', { status: 'WRONG_AMOUNT' }),
  done('finalize', { status: 'SUCCESS' }),
  done('finalize again', { status: 'ALREADY_FINALISED' }),
  done('wallet details at the end', { status: 'SUCCESS', amount: 25 }),
  done('wallet order without an amount', { status: 'REGISTERED', minAmountAllowed: 0.1, maxAmountAllowed: 5000 }),
  done('wallet cancel', { status: 'CANCELED' }),
  done('finalize after the cancel', { status: 'ORDER_NOT_FOUND' }),
]

/** Judges a run by its lines and by the ledger: nothing was executed twice, and nothing that the client did not ask for. */
export function expectWhole(
  shape: ShapeName,
  { steps, ledger }: Awaited<ReturnType<typeof runClient>>,
  extra: readonly string[] = [],
): void {
  const answer = (step: string) => steps.find((each) => each.step === step)?.answer ?? {}
  const order = (step: string, fields: Readonly<Record<string, unknown>>) =>
    has({ integratorOrderId: answer(step).integratorOrderId, ...fields })
  const wallet = (step: string, fields: Readonly<Record<string, unknown>>) =>
    has({ uniqueId: answer(step).uniqueId, ...fields })
  const { transactionId, uniqueId } = answer('payout')
  expect(steps).toEqual([...payoutSteps(shape, answer('payout')), ...orderSteps(shape, extra), ...walletSteps])
  expect(ledger.payouts).toEqual([
    has({ uniqueId, transactionId: String(transactionId), amount: 12.5, status: 'SUCCESS', executions: 1 }),
  ])
  expect(ledger.orders).toEqual([
    order('order', { status: 'CANCELED', charges: 0 }),
    order('order that saves a card', { status: 'REFUNDED_BY_INTEGRATOR', charges: 1, refunds: 2, refunded: 20 }),
    order('charge of the card', { status: 'SUCCESS', charges: 1, amount: 5.55 }),
    order('order with pre-authorisation', { status: 'SUCCESS', charges: 1, acquiringAmount: 40 }),
  ])
  expect(ledger.walletOrders).toEqual([
    wallet('wallet order', { status: 'SUCCESS', executions: 1, amount: 25 }),
    wallet('wallet order without an amount', { status: 'FAILED', executions: 0 }),
  ])
}

// The clients of test/clients/ that go through all areas: each is started as its own language starts it.

interface Client {
  /** True, loudly, where this machine has no such language. */
  readonly isMissing: boolean
  /** Fails unless the client finds everything as the specification says. */
  check(shape: ShapeName): Promise<void>
}

const java = env.JAVA ?? 'java'
// Java runs a source since 11, and a runtime alone has no compiler.
const compiler = ['--source', '11', '--describe-module', 'jdk.compiler']
/** Reads the letters of the source as UTF-8 everywhere, and keeps one short run small. */
const javaFlags = ['-Dfile.encoding=UTF-8', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData']

export const javaClient: Client = {
  isMissing: isMissingProgram(java, compiler, 'the client in Java did not check the sandbox'),
  async check(shape) {
    const ran = await runClient(shape, java, ...javaFlags, join(clients, 'Client.java'))
    expectWhole(shape, ran, ['order status, sealed as Java does by itself'])
  },
}

/** It reads numbers as numbers. */
export const javascriptClient: Client = {
  isMissing: false,
  async check(shape) {
    expectWhole(shape, await runClient(shape, execPath, join(clients, 'client.mjs')))
  },
}

const php = env.PHP ?? 'php'
const withOpenssl = ['-r', 'exit(PHP_VERSION_ID >= 80000 && extension_loaded("openssl") ? 0 : 1);']

export const phpClient: Client = {
  isMissing: isMissingProgram(php, withOpenssl, 'the client in PHP did not check the sandbox'),
  async check(shape) {
    // A remark of PHP is no line of the client.
    expectWhole(shape, await runClient(shape, php, '-d', 'display_errors=stderr', join(clients, 'client.php')))
  },
}
