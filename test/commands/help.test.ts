import { expect, test } from 'vitest'
import { failures } from '../../src/lib/failure.ts'
import { builtPaydesk } from '../kit/process.ts'
import { newHome, paydesk } from '../kit/program.ts'

const help = (...argv: string[]) => paydesk(['help', ...argv], { home: newHome() })

test('help exit-codes --json: every exit code stands once, in order, with name, meaning and whether money moved', async () => {
  const ended = await help('exit-codes', '--json')
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
  const codes = JSON.parse(ended.stdout) as { code: number; name: string; means: string; moneyMoved: string }[]
  expect(codes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 130, 143])
  expect(codes[0]).toMatchObject({ name: 'done', moneyMoved: 'as the command says' })
  expect(codes.slice(1)).toEqual(
    Object.entries(failures).map(([name, { exit, means, moneyMoved }]) => ({ code: exit, name, means, moneyMoved })),
  )
})

test('help exit-codes: the table has every exit code with its name', async () => {
  const ended = await help('exit-codes')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toMatch(/^code +name +meaning +money moved$/m)
  expect(ended.stdout).toMatch(/^0 +done +definite success +as the command says$/m)
  for (const [name, { exit }] of Object.entries(failures)) {
    expect(ended.stdout).toMatch(new RegExp(`^${exit} +${name} `, 'm'))
  }
})

test('help exit-codes: --query and --output csv are obeyed', async () => {
  const pending = await help('exit-codes', '--json', '--query', "[?name=='unknown'].code | [0]")
  expect(pending.stdout).toBe('9\n')
  const csv = await help('exit-codes', '--output', 'csv')
  expect(csv.stdout.split('\n')[0]).toBe('code,name,means,moneyMoved')
})

test.each([
  [
    ['payout', 'create'],
    ['Pay a beneficiary', '--to-iban', '--allow-duplicate', 'GLOBAL FLAGS'],
  ],
  [
    ['sandbox', 'fault', 'add'],
    ['Make an operation fail', 'payout.create', '--nth'],
  ],
  [['resume'], ['Resolve payments whose outcome is unknown', '--because']],
])('help %j: usage, summary and flags of the command are shown', async (words, said) => {
  const ended = await help(...words)
  expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain(`  paydesk ${words.join(' ')}`)
  for (const each of said) expect(ended.stdout).toContain(each)
})

test.each(['history', 'revoke'])('help subscription %s: says where the subscriptionId comes from', async (verb) => {
  const { stdout } = await help('subscription', verb)
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain("The subscriptionId comes with the subscription's callback")
})

test('help payout: the topic lists its commands', async () => {
  const ended = await help('payout')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  for (const command of ['balance', 'create', 'get', 'reconcile', 'wait']) {
    expect(ended.stdout).toContain(`payout ${command} `)
  }
})

test('help, built program: without words every topic is listed', async () => {
  const ended = await builtPaydesk(['help'], newHome())
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  for (const word of ['payout', 'journal', 'profile', 'sandbox', 'resume', 'help']) {
    expect(ended.stdout).toMatch(new RegExp(`^ +${word} `, 'm'))
  }
})

test.each([[['nonsense']], [['payout', 'nonsense']], [['exit-codes', 'more']]])(
  'help %j: an unknown topic is refused (2), and the hint names help exit-codes',
  async (words) => {
    const ended = await help(...words, '--json')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
    expect(ended.error.message).toContain(`"${words.join(' ')}"`)
    expect(String(ended.error.hints)).toContain('paydesk help exit-codes')
  },
)

test('help payout create --json: the command is one JSON document with its flags', async () => {
  const { stdout } = await help('payout', 'create', '--json')
  const described = JSON.parse(stdout) as { command: string; flags: { name: string }[] }
  expect(described.command).toBe('payout create')
  expect(described.flags.map(({ name }) => name)).toContain('to-iban')
})

test('help: a mistyped topic is refused (2) with a suggestion, and a word that resembles no topic without one', async () => {
  for (const [typed, meant] of [
    ['flgs', 'help flags'],
    ['payot', 'help payout'],
    ['payout creat', 'help payout create'],
    ['exit-code', 'help exit-codes'],
  ] as const) {
    const { code, stderr } = await paydesk(['help', ...typed.split(' ')], { home: newHome() })
    expect(code).toBe(2)
    expect(stderr).toContain(`Did you mean \`paydesk ${meant}\`?`)
  }
  const cancel = await paydesk(['help', 'cancel', '--json'], { home: newHome() })
  expect(cancel.error.hints).toContainEqual(
    'The commands are `paydesk help order cancel`, `paydesk help wallet cancel`.',
  )
  expect((await paydesk(['help', 'quux'], { home: newHome() })).stderr).not.toContain('Did you mean')
})
