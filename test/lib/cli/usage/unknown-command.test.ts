/** Words that name no command, asked of the list of all commands that the built program has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { distance } from 'fastest-levenshtein'
import { expect, test } from 'vitest'
import { unknownCommand } from '../../../../src/lib/cli/usage/unknown-command.ts'
import { builtPaydesk } from '../../../kit/process.ts'
import { newHome } from '../../../kit/program.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const ids: readonly string[] = JSON.parse(readFileSync(join(root, 'dist', 'listing.json'), 'utf8')).commands

function told(line: string) {
  const { message, hints } = unknownCommand(line.split(' '), ids).toLine().error
  return { message, hint: hints.join(' ') }
}

test.each([
  ['payout crate', 'payout create'],
  ['Payout Create --amount 5', 'payout create'],
  ['payout crate 5 --json', 'payout create'],
  ['payout:crate --json', 'payout create'],
  ['create payout --amount 5', 'payout create'],
  ['payout status 4711', 'payout get'],
  ['payout send --amount 5', 'payout create'],
  ['order show o-1', 'order status'],
  ['wallet status w-1', 'wallet details'],
  ['sandbox clok advance 5m', 'sandbox clock advance'],
  ['resum --all', 'resume'],
  ['help payot create', 'payout create'],
  ['payout crate --client-secret hush', 'payout create'],
  ['approval aprove a-1', 'approval approve'],
  ['refund o-1 --amount 5', 'order refund'],
  ['listen --port 0', 'callback listen'],
  ['trigger order', 'sandbox trigger'],
  ['balance -p acme', 'payout balance'],
  ['login', 'profile add'],
  ['whoami', 'profile show'],
])('%s is meant as %s', (line, meant) => {
  expect(told(line).hint).toBe(`Did you mean \`paydesk ${meant}\`?`)
})

test('a word that several commands end with is answered with all of them, and the complaint names what was typed', () => {
  const { message, hint } = told('create --amount 5')
  expect(message).toBe('unknown command "create"')
  expect(hint).toBe('The commands are order create, payout create, wallet create.')
  expect(told('refund o-1').message).toBe('unknown command "refund"')
})

test('where no command is near, the commands of the topic are shown, or all', () => {
  expect(told('payout nonsense 5')).toEqual({
    message: 'unknown command "payout nonsense"',
    hint: '`paydesk payout --help` lists the commands.',
  })
  expect(told('nonsense 5')).toEqual({
    message: 'unknown command "nonsense"',
    hint: '`paydesk --help` shows all commands.',
  })
})

test('flags before the last word of a command are told, and name no command', () => {
  expect(told('payout --key k1 create')).toEqual({
    message: '"payout" is not a command: put all words of a command before its flags',
    hint: '`paydesk payout --help` lists the commands.',
  })
})

test.each([
  ['payout crate --key k1', 'unknown'],
  ['payuot --key k1 create', 'unknown'],
  ['frobnicate --unique-id 1', 'unknown'],
  ['order cancl 5', 'unknown'],
  ['payout crate --amount 1', 'no'],
  ['sandbox wrold', 'no'],
])('what a line that names no command says of money: %s, %s', (line, moneyMoved) => {
  expect(unknownCommand(line.split(' '), ids).toLine().error.moneyMoved).toBe(moneyMoved)
})

test.each(['approval disapprove a-1', 'approval unapprove a-1', 'profile unuse x', 'journal unverify'])(
  '%s is never meant as its opposite',
  (line) => {
    expect(told(line).hint).toMatch(/^`paydesk \w+ --help`/)
  },
)

test('any letter of a command may be left out, doubled or changed with its neighbour', () => {
  const long = ids.filter((id) => id.split(':').every((word) => word.length >= 5))
  fc.assert(
    fc.property(fc.constantFrom(...long), fc.nat(), fc.constantFrom('out', 'twice', 'turned'), (id, nth, how) => {
      const words = id.replaceAll(':', ' ')
      const at = 1 + (nth % (words.length - 2))
      const [before, one = '', other = ''] = [words.slice(0, at), words[at], words[at + 1]]
      if (one === ' ' || other === ' ' || one === other) return
      const ways = { out: other, twice: one + one + other, turned: other + one }
      const typed = before + ways[how] + words.slice(at + 2)
      if (ids.includes(typed.replaceAll(' ', ':'))) return
      const [, meant = ''] = /^Did you mean `paydesk (.*)`\?$/.exec(told(typed).hint) ?? []
      // "listn" may be "list" as well as "listen".
      expect(distance(typed, meant), `${typed}: ${meant}`).toBeLessThanOrEqual(distance(typed, words))
      expect(ids).toContain(meant.replaceAll(' ', ':'))
    }),
  )
})

test('the built program ends with 2 and sends nothing', async () => {
  const ended = await builtPaydesk(['payot', 'create', '--json'], newHome())
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(JSON.parse(ended.stderr).error.hints).toEqual(['Did you mean `paydesk payout create`?'])
})

test.each([
  ['-h', 'EXAMPLES'],
  ['payout -h', 'COMMANDS'],
  ['payout create -h', 'EXAMPLES'],
])('%s is help', async (line, part) => {
  const ended = await builtPaydesk(line.split(' '), newHome())
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(ended.stdout).toContain(part)
})
