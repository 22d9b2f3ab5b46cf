/** Wrong command lines: one sentence in our words, and the whole line that was meant. The real commands are asked. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { newHome, paydesk } from '../../../kit/program/paydesk.ts'

const home = newHome()
const shows = 'See `--help`.'

async function told(line: string) {
  const ended = await paydesk([...line.split(' '), '--json'], { home })
  expect(ended, ended.stderr).toMatchObject({ code: 2, stdout: '', error: { name: 'usage', moneyMoved: 'no' } })
  const { message, hints } = ended.error
  return { message, hints: [hints].flat().filter((each) => each !== shows) }
}

describe('the line that was meant is told whole', () => {
  test.each([
    ['payout create --amout 5 --currency GEL', 'payout create --amount 5 --currency GEL --json'],
    ['payout create --toIban GE1 --amount=5', 'payout create --to-iban GE1 --amount 5 --json'],
    ['payout create --to_iban GE1', 'payout create --to-iban GE1 --json'],
    ['payout create --no-inptu', 'payout create --no-input --json'],
    ['payout create --amout=5', 'payout create --amount 5 --json'],
    ['payout create --description=a;b --amout 5', "payout create --description 'a;b' --amount 5 --json"],
    ['payout create --profil x --amount -5', 'payout create --profile x --amount=-5 --json'],
    ['journal list --state unknwn', 'journal list --state unknown --json'],
    ['payout list --jq rows', 'payout list --query rows --json'],
    ['payout list --jq .rows[].id', "payout list --query 'rows[].id' --json"],
    ['payout list -o csv', 'payout list --output csv --json'],
    ['payout list -v', 'payout list --trace --json'],
    ['completion fsh', 'completion fish --json'],
    ['payout list --output jsn', 'payout list --output json --json'],
    ['order create --card-tokn-file=x', 'order create --card-token-file <value> --json'],
    ['payout get', 'payout get --json <id>'],
  ])('%s', async (line, meant) => {
    const { hints } = await told(line)
    expect(hints.at(-1)).toMatch(/^(?:Did you mean|Type) `/)
    expect(hints.at(-1)).toContain(`\`paydesk ${meant}\``)
  })
})

describe('nothing is guessed where nothing is near', () => {
  test.each(['payout create --nonsense 5', 'journal list --state x', 'payout create --amout 5 --nonsense'])(
    '%s',
    async (line) => {
      expect((await told(line)).hints).toEqual([])
    },
  )
})

test.each([
  ['payout create --amout 5 --nonsense', '`payout create` has no flags --amout and --nonsense'],
  ['payout create --nonsense=hush', '`payout create` has no flag --nonsense'],
  ['payout create --amount', '--amount needs a value, such as 12.50'],
  ['payout list --status', '--status needs a value: <status>'],
  ['payout get a b', 'unexpected "b": `payout get` takes only <id>'],
  ['payout balance a', 'unexpected "a": `payout balance` takes only flags'],
  ['batch plan', '`batch plan` needs <file>: CSV, NDJSON, XLSX or pain.001'],
  ['payout list --limit x', '--limit takes a whole number, not "x"'],
  ['journal list --limit 0', '--limit takes a whole number greater than or equal to 1, not 0'],
  ['order create --card-token-file - --card-from-order x', 'give --card-from-order or --card-token-file, not both'],
  ['resume k --because x', '--because needs --settle, too'],
  ['payout create --timeout 5q', '--timeout takes a time like 500ms, 30s or 2m, not "5q"'],
])('%s: %s', async (line, message) => {
  expect((await told(line)).message).toBe(message)
})

test('a word that a flag has taken along stands before it in the mended line', async () => {
  const { message, hints } = await told('callback show --private-key a b')
  expect(message).toMatch(/^`callback show` needs <id>/)
  expect(hints).toEqual([
    '--private-key takes all words after it: put other arguments before it.',
    'Type `paydesk callback show <id> --private-key a --private-key b --json`.',
  ])
})

test('a value behind a flag that sounds like a secret is not told again', async () => {
  for (const line of [
    'order create --card-tokn-file hush',
    'payout create --client-secrt=hush',
    'payout get --pin hush',
    'profile add x --store-secret hush',
    'profile add x --client-secrt hush',
    'order create --card-tokn hush',
    'payout create --acess-token=hush --amout 5',
    'order refund --secrt=hush',
    'order refund --api-key hush',
    'profile use x 4111111111111111hush-hush-hush-hush-hush',
  ]) {
    const ended = await paydesk(line.split(' '), { home })
    expect(ended.code).toBe(2)
    expect(ended.stderr).not.toContain('hush')
  }
})

describe('a "no" is never taken for a "yes", nor the other way', () => {
  test.each([
    'payout create --no-wait',
    'order create --no-open',
    'payout create --no-dry-run',
    'wallet finalize --local-check',
    'payout create --dry-rnu=false',
    'payout create --yess no',
    'journal list --state sent',
    'payout create --input',
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

  test('whatever switch of a payout is mistyped, no other switch and no less of them stand in the line that is told', async () => {
    const switches = ['--yes', '--dry-run', '--wait', '--curl', '--json', '--no-input', '--quiet', '--trace']
    const mistyped = fc.tuple(fc.constantFrom(...switches), fc.nat(), fc.constantFrom('', 'x', 'no-', 'un', 'e'))
    await fc.assert(
      fc.asyncProperty(mistyped, fc.subarray(switches), async ([word, nth, put], others) => {
        const at = 2 + (nth % (word.length - 2))
        const typed = word.slice(0, at) + put + word.slice(at + (put === '' ? 1 : 0))
        if (switches.includes(typed)) return
        const { hints } = await told(
          ['payout', 'create', typed, ...others.filter((each) => each !== '--json')].join(' '),
        )
        const [, meant] = /^Did you mean `paydesk payout create (.*)`\?$/.exec(String(hints[0] ?? '')) ?? []
        if (meant === undefined) return
        expect([...new Set(meant.split(' '))].toSorted(), typed).toEqual(
          [...new Set([word, ...others, '--json'])].toSorted(),
        )
      }),
      { numRuns: 60 },
    )
  })
})
