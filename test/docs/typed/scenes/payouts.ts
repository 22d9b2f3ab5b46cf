/** Payouts, what becomes of them, and those whose answer was lost. */
import { inTopics, type Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'

const iban = 'GE29NB0000000101904917'
export const payout = `paydesk payout create --amount 12.50 --currency GEL --to-iban ${iban} --beneficiary-name "Nino Beridze" --description Salary --json`

const listed = `paydesk payee add -p sandbox --beneficiary-name "Nino Beridze" --to-iban ${iban} --json`

/** A payout that was sent and whose answer was lost; its words. */
async function lost(stage: Stage, flags: string): Promise<Record<string, string>> {
  await stage.done('paydesk sandbox fault add --op "payout.*" --at after --kind reset --times 1000 --json')
  await stage.type(`${payout} ${flags} --yes --timeout 1s`)
  await stage.done('paydesk sandbox fault clear --json')
  const [open] = await stage.done<readonly { readonly journalId: string }[]>(
    'paydesk journal list --state unknown --json',
  )
  return { 'j-3f9a1c2b7d10': String(open?.journalId) }
}

export const payoutsScene: Scene = {
  name: 'payouts',
  of: inTopics('payout', 'payee', 'journal', 'api'),
  set: async (stage) => {
    const body = { amount: 1200, currency: 'GEL', toIban: iban, beneficiaryName: 'ნინო ბერიძე', description: 'Salary' }
    stage.put('payout.yaml', JSON.stringify(body))
    stage.put('emp-17.json', JSON.stringify(body))
    stage.put('payees.csv', 'beneficiaryName,toIban\nGiorgi Lomidze,GE18SB1000000000000014\n')
    stage.put('staff.csv', 'Name,IBAN\nGiorgi Lomidze,GE18SB1000000000000014\n')
    stage.put('map.yaml', 'columns: { Name: beneficiaryName, IBAN: toIban }\n')
    const own = '--key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --json'
    const { journalId } = await stage.done(`paydesk payout create --file payout.yaml ${own}`)
    const { head } = await stage.done('paydesk journal verify --json')
    await stage.done(listed)
    await stage.done('paydesk sandbox statement --out statement.xml --json')
    stage.put('statement.csv', 'Day,Sum\n2026-11-27,-1200.00\n')
    stage.put('bank.yaml', 'columns: { Day: date, Sum: amount }\nconstants: { currency: GEL }\n')
    return { 'j-3f9a1c2b7d10': String(journalId), '12-9f3c1a2b4d5e6f7081920304': String(head) }
  },
  lines: {
    'paydesk payout create -p sandbox': { code: 2 },
    'paydesk payout create -p sandbox --payee "Nino Beridze" --amount 12.50 --currency GEL --description Salary --yes':
      {
        before: async (stage) => {
          await stage.done(listed)
          return undefined
        },
      },
    // Nobody is there to ask.
    'paydesk payee edit "Nino Beridze" -p sandbox': { code: 2 },
    // Of an order that nobody made.
    'paydesk api GET "/api/integrator/order/status?integratorOrderId=5a9db0c0-0401-4a11-8c11-000000000401" --json': {
      code: 6,
    },
    'paydesk payout reconcile 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11 --transaction-id 100001': {
      before: async (stage) => {
        const id = '--unique-id 0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11'
        await lost(stage, id)
        const told = await stage.type(`${payout} ${id} --yes`)
        const { payouts } = await stage.done<{ readonly payouts: readonly Readonly<Record<string, unknown>>[] }>(
          'paydesk sandbox ledger --json',
        )
        const paid = payouts.find(({ uniqueId }) => uniqueId === '0b5f0f0e-8a2c-4f0e-9a53-5d1f3f1f7a11')
        if (!paid) throw new Error(`it was not executed: ${told.stdout}${told.stderr}`)
        return { 100001: String(paid.transactionId) }
      },
    },
    'paydesk payout create --file emp-17.json --key payroll-2026-11:emp-17 --confirm "GEL 1200.00" --json': {},
    // The row of the CSV names no payout, and no profile of this name is here.
    'paydesk journal reconcile statement.csv --map bank.yaml --html --out reconciliation.html': { code: 10 },
    'paydesk journal reconcile statement.xml -p acme --account GE29NB0000000101904917 --apply --json': {
      instead: { acme: 'sandbox', GE29NB0000000101904917: 'GE78SB1000000000000001' },
    },
    // A journal can be brought into the store of a team; there is none here.
    'paydesk journal import': { code: 2 },
  },
}

export const resumeScene: Scene = {
  name: 'lost answers',
  of: inTopics('resume'),
  set: async () => ({}),
  lines: {
    'paydesk resume': { before: (stage) => lost(stage, '') },
    'paydesk resume j-3f9a1c2b7d10': { before: (stage) => lost(stage, '') },
    'paydesk resume j-3f9a1c2b7d10 --settle executed --because "on the bank statement of 20 November" --yes': {
      before: (stage) => lost(stage, ''),
    },
  },
}
