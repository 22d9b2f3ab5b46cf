import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '@oclif/core'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { fileFlag, isBeside, trespass } from '../../../../src/lib/sandbox/scenarios/confine.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

const root = realpathSync(temporaryDirectory('confine'))
const beside = join(root, 'scenarios')

beforeAll(() => {
  mkdirSync(join(beside, 'below'), { recursive: true })
  writeFileSync(join(root, 'secret'), 's')
  writeFileSync(join(beside, 'order.yaml'), 'amount: 1')
  symlinkSync('order.yaml', join(beside, 'inner'))
  symlinkSync('../secret', join(beside, 'link'))
  symlinkSync('..', join(beside, 'up'))
  symlinkSync(join(root, 'not-there'), join(beside, 'dangling'))
})

test.each([
  ...['order.yaml', './order.yaml', 'new.key', 'below/new.key', 'below', 'inner', '-', 'not/there/yet', 'order..yaml'],
])('%s is beside the scenario', (path) => {
  expect(isBeside(path, beside)).toBe(true)
})

test.each([
  ...['/etc/passwd', '../secret', 'below/../../secret', './../secret', '..', 'link', 'up/secret', 'up', 'dangling'],
  ...['~/x', '~', 'below/../order.yaml', '..\\secret', 'order.yaml/x', 'a\0b'],
])('%s is not', (path) => {
  expect(isBeside(path, beside)).toBe(false)
})

test('no path that is beside leads out of the directory', () => {
  const part = fc.constantFrom('..', '.', 'below', 'link', 'up', 'inner', 'dangling', 'order.yaml', 'x', '', '~')
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
      const path = parts.join('/')
      if (!isBeside(path, beside)) return
      const full = join(beside, path)
      const real = (() => {
        try {
          return realpathSync(full)
        } catch {
          return full
        }
      })()
      expect(`${real}/`.startsWith(`${beside}/`), path).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  'payout create --file order.yaml --amount 1',
  'payout create --file=order.yaml -p sandbox-receiver',
  'order refund x --amount 5 --key ../../k --yes',
  'key generate --private-key own.key',
  'key show own.key own.key.pub',
  'envelope open --private-key inner --file order.yaml',
  'sandbox clock advance 1h',
  'sandbox fault add --op * --at after --kind reset',
  'callback list',
  'payout create --description /etc/passwd',
])('%s stays inside', (line) => {
  expect(trespass(line.split(' '), beside)).toBeNull()
})

test.each([
  ['profile add acme --base-url https://x.example', 'cannot run "profile add"'],
  ['profile list', 'cannot run "profile list"'],
  ['profile:add acme', 'cannot run "profile:add acme"'],
  ['--json profile add acme', 'cannot run'],
  ['callback listen --forward-to https://x.example', 'cannot run "callback listen"'],
  ['callback replay cb-1 --to https://x.example', 'cannot run "callback replay"'],
  ['sandbox:reset --yes', 'cannot run'],
  ['sandbox run x.yaml', 'cannot run'],
  ['payouts create', 'cannot run'],
  ['payout create --file /etc/passwd', 'cannot touch "/etc/passwd"'],
  ['payout create --file=../secret', 'cannot touch "../secret"'],
  ['payout create --yes --file link', 'cannot touch "link"'],
  ['order create --card-token-file up/secret', 'cannot touch'],
  ['envelope seal --public-key order.yaml ../secret', 'cannot touch "../secret"'],
  ['envelope open --private-key a --private-key=/b', 'cannot touch "/b"'],
  ['callback verify --secret-file a /b', 'cannot touch "/b"'],
  ['key import order.yaml --to ../service.pub', 'cannot touch'],
  ['key import ../secret --to service.pub', 'cannot touch'],
  ['key generate --private-key dangling', 'cannot touch "dangling"'],
  ['key show /own.key', 'cannot touch'],
  ['payout create --file --file /etc/passwd', 'cannot touch "/etc/passwd"'],
  ['order create --open', 'cannot open a browser'],
  ['payout balance -p acme', 'cannot be the profile "acme"'],
  ['payout balance -pacme', 'cannot be the profile "acme"'],
  ['payout balance --profile=acme', 'cannot be the profile "acme"'],
  ['payout balance --profile acme', 'cannot be the profile "acme"'],
])('%s is refused', (line, why) => {
  expect(trespass(line.split(' '), beside)).toContain(why)
})

test('every flag of a command that a scenario may run is known to name a file, or to name none', async () => {
  const { commands } = await Config.load({ root: join(import.meta.dirname, '..', '..', '..', '..') })
  const inside = commands.filter(({ id }) => trespass(id.split(':'), beside) === null)
  expect(inside.length).toBeGreaterThan(30)
  const flags = inside.flatMap((command) =>
    Object.values(command.flags).map((flag) => ({ ...flag, helpValue: 'helpValue' in flag ? flag.helpValue : '' })),
  )
  // Lines that name a file, and take a time and the text of a header.
  const others = ['at', 'header']
  const naming = flags
    .filter(({ type, name }) => type === 'option' && !others.includes(name))
    .filter((flag) => /<file>|<f\|->|\bfile\b|private key|public key/.test(`${flag.helpValue} ${flag.description}`))
  const names = [...new Set(naming.map(({ name }) => name))]
  expect(names.length).toBeGreaterThan(4)
  expect(names.filter((name) => !fileFlag.test(`--${name}`))).toEqual([])
  expect(naming.filter(({ char }) => char !== undefined)).toEqual([])
  const urls = flags.filter(({ helpValue }) => String(helpValue).includes('url')).map(({ name }) => name)
  expect(urls).toEqual([])
})
