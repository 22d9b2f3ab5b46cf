/** Files of payouts on one machine. */
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../page.ts'
import type { Play, Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'

const header = 'amount,currency,description,toIban,beneficiaryName'
const rows = (name: string, amounts: readonly string[]) =>
  amounts.map((sum, at) => `${name}-${at},${sum},Salary,GE29NB0000000101904917,Nino Beridze`)

let made = 0

/** A new plan of these sums, such as "115.00,GEL". */
export async function planned(stage: Stage, ...sums: readonly string[]): Promise<string> {
  made += 1
  stage.put(`plan-${made}.csv`, `key,${header}\n${rows(`plan-${made}`, sums).join('\n')}\n`)
  const { planId } = await stage.done(`paydesk batch plan plan-${made}.csv --json`)
  return String(planId)
}

const example = 'b-3f9a1c2b7d10'
const onNew = (...sums: readonly string[]): Play => ({
  before: async (stage) => ({ [example]: await planned(stage, ...sums) }),
})

/** The payroll, with the employees in a column of this name. */
const withColumn = (name: string): Play => ({
  before: async (stage) => {
    const sums = name === 'key' ? ['1200.00,GEL', '980.50,GEL'] : ['640.00,GEL']
    stage.put('payroll.csv', `${name},${header}\n${rows(name, sums).join('\n')}\n`)
    return undefined
  },
})

export const batchesScene: Scene = {
  name: 'files of payouts',
  of: (id) => id.startsWith('batch:'),
  set: async (stage) => {
    for (const name of ['bonuses.xlsx', 'map.yaml']) cpSync(join(root, 'docs/examples', name), join(stage.folder, name))
    await stage.done('paydesk sandbox sample --rows 3 --format pain.001 --out pain.xml --json')
    const id = await planned(stage, '120.00,GEL', '5.00,USD')
    await stage.done(`paydesk batch run ${id} --confirm "GEL 120.00 + USD 5.00" --json`)
    return { [example]: id }
  },
  lines: {
    'paydesk batch check payroll.csv': withColumn('key'),
    'paydesk batch check payroll.xlsx --map map.yaml --key-column Employee': { instead: { payroll: 'bonuses' } },
    'paydesk batch check payroll.xlsx --suggest-map': { instead: { payroll: 'bonuses' } },
    'paydesk batch plan payroll.csv --key-column employee': withColumn('employee'),
    'paydesk batch plan payroll.csv --name 2026-11 --json --query planId': withColumn('key'),
    [`paydesk batch discard ${example}`]: onNew('1.00,GEL'),
    [`paydesk batch resume ${example} --confirm "GEL 120.00 + USD 5.00"`]: onNew('120.00,GEL', '5.00,USD'),
    [`paydesk batch run ${example} --confirm "GEL 120.00 + USD 5.00"`]: onNew('120.00,GEL', '5.00,USD'),
    [`paydesk batch run ${example} --yes --rate 50/s --output ndjson`]: onNew('3.00,GEL'),
    // Workers take their rows from the store of a team: test/docs/teams.test.ts has them run.
    [`paydesk batch run ${example} --confirm "GEL 120.00" --workers`]: { ...onNew('120.00,GEL'), code: 2 },
    [`paydesk batch status ${example} --output prometheus > /var/lib/node_exporter/payroll.prom`]: {
      instead: { '/var/lib/node_exporter/': '' },
    },
  },
}
