import { expect, test } from 'vitest'
import { readScenario } from '../../../../src/lib/sandbox/scenarios/read.ts'

const read = (text: string) => readScenario('s.yaml', text)

async function complaint(text: string): Promise<string> {
  try {
    await read(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  throw new Error('it is a scenario')
}

const head = 'scenario: s\nsteps:\n'

test('a scenario is read: command lines in words, times as they are written, every step with its line', async () => {
  const { scenario, steps } = await read(`scenario: All of it
variables: { amount: 12.50 }
steps:
  - run: paydesk payout create --amount \${amount} --description "A  B"
    save: { id: uniqueId }
  - run: [payout, get, '\${id}']
    expect: { exit: 6, error: { name: not-found } }
  - fault: { op: 'order.*', at: after, kind: 429, perMille: 50, seed: 7 }
  - fault: { op: payout.get, at: after, kind: slow, delay: 3s }
  - clock: { advance: 5m }
  - clock: { set: '2099-12-31 23:59:59' }
  - trigger: { what: paid, order: '\${id}', tip: 1.5 }
  - clearFaults: true
  - reset: true
  - wait: 50ms
  - expect: { ledger: { 'length(payouts)': 1, payouts: { equals: [] } } }
`)
  expect(scenario).toBe('All of it')
  expect(steps.map(({ line }) => line)).toEqual([4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16])
  expect(steps[0]?.run).toEqual(['payout', 'create', '--amount', `\${amount}`, '--description', 'A  B'])
  expect(steps[2]?.fault).toMatchObject({ kind: '429', perMille: 50 })
  expect(steps[3]?.fault).toMatchObject({ delay: '3s' })
  expect(steps[4]?.clock).toEqual({ advance: '5m' })
  expect(steps[6]?.trigger).toEqual({ what: 'paid', order: `\${id}`, tip: '1.5' })
  expect(steps[9]?.wait).toBe('50ms')
})

test('every violation is told in one answer, each with its line', async () => {
  const said = await complaint(`scenario: ''
steps:
  - run: 'payout create "x'
  - fault: { op: payout.delete, at: after, kind: reset }
  - fault: { op: payout.get, at: before, kind: duplicate }
  - clock: { advance: soon }
  - wait: 1s
    reset: true
  - expect: { json: { a: 1 } }
  - run: payout balance
    expect: { ledger: { '[[': 1 }, exit: 300 }
  - runs: payout balance
`)
  for (const line of [1, 3, 4, 5, 6, 7, 9, 11, 12]) expect(said).toContain(`line ${line}: `)
  for (const words of [
    'quote',
    'duplicate',
    'must be a time',
    'not several: reset, wait',
    'JMESPath',
    'runs is not known',
  ]) {
    expect(said).toContain(words)
  }
  expect(said.indexOf('line 3')).toBeLessThan(said.indexOf('line 12'))
})

test.each([
  ['no YAML', 'scenario: [', 'line 1: '],
  ['a key twice', 'scenario: a\nscenario: b\nsteps: []', 'line 2: '],
  [
    'an alias bomb',
    `a: &a [x, x, x, x, x]\nb: &b [*a, *a, *a, *a, *a]\nc: &c [*b, *b, *b, *b, *b]\nsteps: [*c, *c, *c]`,
    'line 4: Excessive alias count',
  ],
  ['an alias of nothing', 'scenario: s\nsteps: *nowhere\nvariables: {}', 'line 2: Unresolved alias'],
  ['a list', '- a', 'line 1: '],
  ['nothing', '', 'line 1: '],
  ['no steps', 'scenario: s\nsteps: []', 'line 2: steps must have at least one step'],
  ['a step that does nothing', `${head}  - name: x`, 'line 3: steps 1 must have one of run'],
  ['a variable that has no value', `${head}  - run: payout get \${id}`, `line 3: steps 1 \${id} has no value yet`],
  ['one that gets it too late', `${head}  - run: a \${id}\n    save: { id: x }`, `\${id} has no value yet`],
  ['a wait that is too long', `${head}  - wait: 30d`, 'line 3: steps 1 wait must be an hour at most'],
  ['a time that has no value', `${head}  - wait: \${nope}`, `line 3: steps 1 \${nope} has no value yet`],
  ['a clock without one', `${head}  - clock: { advance: '\${nope}' }`, `line 3: steps 1 \${nope} has no value yet`],
  [
    'a fault without one',
    `${head}  - fault: { op: '*', at: after, kind: slow, delay: '\${nope}' }`,
    `line 3: steps 1 \${nope} has no value yet`,
  ],
  ['a delay beyond an hour', `${head}  - fault: { op: '*', at: after, kind: slow, delay: 2h }`, 'line 3: '],
  ['a name that is none', `${head}  - run: a\n    save: { 1d: x }`, 'must be a name'],
  ['an exit code without a command', `${head}  - expect: { exit: 0 }`, 'belongs to `run`'],
  ['something kept of nothing', `${head}  - wait: 1s\n    save: { a: b }`, 'belongs to `run` or `trigger`'],
  ['a sandbox inside', `${head}  - run: sandbox reset --yes`, 'reset: true'],
  ['a pattern that is none', `${head}  - run: a\n    expect: { json: { b: { matches: '(' } } }`, 'regular expression'],
  [
    'a matcher with more',
    `${head}  - run: a\n    expect: { json: { b: { matches: x, c: 1 } } }`,
    'c is not known here',
  ],
  ['a count and a chance', `${head}  - fault: { op: '*', at: after, kind: reset, nth: 2, perMille: 5 }`, 'by chance'],
])('%s is no scenario', async (_what, text, words) => {
  expect(await complaint(text)).toContain(words)
})

test('a key that is mistyped is told with the one that was meant', async () => {
  expect(await complaint('scenario: s\nstpes: []\n')).toContain('stpes is not known here; did you mean steps?')
  expect(await complaint(`${head}  - run: payout list\n    expct: { exit: 0 }\n`)).toContain('did you mean expect?')
  expect(await complaint(`${head}  - run: payout list\n    zebra: 1\n`)).not.toContain('did you mean')
})
