/** Reads as curl commands: run by a shell, with the real program and a real sandbox, they get what the command itself reads. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { beneficiaryIban } from '../../../kit/payment.ts'
import { cleanEnv, node, program } from '../../../kit/process.ts'
import { newHome, paydesk, succeeds } from '../../../kit/program.ts'
import { inSandbox, standingSandbox } from '../../../kit/world.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const home = newHome()
const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
const hasCurl = spawnSync('curl', ['--version']).status === 0
if (!hasCurl) process.stderr.write('SKIPPED: there is no curl, so no line is run\n')

let ids: Readonly<Record<'payout' | 'order' | 'wallet', string>>

const run = async (line: string) => {
  const ended = await paydesk([...line.split(' '), '-p', 'sandbox', '--json'], { home })
  expect(ended.code, `${line}\n${ended.stderr}`).toBe(0)
  return ended.json
}

beforeAll(async () => {
  await standingSandbox(home, () => undefined)
  const pay = `payout create --amount 5 --currency GEL --description Salary --to-iban ${beneficiaryIban} --beneficiary-name Nino`
  const payout = await run(`${pay} --yes`)
  const order = await run(`order create --amount 30 --receiver-id ${shop} --save-card --direct-link-provider BOG --yes`)
  await inSandbox(home, (sandbox) => sandbox.trigger({ what: 'paid', order: String(order.integratorOrderId) }))
  const { qrAddresses } = JSON.parse((await paydesk(['sandbox', 'world', '--json'], { home })).stdout)
  const wallet = await run(`wallet create --uri ${qrAddresses[0].uri} --yes`)
  ids = {
    payout: String(payout.transactionId),
    order: String(order.integratorOrderId),
    wallet: String(wallet.uniqueId),
  }
})

const reads: readonly (readonly [string, string])[] = [
  ['payout balance --currency GEL', '"currency":"GEL"'],
  ['payout get {payout}', '"toIban"'],
  ['order status {order}', '"encryptedData"'],
  ['card get {order}', '"encryptedData"'],
  ['wallet details {wallet}', '"encryptedData"'],
  [`subscription history ${shop}`, '"statusCode"'],
]

const filled = (line: string) => [
  ...line.replace(/\{(\w+)\}/g, (_, name: keyof typeof ids) => ids[name]).split(' '),
  '-p',
  'sandbox',
  '--curl',
]

describe.each(reads)('%s --curl', (line, answer) => {
  test('holds no secret, asks nothing, and warns of what it leaves out', async () => {
    const ended = await succeeds(paydesk(filled(line), { home }))
    expect(ended.stdout).toContain('curl ')
    expect(ended.stdout).not.toMatch(/Bearer|encryptedKeys/)
    expect(ended.stderr).toContain('the journal does not record')
    const { json } = await paydesk([...filled(line), '--json'], { home })
    expect(json).toMatchObject({ dryRun: true, profile: 'sandbox', curl: ended.stdout.trimEnd() })
  })

  test.runIf(hasCurl)('is answered where a shell runs it', async () => {
    const { stdout } = await paydesk(filled(line), { home })
    const script = `paydesk() { "${node}" "${program}" "$@"; }\n${stdout.replace('curl ', 'curl -s -m 20 ')}`
    // Not the blocking form: the sandbox answers in this process.
    const ran = await promisify(execFile)('bash', ['-c', script], { env: cleanEnv(home), timeout: 30_000 })
    expect(ran.stdout).toContain(answer)
  })
})

test('balances of all currencies are several requests: one has to be named', async () => {
  const ended = await paydesk(['payout', 'balance', '-p', 'sandbox', '--curl'], { home })
  expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--currency') })
})

test('nothing is signed in for it: the home has no token, and no journal is made of it', async () => {
  const alone = newHome()
  await paydesk(['payout', 'balance', '-p', 'sandbox', '--currency', 'GEL', '--curl'], { home: alone })
  expect(existsSync(join(alone, 'tokens'))).toBe(false)
})
