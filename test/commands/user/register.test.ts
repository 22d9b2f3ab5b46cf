import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import { answers, paydesk, succeeds } from '../../kit/program.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { addFault, done, ledger, onSandbox, order, place, shop } from '../../kit/world.ts'

const register = (file: string, ...more: readonly string[]) => [
  ...['user', 'register', '--file', file, '--yes', ...onSandbox],
  ...more,
]

test('user register: the userId is printed, and is a USER receiver from then on', async () => {
  const around = { ...place(), stdin: '{"name":"Nino Beridze","personalNumber":"01001000001"}' }
  const { json } = await done(register('-'), around)
  expect(json).toMatchObject({ operation: 'user.register', outcome: 'accepted', amount: null, currency: null })
  expect(json.userId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/))
  const split = ['--split', `BRANCH:${shop}=10`, '--split', `USER:${json.userId}=2.50`]
  expect((await paydesk(order({}, ...split), around)).code).toBe(0)
  expect((await ledger(around)).users).toHaveLength(1)
})

test('user register --dry-run: kinds, nulls and every digit of JSON are kept', async () => {
  const around = place()
  const text = '{"n":9007199254740993,"d":12.500,"e":1e3,"b":true,"z":null,"t":"5","deep":{"list":[1.0,null,"x"]}}'
  const { stdout } = await done(register('-', '--dry-run'), { ...around, stdin: text })
  expect(stdout).toContain(`"payload":${text}`)
})

test('user register --key: the same payload is replayed, and another one is refused (7)', async () => {
  const around = place()
  const argv = register('-', '--key', 'nino')
  const first = await done(argv, { ...around, stdin: '{"name":"Nino"}' })
  expect((await done(argv, { ...around, stdin: '{"name":"Nino"}' })).json).toEqual({ ...first.json, replayed: true })
  expect((await paydesk(argv, { ...around, stdin: '{"name":"Tamar"}' })).code).toBe(7)
  expect((await ledger(around)).users).toHaveLength(1)
})

test('user register: a lost answer is unknown (9), and never sent again', async () => {
  const around = { ...place(), stdin: '{"name":"Nino"}' }
  await addFault(around.home, { op: 'user.register', at: 'after', kind: 'reset' })
  const lost = await paydesk([...register('-', '--key', 'nino'), '--json'], around)
  expect(lost.code).toBe(9)
  expect((await paydesk(register('-', '--key', 'nino'), around)).code).toBe(9)
  expect((await ledger(around)).users).toHaveLength(1)
})

describe('user register at a terminal', () => {
  /** An editor that leaves these texts, one after the other. */
  function editorThatLeaves(...texts: readonly string[]): () => string {
    const directory = temporaryDirectory('editor')
    const [program, before] = [join(directory, 'editor'), join(directory, 'before')]
    for (const [at, text] of texts.entries()) writeFileSync(join(directory, `text-${at}`), text)
    const script = `#!/bin/sh
cat "$1" >>'${before}'
n=$(cat '${directory}/n' 2>/dev/null || echo 0)
cat '${directory}/text-'$n >"$1"
echo $((n + 1)) >'${directory}/n'
`
    writeFileSync(program, script, { mode: 0o700 })
    const { VISUAL: earlier } = env
    env.VISUAL = program
    onTestFinished(() => {
      if (earlier === undefined) delete env.VISUAL
      else env.VISUAL = earlier
    })
    return () => readFileSync(before, 'utf8')
  }

  const argv = ['user', 'register', '--json', ...onSandbox]

  test('user register at a terminal: the payload is written in an editor, shown, and sent as written', async () => {
    const around = place()
    const before = editorThatLeaves('name: ნინო ბერიძე\npersonalNumber: "01001000001"\nage: 38\n')
    const dialogue = answers([/Who is the user\?/, '\r'], [/age: 38[\s\S]*Send it\?/, 'yes\r'])
    await succeeds(paydesk(argv, { ...around, terminal: true, dialogue }))
    expect(before()).toMatch(/^# The user to register/)
    const [user] = (await ledger(around)).users
    expect(JSON.stringify(user)).toContain('ნინო ბერიძე')
  })

  test('user register at a terminal: a text that cannot be read is asked for again; an empty one is 3', async () => {
    const around = place()
    editorThatLeaves('name: [1', '# nothing\n')
    const dialogue = answers([/Who is the user\?/, '\r'], [/neither JSON nor YAML/, '\r'])
    const ended = await paydesk(argv, { ...around, terminal: true, dialogue })
    expect(ended.code, ended.stderr).toBe(3)
    expect((await ledger(around)).users).toHaveLength(0)
  })
})

test('user register: no file, and a file without an object, are refused (2)', async () => {
  const around = place()
  expect((await paydesk(['user', 'register', '--yes', ...onSandbox], around)).code).toBe(2)
  expect((await paydesk(register('-'), { ...around, stdin: '[1]' })).code).toBe(2)
})
