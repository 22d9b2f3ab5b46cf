/** `payout create` at a terminal: what it asks for, and what counts as consent. */
import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { answers, atTerminal, newHome, paydesk, type Step, succeeds } from '../../kit/program.ts'
import { addHandProfile, certificate, serviceByHand } from '../../kit/service.ts'
import { ledgerOf } from '../../kit/world.ts'

const asking = create({ yes: null })
const enter = '\r'
const controlC = '\x03'

test('payout create at a terminal: the confirmation shows amount, payee, description and environment; yes sends it', async () => {
  const home = newHome()
  const ended = await succeeds(atTerminal(asking, { home }, [/Send it\?/, `yes${enter}`]))
  for (const words of [
    'GEL 12.50',
    'Nino Beridze',
    'GE29 NB00 0000 0101 9049 17',
    'Salary, November',
    'no real money',
  ]) {
    expect(ended.log).toContain(words)
  }
  expect(ended.stdout).toContain('Payout accepted')
  expect(ended.stdout).not.toContain('Send it?')
  expect(await ledgerOf(home)).toMatchObject([{ executions: 1 }])
})

test('payout create at a terminal: a flag with a wrong value is refused (2) before the first question', async () => {
  const line = ['payout', 'create', '-p', 'sandbox', '--amount', '1e3', '--to-iban', 'GE29NB0000000101904918']
  const ended = await atTerminal(line, { home: newHome() })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--amount must be a plain decimal number')
  expect(ended.stderr).toContain('--to-iban has wrong check digits')
  expect(ended.stderr).not.toMatch(/Who is paid|--currency/)
})

test('payout create at a terminal: Enter, x and sure are no consent, and the question is asked again', async () => {
  const home = newHome()
  const ended = await atTerminal(
    asking,
    { home },
    [/Send it\?/, enter],
    [/Type send, edit or cancel/, `x${enter}`],
    [/Type send, edit or cancel/, `\x7fsure${enter}`],
    [/Type send, edit or cancel/, '\x7f\x7f\x7f\x7fno\r'],
  )
  expect(ended.code).toBe(3)
  expect(ended.stderr, 'every question was asked').toMatch(/you cancelled; nothing was sent$/m)
  expect(ended.stderr).toContain('Type send, edit or cancel.')
  expect(await ledgerOf(home)).toEqual([])
})

test('payout create at a terminal: ^C is 130 with one line that nothing was sent, and the journal stays empty', async () => {
  const home = newHome()
  const ended = await atTerminal(asking, { home }, [/Send it\?/, controlC])
  expect(ended).toMatchObject({ code: 130, stdout: '' })
  expect(ended.stderr.trim().split('\n').at(-1)).toContain('before anything was sent')
  expect(ended.stderr).not.toMatch(/\n\s+at /)
  expect(await ledgerOf(home)).toEqual([])
  const journal = await paydesk(['journal', 'list', '--json'], { home })
  expect(journal.json).toEqual([])
})

test('payout create: with --no-input or PAYDESK_NO_INPUT nothing is asked (2), and nothing is sent', async () => {
  const home = newHome()
  expect(await paydesk([...asking, '--no-input'], { home, terminal: true })).toMatchObject({ code: 2 })
  expect(await paydesk(asking, { home, terminal: true, env: { PAYDESK_NO_INPUT: '1' } })).toMatchObject({ code: 2 })
  expect(await ledgerOf(home)).toEqual([])
})

const bare = create({ yes: null, 'to-iban': null, 'beneficiary-name': null })
const known = ['--beneficiary-name', 'ნინო ბერიძე', '--to-iban', 'GE29NB0000000101904917']
const branch = ['--receiver-type', 'BRANCH', '--receiver-id', '5a9db0c0-0301-4a11-8c11-000000000301']

async function withPayees() {
  const home = newHome()
  for (const [name, ...account] of [known.slice(1), ['Kiosk', ...branch]]) {
    const added = await paydesk(['payee', 'add', '-p', 'sandbox', '--beneficiary-name', String(name), ...account], {
      home,
    })
    expect(added.code, added.stderr).toBe(0)
  }
  return home
}

const dryRun = [...bare, '--dry-run', '--query', 'body']

test('payout create at a terminal: a chosen payee brings name and account', async () => {
  const home = await withPayees()
  const ended = await succeeds(atTerminal(dryRun, { home }, [/Who is paid\?[\s\S]*Kiosk/, '\x1b[B\x1b[B\r']))
  expect(ended.log).toContain('ნინო ბერიძე, GE29 NB00 0000 0101 9049 17')
  expect(JSON.parse(JSON.parse(ended.stdout))).toMatchObject({
    ...{ beneficiaryName: 'ნინო ბერიძე', toIban: 'GE29NB0000000101904917' },
  })
})

test('payout create at a terminal: a chosen receiver brings its type and id', async () => {
  const home = await withPayees()
  const ended = await atTerminal(dryRun, { home }, [/Who is paid\?/, 'kio'], [/kio\b[\s\S]*❯ Kiosk/, enter])
  expect(JSON.parse(JSON.parse(ended.stdout))).toMatchObject({
    ...{ beneficiaryName: 'Kiosk', receiverType: 'BRANCH', receiverId: branch[3] },
  })
})

