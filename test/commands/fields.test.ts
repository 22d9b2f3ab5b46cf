/** With --fields every output form has exactly these fields, in their order: for lists and for single things. */
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { create } from '../kit/payment.ts'
import { newHome, paydesk, succeeds } from '../kit/program.ts'

const home = newHome()
const ids: Record<string, string> = {}

/** Lists and reads, each with two of its fields, not in their own order. */
const commands: readonly (readonly [string, string, string])[] = [
  ['payout list', 'state', 'transactionId'],
  ['order list', 'state', 'uniqueId'],
  ['wallet list', 'state', 'uniqueId'],
  ['journal list', 'state', 'journalId'],
  ['payout get {payout}', 'status', 'transactionId'],
  ['payout receipt {payout}', 'currency', 'amount'],
  ['payout balance', 'amount', 'currency'],
  ['payee list', 'account', 'name'],
  ['profile list', 'environment', 'name'],
  ['profile show sandbox', 'environment', 'name'],
  ['journal show {journal}', 'state', 'journalId'],
  ['journal verify', 'head', 'rows'],
  ['commands', 'summary', 'command'],
  ['explain 5038', 'moneyMoved', 'word'],
  ['help exit-codes', 'name', 'code'],
  ['doctor', 'version', 'healthy'],
  ['callback list', 'kind', 'callbackId'],
  ['batch list', 'rows', 'planId'],
  ['approval list', 'state', 'approvalId'],
  ['sandbox requests', 'http', 'id'],
  ['sandbox fault list', 'kind', 'op'],
  ['sandbox clock show', 'service', 'utc'],
]

beforeAll(async () => {
  const { json } = await paydesk([...create({ 'beneficiary-name': 'ნინო ბერიძე' }), '--json'], { home })
  Object.assign(ids, { payout: json.transactionId, journal: json.journalId })
  const more = [
    'payee add -p sandbox --beneficiary-name Nino --to-iban GE29NB0000000101904917',
    'sandbox fault add --op payout.create --at before --kind reset --nth 1000',
    'order create -p sandbox --amount 3 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --yes',
  ]
  for (const line of more) {
    await succeeds(paydesk(line.split(' '), { home }))
  }
})

const cellsOf = (line: string) => line.split(/\s{2,}/)

/** The words of a command, with ids in their places and a profile where it needs one. */
function argvOf(line: string): readonly string[] {
  const words = line.split(' ').map((word) => word.replace(/\{(\w+)\}/, (_, name) => ids[name] ?? ''))
  return /^(?:payout|order|wallet|payee)/.test(line) ? [...words, '-p', 'sandbox'] : words
}

test('--raw: a text that --query finds has no quotes, those of a list stand on a line each, all else is JSON', async () => {
  const raw = (query: string, ...more: readonly string[]) =>
    paydesk(['payout', 'get', String(ids.payout), '-p', 'sandbox', '--query', query, ...more], { home })
  expect((await raw('transactionId', '--raw')).stdout).toBe(`${ids.payout}\n`)
  expect((await raw('transactionId', '-r', '--json')).stdout).toBe(`${ids.payout}\n`)
  expect((await raw('[transactionId, currency, amount]', '-r')).stdout).toBe(`${ids.payout}\nGEL\n12.5\n`)
  expect((await raw('{currency: currency}', '-r', '--json')).stdout).toBe('{"currency":"GEL"}\n')
  expect((await raw('none', '-r')).stdout).toBe('null\n')
  expect((await raw('currency')).stdout).toBe('"GEL"\n')
  const alone = await paydesk(['payout', 'list', '-p', 'sandbox', '--raw', '--json'], { home })
  expect(alone).toMatchObject({ code: 2, error: { message: '--raw needs --query, too' } })
})

test.each(commands)('%s --fields %s,%s: every form has exactly these, in this order', async (line, first, second) => {
  const run = async (...flags: readonly string[]) => {
    const words = [...argvOf(line), '--fields', `${first},${second}`, ...flags]
    const ended = await succeeds(paydesk(words, { home, terminal: flags.length === 0, columns: 200 }))
    return ended.stdout.trimEnd()
  }
  const value = JSON.parse(await run('--json')) as object | readonly object[]
  const rows = [value].flat()
  for (const row of rows) expect(Object.keys(row)).toEqual([first, second])
  // Sheets of lists begin with the mark by which spreadsheets know UTF-8.
  const [head, ...records] = (await run('--output', 'csv')).replace(/^\ufeff/, '').split('\n')
  expect(head).toBe(`${first},${second}`)
  expect(records.length).toBeGreaterThanOrEqual(rows.length)
  const lines = (await run('--output', 'ndjson')).split('\n').filter(Boolean)
  expect(lines.map((each) => Object.keys(JSON.parse(each)))).toEqual(rows.map(() => [first, second]))
  const shown = stripVTControlCharacters(await run()).split('\n')
  if (!Array.isArray(value)) expect(shown.map((each) => cellsOf(each)[0]?.trim())).toEqual([first, second])
  else if (rows.length > 0) {
    expect(cellsOf(shown[0] ?? '').map((name) => name.replace(/ \(.*/, ''))).toEqual([first, second])
    expect(shown.length).toBeGreaterThan(rows.length)
  }
})

test.each(commands)('%s --fields nonsense: refused (2), unless the list is empty', async (line) => {
  const ended = await paydesk([...argvOf(line), '--fields', 'nonsense'], { home })
  const isEmpty = ended.code === 0 && ended.stdout.trim() === ''
  expect(isEmpty || ended.code === 2, ended.stdout).toBe(true)
})
