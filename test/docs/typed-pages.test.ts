/** Every command line of the pages below docs is typed, from the top of a page to its end, and ends and prints as the page says. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { isMissingProgram } from '../kit/process.ts'
import { until } from '../kit/tools.ts'
import { root } from './typed/page.ts'
import { type PagePlay, PagePlayer, stepsOf } from './typed/player.ts'
import type { Stage } from './typed/stage.ts'

vi.setConfig({ testTimeout: 180_000 })

const payout =
  'paydesk payout create -p sandbox --amount 12.50 --currency GEL --to-iban GE29NB0000000101904917 --beneficiary-name "Nino Beridze" --description Salary --yes --json'
const exampleId = '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'

interface World {
  readonly distributorClients: readonly { readonly clientId: string; readonly clientSecret: string }[]
}

/** A profile `acme` of a sandbox that runs: its words. */
async function acme(stage: Stage) {
  const { first } = await stage.start('paydesk sandbox start --port 0 --json')
  const { distributorClients } = await stage.done<World>('paydesk sandbox world --json')
  const { url } = JSON.parse(first) as { readonly url: string }
  stage.put('acme.secret', `${distributorClients[0]?.clientSecret}\n`)
  return { url, clientId: String(distributorClients[0]?.clientId) }
}

async function withAcme(stage: Stage) {
  const { url, clientId } = await acme(stage)
  await stage.done(
    `paydesk profile add acme --base-url ${url} --environment test --client-id ${clientId} --client-secret-file acme.secret --json`,
  )
}

/** A payout that was executed and whose answer was lost. */
async function lost(stage: Stage, flags = '') {
  await stage.done('paydesk sandbox fault add --op "payout.*" --at after --kind reset --times 1000 --json')
  await stage.type(`${payout} ${flags} --timeout 1s`)
  await stage.done('paydesk sandbox fault clear --json')
}

const noCurl = isMissingProgram('curl', ['--version'], 'that the lines for curl are answered')
const noKeytool = isMissingProgram('keytool', ['-help'], 'that Java trusts the sandbox')

const plays: Readonly<Record<string, PagePlay>> = {
  'getting-started.md': {},
  'how-to/install.md': {},
  'how-to/profiles.md': {
    set: async (stage) => {
      const { url, clientId } = await acme(stage)
      return { 'https://pay.example.com': url, '3f0e7c1a-5b7e-4c53-9a40-0d6f0a1b2c3d': clientId }
    },
    lines: { 'paydesk key import pasted.txt --to service.pub': { instead: { 'pasted.txt': 'own.key.pub' } } },
  },
  'how-to/script.md': {},
  'how-to/payees.md': {},
  'how-to/pay-a-file.md': {},
  'how-to/find-a-payment.md': {
    set: async (stage) => {
      await stage.done(`${payout} --key payroll-2026-11:emp-17`)
      stage.variables = { PAYDESK_PROFILE: 'sandbox' }
      return {}
    },
  },
  'how-to/recover-a-lost-answer.md': {
    set: async (stage) => {
      await lost(stage)
      return {}
    },
    lines: {
      [`paydesk payout reconcile ${exampleId} --transaction-id 100001 -p sandbox`]: {
        before: async (stage) => {
          await lost(stage, `--unique-id ${exampleId}`)
          await stage.type('paydesk resume -p sandbox')
          return { '100001': '100002' }
        },
      },
      'paydesk resume j-3f9a1c2b7d10 --settle executed --because "on the bank statement of 20 November" -p sandbox --yes':
        {
          before: async (stage) => {
            await lost(stage)
            const [open] = await stage.done<readonly { readonly journalId: string }[]>(
              'paydesk journal list --state unknown --json',
            )
            return { 'j-3f9a1c2b7d10': String(open?.journalId) }
          },
        },
    },
  },
  'how-to/orders.md': {
    lines: Object.fromEntries(
      ['history 5a9db0c0-0501-4a11-8c11-000000000501', 'revoke 5a9db0c0-0501-4a11-8c11-000000000501 --yes'].map(
        (end) => [
          `paydesk subscription ${end}`,
          {
            before: async (stage) => {
              const { subscriptions } = await stage.done<{
                readonly subscriptions: readonly { readonly subscriptionId: string }[]
              }>('paydesk sandbox ledger --json')
              return { '5a9db0c0-0501-4a11-8c11-000000000501': String(subscriptions[0]?.subscriptionId) }
            },
          },
        ],
      ),
    ),
  },
  'how-to/wallet.md': {},
  'how-to/callbacks.md': {
    lines: {
      'paydesk callback list': {
        before: async (stage) => {
          await until(
            'the callback has come',
            async () => (await stage.done<unknown[]>('paydesk callback list --json')).length > 0,
          )
          return undefined
        },
      },
    },
  },
  'how-to/limits-and-approvals.md': {
    set: async (stage) => {
      await withAcme(stage)
      return {}
    },
  },
  'how-to/back-up.md': {
    set: async (stage) => {
      await stage.done(payout)
      stage.variables = { PAYDESK_HOME: stage.home }
      return {}
    },
  },
  'how-to/envelopes.md': {},
  'how-to/test-your-client.md': {
    lines: {
      'curl --silent --cacert authority.pem https://127.0.0.1:4010/_sandbox/alive': { isSkipped: noCurl },
      'keytool -importcert -noprompt -alias sandbox -file authority.pem -keystore trust.p12 -storepass changeit': {
        isSkipped: noKeytool,
      },
    },
  },
  'how-to/trace-and-curl.md': {
    lines: {
      "paydesk token --header | curl --silent -H @- 'http://127.0.0.1:4010/api/distributor/balance/check?currency=GEL'":
        { isSkipped: noCurl },
    },
  },
  'reference/files.md': {},
}

/** Typed elsewhere: over a Postgres by test/docs/teams.test.ts, and by test/docs/reconciliation.test.ts. */
const elsewhere = ['how-to/teams.md', 'reconciliation.md']

/** Made of the help, whose examples test/docs/examples.test.ts types. */
const ofTheHelp = 'reference/commands/'

const docs = join(root, 'docs')

test('every page of docs with command lines is typed', () => {
  const withLines = readdirSync(docs, { recursive: true, encoding: 'utf8' }).filter((path) => {
    if (!path.endsWith('.md') || path.startsWith(ofTheHelp) || path.startsWith('internals/')) return false
    return stepsOf(readFileSync(join(docs, path), 'utf8')).some((step) => 'line' in step)
  })
  expect(withLines.toSorted()).toEqual([...Object.keys(plays), ...elsewhere].toSorted())
})

test.each(Object.entries(plays))('docs/%s: every line is typed, and ends and prints as it says', async (path, play) => {
  expect(await new PagePlayer(`docs/${path}`, play).run()).toBeGreaterThan(0)
})