test('payout create at a terminal: letters that nobody has leave only somebody else, and Enter pays nobody of the list', async () => {
  const home = await withPayees()
  const ended = await atTerminal(
    dryRun,
    { home },
    [/Who is paid\?/, 'GE60 NB00'],
    [/NB00\n\S*❯ somebody else(?![\s\S]*Kiosk)/, enter],
    [/the full legal name/, '\x03'],
  )
  expect(ended.code).toBe(130)
})

test('payout create at a terminal: somebody else is asked for by name and IBAN, and flags replace the list', async () => {
  const home = await withPayees()
  const dialogue = answers(
    [/Who is paid\?[\s\S]*❯ somebody else[\s\S]*Kiosk/, enter],
    [/the full legal name/, `GE60NB0000000123456789${enter}`],
    [/This is an account\. Type the name/, `\x15Giorgi${enter}`],
    [/To which IBAN\?/, 'GE60NB0000000123456789\r'],
  )
  const ended = await paydesk(dryRun, { home, terminal: true, dialogue })
  expect(JSON.parse(JSON.parse(ended.stdout))).toMatchObject({ beneficiaryName: 'Giorgi' })
  const named = await succeeds(paydesk([...dryRun, ...known], { home, terminal: true }))
  expect(named.stderr).not.toContain('somebody else')
})

const down = '\x1b[B'

