import { describe, expect, test } from 'vitest'
import { failures } from '../../src/lib/failure.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { newHome, paydesk } from '../kit/program/paydesk.ts'

const help = (...argv: string[]) => paydesk(['help', ...argv], { home: newHome() })
/** oclif draws the help of a command on the process's own stdout. */
const builtHelp = (...argv: string[]) => builtPaydesk(['help', ...argv], newHome())

describe('help exit-codes', () => {
  test('--json has every code once, in order, with its name and whether money moved', async () => {
    const ended = await help('exit-codes', '--json')
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    const codes = JSON.parse(ended.stdout) as { code: number; name: string; means: string; moneyMoved: string }[]
    expect(codes.map(({ code }) => code)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 130, 143])
    expect(codes[0]).toMatchObject({ name: 'done', moneyMoved: 'as the command says' })
    expect(codes.slice(1)).toEqual(
      Object.entries(failures).map(([name, { exit, means, moneyMoved }]) => ({ code: exit, name, means, moneyMoved })),
    )
  })

  test('as a table says the same', async () => {
    const ended = await help('exit-codes')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toMatch(/^code +name +meaning +money moved$/m)
    expect(ended.stdout).toMatch(/^0 +done +definite success +as the command says$/m)
    for (const [name, { exit }] of Object.entries(failures)) {
      expect(ended.stdout).toMatch(new RegExp(`^${exit} +${name} `, 'm'))
    }
  })

  test('obeys --query, and --output csv', async () => {
    const pending = await help('exit-codes', '--json', '--query', "[?name=='unknown'].code | [0]")
    expect(pending.stdout).toBe('9\n')
    const csv = await help('exit-codes', '--output', 'csv')
    expect(csv.stdout.split('\n')[0]).toBe('code,name,means,moneyMoved')
  })
})

describe('help of a command or a topic', () => {
  test.each([
    [
      ['payout', 'create'],
      ['Send funds to a beneficiary', '--to-iban', '--allow-duplicate', 'GLOBAL FLAGS'],
    ],
    [
      ['sandbox', 'fault', 'add'],
      ['Let an operation fail', 'payout.create', '--nth'],
    ],
    [['resume'], ['Resolve payments whose outcome is unknown', '--because']],
  ])('%j explains the command', async (words, said) => {
    const ended = await builtHelp(...words)
    expect(ended, ended.stderr).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain(`  paydesk ${words.join(' ')}`)
    for (const each of said) expect(ended.stdout).toContain(each)
  })

  test.each([
    ['payout create'],
    ['order complete'],
    ['user register'],
    ['wallet create'],
    ['wallet finalize'],
    ['resume'],
  ])('%s draws the flags of a group below each other', async (words) => {
    const { stdout } = await builtHelp(...words.split(' '))
    const groups = stdout.split(/^[A-Z ]*FLAGS$/m).slice(1)
    for (const group of groups) {
      const [flags = ''] = group.split(/^[A-Z]/m)
      const columns = [...flags.matchAll(/^( {2,6}(?:-\w, )?)--/gm)].map(([, before = '']) => before.length)
      expect([...new Set(columns)], flags).toHaveLength(1)
    }
  })

  test.each(['history', 'revoke'])('subscription %s says where the subscriptionId comes from', async (verb) => {
    const { stdout } = await builtHelp('subscription', verb)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('The subscriptionId comes with the callback of the subscription')
  })

  test('a topic lists its commands', async () => {
    const ended = await builtHelp('payout')
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    for (const command of ['balance', 'create', 'get', 'reconcile', 'wait']) {
      expect(ended.stdout).toContain(`payout ${command} `)
    }
  })

  test('nothing is the whole program', async () => {
    const ended = await builtHelp()
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    for (const word of ['payout', 'journal', 'profile', 'sandbox', 'resume', 'help']) {
      expect(ended.stdout).toMatch(new RegExp(`^ +${word} `, 'm'))
    }
  })

  test.each([[['nonsense']], [['payout', 'nonsense']], [['exit-codes', 'more']]])(
    '%j, which there is not, is 2 and names where to look',
    async (words) => {
      const ended = await help(...words, '--json')
      expect(ended).toMatchObject({ code: 2, stdout: '' })
      expect(ended.error).toMatchObject({ name: 'usage', moneyMoved: 'no' })
      expect(ended.error.message).toContain(`"${words.join(' ')}"`)
      expect(String(ended.error.hints)).toContain('paydesk help exit-codes')
    },
  )

  test('a flag that there is not is 2', async () => {
    expect(await help('exit-codes', '--nonsense')).toMatchObject({ code: 2, stdout: '' })
  })

  test('with --json describes a command as one document', async () => {
    const { stdout } = await builtHelp('payout', 'create', '--json')
    const described = JSON.parse(stdout) as { command: string; flags: { name: string }[] }
    expect(described.command).toBe('payout create')
    expect(described.flags.map(({ name }) => name)).toContain('to-iban')
  })

  test('with --json lists the commands of a topic', async () => {
    const { stdout } = await builtHelp('sandbox', 'fault', '--json')
    const commands = (JSON.parse(stdout) as { command: string }[]).map(({ command }) => command)
    expect(commands).toEqual(['sandbox fault add', 'sandbox fault clear', 'sandbox fault list'])
  })
})

test('a topic that is mistyped is known again, and a word that is near nothing is not', async () => {
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
  expect((await paydesk(['help', 'quux'], { home: newHome() })).stderr).not.toContain('Did you mean')
})
