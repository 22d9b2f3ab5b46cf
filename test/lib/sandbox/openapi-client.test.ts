import { execFile } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { realClock } from '../../../src/lib/edge.ts'
import { writeJson } from '../../../src/lib/json.ts'
import { openApiDocument } from '../../../src/lib/sandbox/openapi.ts'
import { shapes } from '../../clients/clients.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { memorySandbox, served } from '../../kit/sandbox/stand.ts'

const root = join(import.meta.dirname, '../../..')
const folder = temporaryDirectory('generated')
const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
const run = (program: string, ...argv: readonly string[]) => promisify(execFile)(program, argv, { cwd: folder })

/** As somebody writes it who has the generated client, and nothing of paydesk. */
const payment = `
import { authToken, defaults, payoutBalance, payoutCreate, payoutGet } from './client.ts'

const [baseUrl = '', client_id = '', client_secret = '', uniqueId = ''] = process.argv.slice(2)
defaults.baseUrl = baseUrl

const signedIn = await authToken({ client_id, client_secret, grant_type: 'client_credentials' })
if (signedIn.status !== 200) throw new Error('no token: ' + signedIn.status)
const opts = { headers: { authorization: 'Bearer ' + signedIn.data.value.access_token } }

const wish = { amount: 12.5, currency: 'GEL', description: 'Salary, November', toIban: 'GE29NB0000000101904917', uniqueId } as const
const stranger = await payoutCreate(wish)
const made = await payoutCreate(wish, opts)
if (made.status !== 200) throw new Error('not paid: ' + made.status)
const { transactionId } = 'value' in made.data ? made.data.value : made.data
const again = await payoutCreate(wish, opts)
const details = await payoutGet(transactionId, opts)
const balance = await payoutBalance({ currency: 'GEL' }, opts)
if (details.status !== 200 || balance.status !== 200) throw new Error('nothing to read')
const { value } = details.data
const status: 'INITIAL' | 'PENDING' | 'SUCCESS' | 'REJECTED' | 'FAILED' | 'DELETED' | 'INITIAL_INSUFFICIENT_BALANCE' = value.status
console.log(JSON.stringify({
  stranger: stranger.status,
  again: again.status === 400 ? again.data.statusCode : null,
  paid: { status, amount: value.amount, toIban: value.toIban, uniqueId: value.uniqueId, transactionId: value.transactionId },
  balance: balance.data.value,
}))
`

const compiler = {
  ...{ module: 'nodenext', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true, types: ['node'] },
  allowImportingTsExtensions: true,
}

async function compiles(program: string): Promise<string> {
  writeFileSync(join(folder, 'pay.ts'), program)
  return run(bin('tsc'), '-p', folder).then(
    () => '',
    ({ stdout }) => String(stdout),
  )
}

beforeAll(async () => {
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: compiler, files: ['pay.ts'] }))
  writeFileSync(join(folder, 'openapi.json'), writeJson(openApiDocument()))
  await run(bin('oazapfts'), 'openapi.json', 'client.ts')
})

describe('a client that a generator made from the document', { timeout: 60_000 }, () => {
  test.each(shapes)('makes a payout over a socket and reads it back, with answers as %s', async (shape) => {
    expect(await compiles(payment)).toBe('')
    const sandbox = await memorySandbox(realClock)
    const { url } = await served(sandbox, { shape })
    const [client] = (await sandbox.world()).distributorClients
    const id = '3f0b6f0e-1a2c-4f0e-9a53-5d1f3f1f7a77'
    const argv = [url, String(client?.clientId), String(client?.clientSecret), id]
    const { stdout } = await run(execPath, '--import', 'tsx', 'pay.ts', ...argv)
    const [payout] = (await sandbox.ledger()).payouts
    expect(payout).toMatchObject({ uniqueId: id, executions: 1 })
    expect(JSON.parse(stdout)).toEqual({
      stranger: 401,
      again: 5017,
      paid: {
        ...{ status: 'INITIAL', amount: 12.5, toIban: 'GE29NB0000000101904917', uniqueId: id },
        transactionId: Number(payout?.transactionId),
      },
      balance: { amount: 999_987.43, currency: 'GEL' },
    })
  })

  test.each([
    ['a required member that is missing', payment.replace(', uniqueId }', ' }'), 'uniqueId'],
    ['a word that is not in the list', payment.replace("currency: 'GEL', d", "currency: 'GBP', d"), 'GBP'],
    ['a status that there is not', payment.replace("'PENDING' | ", ''), 'PENDING'],
  ])('does not compile with %s', async (_what, program, named) => {
    expect(await compiles(program)).toContain(named)
  })
})