test('payout create at a terminal: balance, look-alike and payee stand above the question, and not in the receipt', async () => {
  const home = newHome()
  const before = await paydesk([...create({}), '--json'], { home })
  const ended = await atTerminal(
    [...create({ yes: null, 'beneficiary-name': null }), '--json'],
    { home },
    [/the full legal name/, enter],
    [/Send it\?/, `send${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.log).toMatch(/from a balance of GEL \d+\.?\d*/)
  expect(ended.log).toContain(`less than 24 hours ago: ${before.json.journalId}`)
  expect(ended.log).toContain('no beneficiary name')
  expect(ended.log).toContain('not in the list of payees, but paid before')
  expect(ended.json.warnings).toEqual([])
})

test('payout create at a terminal: edit changes one field, and the new request is shown before it is sent', async () => {
  const home = newHome()
  const ended = await atTerminal(
    [...asking, '--json'],
    { home },
    [/Send it\?/, `edit${enter}`],
    [/What is to be edited\?/, enter],
    [/How much is to be paid\?/, `0${enter}`],
    [/must be/, `\x7f13.70${enter}`],
    [/Pay GEL 13\.70[\s\S]*Send it\?/, `edit${enter}`],
    [/What is to be edited\?/, `${down}${down}${enter}`],
    [/What is it for\?/, `Mended${enter}`],
    [/for Mended[\s\S]*Send it\?/, `send${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ amount: 13.7, currency: 'GEL', payee: 'GE29NB0000000101904917' })
  expect(await ledgerOf(home)).toMatchObject([{ amount: { text: '13.70' }, executions: 1 }])
})

test('payout create at a terminal: required fields are asked for in order, and a wrong answer is asked for again', async () => {
  const home = newHome()
  const ended = await atTerminal(
    ['payout', 'create', '-p', 'sandbox', '--json'],
    { home },
    [/somebody else/, enter],
    [/the full legal name/, enter],
    [/To which IBAN\?/, `GE29NB0000000101904917${enter}`],
    [/How much is to be paid\?/, `12,50${enter}`],
    [/must be a plain decimal number/, `\x154.20${enter}`],
    [/In which currency\?/, enter],
    [/What is it for\?/, `Asked for${enter}`],
    [/Send it\?/, `yes${enter}`],
  )
  expect(ended.code, ended.stderr).toBe(0)
  expect(ended.json).toMatchObject({ amount: 4.2, currency: 'GEL', payee: 'GE29NB0000000101904917' })
  expect(await ledgerOf(home)).toHaveLength(1)
})

const live = async () => {
  const home = newHome()
  const service = await serviceByHand(() => undefined, true)
  await addHandProfile(home, service.url, { environment: 'live', 'ca-file': certificate })
  return { home, service, argv: create({ profile: 'hand', yes: null }) }
}

test('payout create on a live profile: the typed amount sends it', async () => {
  const { home, service, argv } = await live()
  await succeeds(atTerminal(argv, { home }, [/Type "GEL 12\.50" to send it/, `gel 12.5${enter}`]))
  expect(service.creates).toHaveLength(1)
})

test.each(['yes', 'GEL 125.0', '12.50'])(
  'payout create on a live profile: %s instead of the amount is asked again, and cancel is 3',
  async (typed) => {
    const { home, service, argv } = await live()
    const ended = await atTerminal(
      argv,
      { home },
      [/Type "GEL 12\.50" to send it, or edit or cancel/, `${typed}${enter}`],
      [/That is not "GEL 12\.50"/, `\x15cancel${enter}`],
    )
    expect(ended.code, ended.stderr).toBe(3)
    expect(service.creates).toEqual([])
  },
)

test('payout create on a live profile: --yes alone is refused (2), and the hint names --confirm', async () => {
  const { home, service, argv } = await live()
  const ended = await paydesk([...argv, '--yes'], { home })
  expect(ended.code).toBe(2)
  expect(ended.stderr).toContain('--confirm "GEL 12.50"')
  expect(service.seen).toEqual([])
})

test('payout create: without a profile the sandbox is used at a terminal, and in a pipe it is refused (4)', async () => {
  const home = newHome()
  const nobody = await paydesk(create({ profile: null }), { home })
  expect(nobody.code).toBe(4)
  expect(nobody.stderr).toContain('-p sandbox')
  expect(await ledgerOf(home)).toEqual([])
  const somebody = await succeeds(paydesk(create({ profile: null }), { home, terminal: true }))
  expect(somebody.stderr).toContain('sandbox: no real money')
  expect(
    await paydesk(create({ profile: null, key: 'env' }), { home, env: { PAYDESK_PROFILE: 'sandbox' } }),
  ).toMatchObject({ code: 0 })
})

/** Runs it with these answers, and shows all that was drawn. */
async function talk(argv: readonly string[], around: { readonly home: string }, ...steps: readonly Step[]) {
  let screen = ''
  const person = answers(...steps)
  const dialogue: typeof person = (drawn, type) => {
    screen = drawn
    person(drawn, type)
  }
  const ended = await paydesk(argv, { ...around, terminal: true, dialogue })
  return { ended, screen }
}

test('payout create at a terminal: identity number, address and birth date stand above the question', async () => {
  const more = {
    'beneficiary-identity-number': '01001000001',
    'beneficiary-address': 'Tbilisi 5',
    'birth-date': '29.02.1988',
  }
  const { ended, screen } = await talk(create({ yes: null, ...more }), { home: newHome() }, [/Send it\?/, `n${enter}`])
  expect(ended.code).toBe(3)
  for (const value of Object.values(more)) expect(screen).toContain(value)
})

test('payout create at a terminal: an edit keeps the old value at Enter, - leaves it out, < changes nothing', async () => {
  const home = newHome()
  const edit: readonly [RegExp, string] = [/Send it\?/, `edit${enter}`]
  const { ended, screen } = await talk(
    [...create({ yes: null, 'beneficiary-address': 'Tbilisi 5' }), '--json'],
    { home },
    edit,
    [/What is to be edited\?[\s\S]*amount: 12\.50/, enter],
    [/How much is to be paid\?\s+\(Enter\s+for\s+12/, enter],
    edit,
    // From the last choice up: the way back.
    [/What is to be edited\?/, `\u001b[A${enter}`],
    edit,
    [/What is to be edited\?/, `${'\u001b[B'.repeat(5)}${enter}`],
    [/Enter\s+for\s+Tbilisi\s+5,\s+-/, `-${enter}`],
    [/Send it\?\s+\(send,\s+edit\s+or\s+cancel\)/, `y${enter}`],
  )
  expect(ended.code, screen).toBe(0)
  expect(ended.json).toMatchObject({ amount: 12.5 })
  expect(screen.slice(screen.lastIndexOf('Pay GEL'))).not.toContain('Tbilisi 5')
})

test('payout create at a terminal: a limit that will hold it is told above the question', async () => {
  const service = await serviceByHand(() => undefined)
  const home = newHome()
  await addHandProfile(home, service.url, { limit: 'GEL 5/payout' })
  const { ended, screen } = await talk(create({ yes: null, profile: 'hand' }), { home }, [
    /Store it\? \(store, edit or cancel\)/,
    `cancel${enter}`,
  ])
  expect(ended.code).toBe(3)
  expect(ended.stderr).toMatch(/you cancelled; nothing was stored$/m)
  expect(screen.replaceAll(/\s+/g, ' ')).toContain('It will not be sent now, but held: over a limit')
})

test('payout create at a terminal: each of several complaints stands under the first, further in', async () => {
  const around = { home: newHome(), terminal: true, columns: 80 }
  const ended = await paydesk([...create({ amount: '1e3', 'to-iban': 'GE29NB0000000101904918' })], around)
  expect(ended.code).toBe(2)
  expect(ended.stderr).toMatch(/ --amount must be [\s\S]*;\n {2}--to-iban has wrong check digits/)
})

test('payout create at a terminal: letters that no currency has choose none; the name says what leaving it out may cost', async () => {
  const argv = create({ yes: null, currency: null, 'beneficiary-name': null })
  const { ended, screen } = await talk(
    argv,
    { home: newHome() },
    [/the full legal name/, enter],
    [/In which currency\?/, 'gbp'],
    [/gbp/, enter],
    [/gbp/, '\u007f\u007f\u007fusd'],
    [/usd/, enter],
    [/Pay USD 12\.50[\s\S]*Send it\?/, `cancel${enter}`],
  )
  expect(ended.code, screen).toBe(3)
  expect(screen.replaceAll(/\s+/g, ' ')).toContain('(without it some banks reject the payout, Enter to skip)')
})
