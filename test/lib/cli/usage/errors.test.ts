/** Wrong command lines: one sentence in our words, and the word that was meant. The real commands are asked. */
import { describe, expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program.ts'

const home = newHome()
const shows = 'See `--help`.'

async function told(line: string) {
  const ended = await paydesk([...line.split(' '), '--json'], { home })
  expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: '', error: { name: 'usage', moneyMoved: 'no' } })
  const { message, hints } = ended.error
  return { message, hints: [hints].flat().filter((each) => each !== shows) }
}

test.each([
  ['payout create --amout 5 --currency GEL', '--amount'],
  ['payout create --toIban GE1 --amount=5', '--to-iban'],
  ['payout create --to_iban GE1', '--to-iban'],
  ['payout create --no-inptu', '--no-input'],
  ['payout create --amout 5 --curency GEL', '--amount --currency'],
  ['payout create --amout 5 --nonsense', '--amount'],
  ['journal list --state unknwn', 'unknown'],
  ['payout list --jq rows', '--query'],
  ['payout list -o csv', '--output'],
  ['payout list -v', '--trace'],
  ['completion fsh', 'fish'],
  ['payout list --output jsn', 'json'],
])('the word that was meant is told: %s', async (line, meant) => {
  expect((await told(line)).hints).toEqual([`Did you mean ${meant}?`])
})

test.each(['payout create --nonsense 5', 'journal list --state x'])(
  'nothing is guessed where nothing is near: %s',
  async (line) => {
    expect((await told(line)).hints).toEqual([])
  },
)

test.each([
  ['payout create --amout 5 --nonsense', '`payout create` has no flags --amout and --nonsense'],
  ['payout create --nonsense=hush', '`payout create` has no flag --nonsense'],
  ['payout create --amount', '--amount needs a value, such as 12.50'],
  ['payout list --status', '--status needs a value: <status>'],
  ['payout get a b', 'too many arguments: `payout get` takes only <id>'],
  ['payout balance a', 'too many arguments: `payout balance` takes only flags'],
  ['batch plan', '`batch plan` needs <file>: CSV, NDJSON, XLSX or pain.001'],
  ['payout list --limit x', '--limit takes a whole number, not "x"'],
  ['journal list --limit 0', '--limit takes a whole number greater than or equal to 1, not 0'],
  ['order create --card-token-file - --card-from-order x', 'give --card-from-order or --card-token-file, not both'],
  ['resume k --because x', '--because needs --settle, too'],
  ['payout create --timeout 5q', '--timeout takes a time like 500ms, 30s or 2m, not "5q"'],
])('%s: %s', async (line, message) => {
  expect((await told(line)).message).toBe(message)
})

test('a flag that takes all words behind it is named where a word is missing', async () => {
  const { message, hints } = await told('callback show --private-key a b')
  expect(message).toMatch(/^`callback show` needs <id>/)
  expect(hints).toEqual(['--private-key takes all words after it: put other arguments before it.'])
})

test('a value behind a flag that sounds like a secret is not told again', async () => {
  for (const line of [
    ...['order create --card-tokn-file hush', 'payout create --client-secrt=hush', 'payout get --pin hush'],
    ...['profile add x --store-secret hush', 'profile add x --client-secrt hush'],
    ...['order create --card-tokn hush', 'payout create --acess-token=hush --amout 5'],
    ...['order refund --secrt=hush', 'order refund --api-key hush'],
    ...['profile use x 4111111111111111hush-hush-hush-hush-hush'],
  ]) {
    const ended = await paydesk(line.split(' '), { home })
    expect(ended.code).toBe(2)
    expect(ended.stderr).not.toContain('hush')
  }
})

describe('a "no" is never taken for a "yes", nor the other way', () => {
  test.each([
    ...['payout create --no-wait', 'order create --no-open', 'payout create --no-dry-run'],
    ...['wallet finalize --local-check', 'journal list --state sent', 'payout create --input'],
  ])('%s', async (line) => {
    expect((await told(line)).hints).toEqual([])
  })

  test.each(['payout create --yes=false', 'payout create --dry-run=true --amout 5'])(
    '%s: a switch takes no value',
    async (line) => {
      const { message, hints } = await told(line)
      expect(message).toMatch(/^--[\w-]+ takes no value: give it alone, or omit it$/)
      expect(hints).toEqual([])
    },
  )
})
