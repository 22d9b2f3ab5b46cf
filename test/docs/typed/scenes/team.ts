/** Four eyes within one journal; the store of a team and its workers are played in test/docs/teams.test.ts. */
import { inTopics, type Play, type Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'
import { planned } from './batches.ts'
import { payout } from './payouts.ts'

interface Held {
  readonly error: { readonly journalId: string }
}

let made = 0

/** A payout that waits for an approval. */
async function held(stage: Stage): Promise<string> {
  made += 1
  const { stderr } = await stage.type(`${payout.replace('12.50', '1200')} --key held-${made} --confirm "GEL 1200.00"`)
  return (JSON.parse(stderr) as Held).error.journalId
}

async function asked(stage: Stage): Promise<string> {
  const told = await stage.done(`paydesk approval request ${await held(stage)} --person-key anna.key --json`)
  return String(told.approvalId)
}

const onNew: Play = { before: async (stage) => ({ 'a-3f9a1c2b7d10': await asked(stage) }) }
const withoutStore: Play = { instead: { 'PAYDESK_STORE=postgres://… ': '', '-p payroll ': '' }, code: 2 }

const newKey = async (stage: Stage, name: string) =>
  String((await stage.done(`paydesk team key generate ${name}.key --json`)).publicKey)

export const teamScene: Scene = {
  name: 'a team',
  of: (id) => inTopics('approval', 'worker')(id) || ['team:confirm', 'team:dashboard'].includes(id),
  set: async (stage) => {
    await newKey(stage, 'anna')
    const nino = await newKey(stage, 'nino')
    await stage.done('paydesk team key add Anna --person-key anna.key --json')
    await stage.done(`paydesk team key add Nino --public-key ${nino} --person-key anna.key --json`)
    await stage.done('paydesk team rule add --currency GEL --from 1000 --approvers 1 --person-key anna.key --json')
    const [a, j] = [await asked(stage), await held(stage)]
    stage.variables = { ...stage.variables, PAYDESK_PERSON_KEY: 'anna.key' }
    return { 'a-3f9a1c2b7d10': a, 'j-3f9a1c2b7d10': j, 'b-2a41f5c07e99': await planned(stage, '2000.00,GEL') }
  },
  lines: {
    'paydesk approval approve a-3f9a1c2b7d10 --person-key nino.key --confirm "GEL 1200.00"': onNew,
    'paydesk approval reject a-3f9a1c2b7d10 --because "not the account on the invoice" --person-key nino.key': onNew,
    'paydesk team dashboard': { stays: 143 },
    'paydesk team dashboard --port 8080 --json': { stays: 143, instead: { 8080: '0' } },
    'paydesk team confirm --because "promoted db2; the statement of 10:05 to 10:20 has nothing that the journal lacks"':
      { code: 2 },
    'paydesk worker list': { code: 2 },
    'PAYDESK_STORE=postgres://… paydesk worker start -p payroll --concurrency 16': withoutStore,
    'PAYDESK_STORE=postgres://… paydesk worker start -p payroll --port 9464': withoutStore,
  },
}

/** The first person is the administrator; the lines are typed in their order. */
export const personsScene: Scene = {
  name: 'the persons of a team',
  of: (id) => /^team:(key|rule):/.test(id),
  set: async (stage) => {
    await newKey(stage, 'anna')
    return { 'ed25519:gQ5rTtJ4b2LkX0mWcC1pM3dYhB7nZs9fUe6vAiKxR0E': await newKey(stage, 'nino') }
  },
  lines: {
    'paydesk team rule remove r-3f9a1c2b7d10 --person-key anna.key': {
      before: async (stage) => {
        const [rule] = await stage.done<readonly { readonly ruleId: string }[]>('paydesk team rule list --json')
        return { 'r-3f9a1c2b7d10': String(rule?.ruleId) }
      },
    },
    'paydesk team key generate ~/.config/paydesk/nino.key': {
      before: async (stage) => {
        await stage.type('mkdir -p ~/.config/paydesk')
        return undefined
      },
    },
  },
}
