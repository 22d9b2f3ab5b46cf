/**
 * Every command line of the README is typed, with its placeholders filled in, and ends as the README says. A packed program is
 * typed into bash, line by line; where the clone is tried, lines that are nothing but a command run in this process.
 */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { shellLines, type TypedEnd, typeIn } from '../kit/docs/command-lines.ts'
import { root } from '../kit/docs/page.ts'
import { Stage } from '../kit/docs/stage.ts'
import { cleanEnv, isOtherProgram, node, program } from '../kit/program/built-paydesk.ts'
import { isMissingProgram } from '../kit/program/missing.ts'
import { freePort } from '../kit/run/free-port.ts'
import { until } from '../kit/run/until.ts'

vi.setConfig({ testTimeout: 120_000 })

const readme = readFileSync(join(root, 'README.md'), 'utf8')
const lines = shellLines(readme)
const done = new Set<string>()
const stage = new Stage()
const { home, folder } = stage
const shop = '5a9db0c0-0301-4a11-8c11-000000000301'

/** A line of the README with other words in the place of some of its own. */
function wording(line: string, instead: Readonly<Record<string, string>>): string {
  if (!lines.includes(line)) throw new Error(`the README has no line: ${line}`)
  done.add(line)
  return Object.entries(instead).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`${line} has no ${from}`)
    return text.replaceAll(from, to)
  }, line)
}

const typed = (line: string) => (isOtherProgram ? typeIn(folder, home, line) : stage.type(line))

/** Types a line of the README; `code` is its end. */
async function type(line: string, instead: Readonly<Record<string, string>> = {}, code = 0): Promise<TypedEnd> {
  const ended = await typed(wording(line, instead))
  expect(ended.code, `${line}\n${ended.stdout}${ended.stderr}`).toBe(code)
  return ended
}

/** What is not of the README, beside it. */
async function beside<Told = Readonly<Record<string, unknown>>>(line: string): Promise<Told> {
  const { code, stdout, stderr } = await typed(line)
  expect(code, `${line}\n${stderr}`).toBe(0)
  return JSON.parse(stdout || '{}') as Told
}

function put(name: string, text: string): void {
  writeFileSync(join(folder, name), text, { mode: 0o600 })
}

/** Runs a line until it is asked to end, and gives its first line of output. */
async function running(line: string): Promise<{ readonly first: string; readonly end: () => Promise<number | null> }> {
  const script = `exec "${node}" "${program}" ${line.replace(/^paydesk /, '')}`
  const child = spawn('bash', ['-c', script], { cwd: folder, env: cleanEnv(home, { PAYDESK_PROFILE: 'sandbox' }) })
  let [first, said] = ['', '']
  child.stdout.on('data', (piece) => {
    first += piece
  })
  child.stderr.on('data', (piece) => {
    said += piece
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  await until(`${line} says that it is ready: ${said}`, () => first.includes('\n') || child.exitCode !== null)
  expect(child.exitCode, said).toBeNull()
  return {
    first,
    end: async () => {
      child.kill('SIGTERM')
      return await ended
    },
  }
}

const iban = 'GE29NB0000000101904917'
const payout = `--amount 12.50 --currency GEL --to-iban ${iban} --beneficiary-name "Nino Beridze" --description "Salary"`

test('README: it has over 80 lines to type, none of them twice as another line', () => {
  expect(lines.length).toBeGreaterThan(80)
  expect(new Set(lines).size).toBe(lines.length)
})

test('README: the lines about the first payout are typed and end as it says', async () => {
  const first = lines.find((line) => line.startsWith('npm ci && npm run build && node bin/run.js payout create')) ?? ''
  // The first line runs in a process of its own in any case.
  const { code, stdout } = await typeIn(
    folder,
    home,
    wording(first, { 'npm ci && npm run build && node bin/run.js': 'paydesk' }),
  )
  expect(code).toBe(0)
  const [, shown = ''] = /^```\nsandbox: no real money\n([\s\S]*?)…\n```$/m.exec(readme) ?? []
  expect(shown).toContain('transactionId  100001')
  expect(stdout).toContain(shown)
  // By this very run.
  done.add('npm ci && npm test')
})

test('README: the lines about payouts are typed and end as it says', async () => {
  const { stderr } = await type('paydesk payout create', {}, 2)
  expect(stderr, 'without a terminal nothing is asked').toContain('--amount')
  const { transactionId } = await beside(`paydesk payout create ${payout} --yes --json`)
  await type('paydesk payout get <id>', { '<id>': String(transactionId) })
  await beside('paydesk sandbox clock advance 1m --json')
  await type('paydesk payout wait <id>', { '<id>': String(transactionId) })
  await type('paydesk payout balance')
  await type('paydesk payout list --yesterday')
  await type('paydesk payout diff <id>', { '<id>': String(transactionId) })
  await type('paydesk payout receipt <id>', { '<id>': String(transactionId) })
  put('emp-17.json', JSON.stringify({ amount: 1200, currency: 'GEL', toIban: iban, description: 'Salary' }))
  const keyed =
    'paydesk payout create --file emp-17.json --key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --wait --json >receipt.json'
  await type(keyed)
  await type(keyed)
  expect(JSON.parse(readFileSync(join(folder, 'receipt.json'), 'utf8'))).toMatchObject({ replayed: true })
  const script = lines.slice(lines.indexOf(keyed), lines.indexOf('esac') + 1)
  expect(script[1]).toBe('case $? in')
  for (const line of script) done.add(line)
  expect((await typeIn(folder, home, script.join('\n'))).code).toBe(0)
  expect((await typeIn(folder, home, script.join('\n').replace('GEL 1200.00', 'GEL 1.00'))).code).toBe(1)
})

test('README: the lines about who is known are typed and end as it says', async () => {
  await type(`paydesk payee add -p sandbox --beneficiary-name "Nino Beridze" --to-iban ${iban}`)
  const { stdout } = await type('paydesk payee list -p sandbox')
  expect(stdout).toContain('Nino Beridze')
  put('payees.csv', 'beneficiaryName,toIban\nGiorgi Lomidze,GE18SB1000000000000014\n')
  await type('paydesk payee import payees.csv -p sandbox')
  await type('paydesk payee edit "Nino Beridze" -p sandbox --beneficiary-identity-number 01001000001')
  const paid = '--amount 12.50 --currency GEL --description Salary --yes'
  await type(`paydesk payout create -p sandbox --payee "Nino Beridze" ${paid}`)
  await type(`paydesk payee remove ${iban} -p sandbox`)
})

test('README: the lines about the chain of the journal are typed and end as it says', async () => {
  const { head } = await beside<{ readonly head: string }>('paydesk journal verify --json')
  await type('paydesk journal verify')
  const example = '12-9f3c1a2b4d5e6f7081920304'
  await type(`paydesk journal verify --head ${example}`, { [example]: head })
  await type(`paydesk journal verify --head ${example}`, {}, 1)
})

test('README: the lines about files of payouts are typed and end as it says', async () => {
  const [, text = ''] = /^```csv payroll.csv\n([\s\S]*?)^```$/m.exec(readme) ?? []
  put('payroll.csv', text)
  await type('paydesk batch check payroll.csv')
  const plan = 'plan=$(paydesk batch plan payroll.csv -p sandbox --query planId --raw)'
  const { stdout } = await type(plan, { 'plan=$(': '', '--raw)': '--raw' })
  const id = { '"$plan"': stdout.trim() }
  await type('paydesk batch show "$plan"', id)
  await type('paydesk batch run "$plan" --confirm "GEL 8351.50 + USD 950.00"', id)
  await type('paydesk batch status "$plan" --json', id)
})

test('README: the lines about orders are typed and end as it says', async () => {
  await type(`paydesk order create --amount 100 --receiver-id ${shop}`, {
    '--amount 100': '--amount 100 --yes --key o-1',
  })
  await type('paydesk order status <id>', { '<id>': 'o-1' })
  await beside('paydesk sandbox trigger paid --order o-1 --json')
  await type('paydesk order wait <id>', { '<id>': 'o-1' })
  await type('paydesk order refund <id> --amount 5 --key return-4711', { '<id>': 'o-1', '--key': '--yes --key' })
  await type('paydesk order diff <id>', { '<id>': 'o-1' })
  const orders = `paydesk order create --receiver-id ${shop} --yes --json`
  await beside(`${orders} --amount 9 --key o-2`)
  await type('paydesk order cancel <id>', { '<id>': 'o-2 --yes' })
  await beside(`${orders} --amount 50 --pay-with-pre-auth --key o-3`)
  await beside('paydesk sandbox trigger paid --order o-3 --json')
  await type('paydesk order complete <id> --amount 40', { '<id>': 'o-3 --yes' })
  const own = { 'receiver-id <uuid>': `receiver-id ${shop} --yes`, '<uuid>=19.50': `${shop}=19.50` }
  await type(
    `paydesk order create --amount 30 --receiver-id <uuid> --split BRANCH:<uuid>=19.50 --split IBAN:${iban}=10.50`,
    own,
  )
  const to = { '<uuid>': `${shop} --yes` }
  await type(
    'paydesk order create --amount 30 --receiver-id <uuid> --property DESCRIPTION="Two tickets" --property-editable INVOICE_NUMBER_LABEL=4711',
    to,
  )
  await type(
    'paydesk order create --amount 0 --receiver-id <uuid> --save-card --direct-link-provider BOG --plan monthly:2:15.00',
    { '<uuid>': `${shop} --yes --key o-4` },
  )
  await beside('paydesk sandbox trigger paid --order o-4 --json')
  await type('paydesk order create --amount 30 --receiver-id <uuid> --card-from-order <id> --wait', {
    ...to,
    '<id>': 'o-4',
  })
  const { subscriptions } = (await beside('paydesk sandbox ledger --json')) as {
    readonly subscriptions: readonly { readonly subscriptionId: string }[]
  }
  const subscription = { '<subscriptionId>': String(subscriptions[0]?.subscriptionId) }
  await type('paydesk sandbox trigger subscription-charge --subscription <id>', {
    '<id>': String(subscriptions[0]?.subscriptionId),
  })
  await type('paydesk subscription history <subscriptionId>', subscription)
  await type('paydesk subscription revoke <subscriptionId>', {
    '<subscriptionId>': `${subscription['<subscriptionId>']} --yes`,
  })
  put('user.json', '{"name":"Nino"}')
  await type('paydesk user register --file user.json', { 'user.json': 'user.json --yes' })
})

test('README: the lines about callbacks, with the sandbox and the listener running are typed and end as it says', async () => {
  const [at, listenAt] = [await freePort(), await freePort()]
  const sandbox = await running(wording('paydesk sandbox start', { start: `start --port ${at}` }))
  const listener = await running(wording('paydesk callback listen -p sandbox', { listen: `listen --port ${listenAt}` }))
  const created = lines.find((line) => line.includes('--key story-1 --yes')) ?? ''
  await type(created, { '127.0.0.1:4020': `127.0.0.1:${listenAt}` })
  await beside('paydesk sandbox trigger paid --order story-1 --json')
  await type('paydesk order wait story-1 -p sandbox')
  await until('the callback has come', async () => {
    const { stdout } = await typed('paydesk callback list --json')
    return stdout !== '[]\n'
  })
  await type('paydesk callback list')
  await type('paydesk card get story-1 -p sandbox')
  await type(lines.find((line) => line.includes('--key story-2 --wait')) ?? '')
  await type('paydesk order refund story-2 -p sandbox --amount 5 --key story-3 --yes')
  await type('paydesk order status story-2 -p sandbox')
  await type('paydesk callback list --since 2026-11-20T02:00')
  const [event] =
    await beside<
      readonly {
        readonly callbackId: string
      }[]
    >('paydesk callback list --json')
  const example = { 'cb-3f9a1c2b7d10': String(event?.callbackId) }
  await type('paydesk callback show cb-3f9a1c2b7d10', example)
  await type('paydesk callback replay cb-3f9a1c2b7d10 --set status=FAILED', {
    'cb-3f9a1c2b7d10': `${event?.callbackId} --to http://127.0.0.1:${listenAt}/callback`,
  })
  put('hook.secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n')
  const { stderr } = await type('paydesk callback verify cb-3f9a1c2b7d10 --secret-file hook.secret', example, 5)
  expect(stderr, 'the sandbox signs nothing').toContain('signature')
  await type('paydesk sandbox callbacks --order <id|key>', { '<id|key>': 'story-1' })
  await type('paydesk sandbox trigger callback --order <id> --duplicate', { '<id>': 'story-1' })
  await type('paydesk sandbox trigger refunded --order <id> --amount 2.50', { '<id>': 'story-1' })
  expect(await listener.end()).toBe(143)
  expect(await sandbox.end()).toBe(143)
  const forwarding = await running(
    wording('paydesk callback listen -p acme --forward-to http://127.0.0.1:3000/callback', {
      '-p acme': `-p sandbox --port ${listenAt}`,
    }),
  )
  await forwarding.end()
})

test('README: the lines about the wallet are typed and end as it says', async () => {
  const create = lines.find((line) => line.startsWith('paydesk wallet create')) ?? ''
  await type(create, { '--uri': '--yes --uri' })
  await type('paydesk wallet finalize --key till-3:receipt-812 --amount 25.00 --final-status SUCCESS', {
    '--key': '--yes --key',
  })
  await type('paydesk wallet details <uniqueId>', { '<uniqueId>': 'till-3:receipt-812' })
  await beside(`${wording(create, { 'receipt-812': 'receipt-813', '--uri': '--yes --json --uri' })}`)
  await type('paydesk wallet cancel <uniqueId>', { '<uniqueId>': 'till-3:receipt-813 --yes' })
})

test('README: the lines about profiles are typed and end as it says', async () => {
  const at = await running('paydesk sandbox start --port 0 --json')
  const { url } = JSON.parse(at.first) as { readonly url: string }
  const { distributorClients } = (await beside('paydesk sandbox world --json')) as {
    readonly distributorClients: readonly { readonly clientId: string; readonly clientSecret: string }[]
  }
  const [client] = distributorClients
  put('acme', `${client?.clientSecret}\n`)
  await type(lines.find((line) => line.startsWith('paydesk profile add acme --base-url')) ?? '', {
    'https://pay.example.com': url,
    '3f0e7c1a-5b7e-4c53-9a40-0d6f0a1b2c3d': String(client?.clientId),
    '~/.secrets/acme': 'acme',
    '--use': '',
  })
  mkdirSync(join(folder, 'keys'))
  await type('paydesk key generate --private-key own.key')
  await type('paydesk key import pasted.txt --to service.pub', { 'pasted.txt': 'own.key.pub' })
  await type('paydesk key show own.key service.pub')
  await type(lines.find((line) => line.startsWith('paydesk profile add acme --integrator-id')) ?? '')
  const limits = 'paydesk profile add acme --limit "GEL 5000/payout" --limit "GEL 20000/day" --limit "100/hour"'
  await type(limits)
  const shown = await type('paydesk profile show acme')
  expect(shown.stdout).toContain('GEL 20000.00/day')
  const { stderr } = await type('paydesk profile check', { check: 'check -p acme' }, 4)
  expect(stderr, 'payouts sign in; the integrator of the README is nobody here').toContain('6004')
  await at.end()
})

test('README: the lines about envelopes are typed and end as it says', async () => {
  put('order.json', '{"amount":1}')
  await type('paydesk envelope seal --public-key service.pub <order.json', {
    '<order.json': '<order.json >envelope.json',
  })
  await type('paydesk envelope inspect <envelope.json')
  await type('paydesk envelope doctor --private-key own.key <envelope.json')
  const { stdout } = await type('paydesk envelope open --private-key own.key <envelope.json')
  expect(stdout).toContain('{"amount":1}')
})

test('README: the lines about the sandbox are typed and end as it says', async () => {
  await type('paydesk sandbox world')
  await type('paydesk sandbox world --env sandbox')
  await type('paydesk sandbox ledger')
  await type('paydesk sandbox fault add --op payout.create --at after --kind reset')
  const { stdout } = await type('paydesk payout create -p sandbox … ; paydesk sandbox ledger', {
    '…': `${payout} --key after-a-fault --yes`,
  })
  expect(stdout).toContain('resolved as executed')
  await type('paydesk sandbox fault clear')
  await beside(`paydesk order create --amount 100 --receiver-id ${shop} --key o-9 --yes --json`)
  await type('paydesk sandbox trigger paid --order <id|key>', { '<id|key>': 'o-9' })
  await type('paydesk sandbox clock advance 31d')
  for (const line of lines.filter((each) => /^paydesk sandbox start --/.test(each))) {
    const started = await running(wording(line, line.includes('--port') ? {} : { start: 'start --port 0' }))
    await started.end()
  }
  await type('paydesk sandbox reset', { reset: 'reset --yes' })
  await type('paydesk sandbox reset --strict', { strict: 'strict --yes' })
})

test('README: the lines about programs that trust the authority of the sandbox are typed and end as it says', async () => {
  const { first, end } = await running('paydesk sandbox start --tls --port 0 --json')
  const { url, authority } = JSON.parse(first) as { readonly url: string; readonly authority: string }
  cpSync(authority, join(folder, 'authority.pem'))
  put('shop.js', `fetch('${url}/_sandbox/alive').then((told) => process.exit(told.ok ? 0 : 1))\n`)
  const line = (program: string) => lines.find((each) => each.includes(program) && each.includes('authority.pem')) ?? ''
  await type(line('curl '), { 'https://127.0.0.1:4010': url })
  await type(line('node shop.js'))
  const trust = wording(line('keytool '), {})
  if (!isMissingProgram('keytool', ['-help'], 'that Java trusts the sandbox'))
    expect(await typeIn(folder, home, trust)).toMatchObject({ code: 0 })
  await end()
})

afterAll(() => {
  expect(
    lines.filter((line) => !done.has(line)),
    'lines of the README that nobody has typed',
  ).toEqual([])
})
