/** Result files that are given back as input: a row stays the payment that its own columns name, and what may have been paid is not planned anew. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { PlansInFolder } from '../../src/lib/batch/local-plans.ts'
import { realClock } from '../../src/lib/edge.ts'
import { type HandPayroll, handPayroll, type PayrollRow, painFile, payment, plannedPayroll } from '../kit/batch.ts'
import { beneficiaryIban } from '../kit/payment.ts'
import { succeeds } from '../kit/program.ts'
import { json } from '../kit/service.ts'

type Fate = 'lost' | 'refused' | 'executed'

/** A plan of keyless rows whose payouts end as `fate` says, by the count of their ids: a refusal may be asked once more. */
async function ended(rows: readonly PayrollRow[], fate: (count: number) => Fate) {
  const line: { fate: (count: number) => Fate } = { fate }
  const ids: string[] = []
  const payroll = await handPayroll(rows, ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    const id = String(JSON.parse(body).uniqueId)
    if (!ids.includes(id)) ids.push(id)
    const end = line.fate(ids.indexOf(id) + 1)
    if (end === 'executed') return undefined
    return end === 'lost' ? { status: 502, body: '<html>' } : json({ message: 'no', statusCode: 5042 }, 400)
  })
  expect((await payroll.plan('--name', 'nov')).code).toBe(0)
  await run(payroll, payroll.planId, rows, '--concurrency', '1', '--timeout', '60s')
  return Object.assign(payroll, { line })
}

function run(payroll: HandPayroll, planId: string, rows: readonly PayrollRow[], ...more: readonly string[]) {
  const sum = rows.reduce((all, { amount }) => all + Number(amount), 0)
  return payroll.run(['batch', 'run', planId, '--confirm', `GEL ${sum.toFixed(2)}`, ...more])
}

async function paper(payroll: HandPayroll, name: string): Promise<string> {
  await succeeds(payroll.batch('results', '--dir', payroll.home, '--overwrite'))
  return join(payroll.home, `${name}.csv`)
}

const idsSent = ({ service }: HandPayroll) => service.creates.map(({ body }) => JSON.parse(body).uniqueId as string)

test.each([['without --name'], ['with another --name', '--name', 'dec']])(
  'batch plan %s: a result file of unknown rows is refused (2), and the hint resumes their plan',
  async (_, ...name) => {
    const rows = [{ amount: '10' }]
    const payroll = await ended(rows, () => 'lost')
    const planned = await payroll.run(['batch', 'plan', await paper(payroll, 'unknown'), ...name])
    expect(planned, planned.stderr).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'unknown' } })
    expect(planned.error.message).toContain('row 2 is unknown')
    const hints = String(planned.error.hints)
    expect(hints).toContain(`batch resume ${payroll.planId} --confirm 'GEL `)
    expect(hints).not.toContain('--name')
  },
)

test('batch plan: a result file of accepted rows is refused (2), and says that they were paid', async () => {
  const payroll = await ended([{ amount: '10' }], () => 'executed')
  const planned = await payroll.run(['batch', 'plan', await paper(payroll, 'ok'), '--name', 'dec'])
  expect(planned, planned.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'yes' } })
  expect(String(planned.error.hints)).toContain('need nothing more')
  expect(String(planned.error.hints)).not.toContain('batch resume')
})

test.each([['without --name'], ['with the same --name', '--name', 'nov']])(
  'batch plan %s: a result file of one refused row of two alike pays that one, under its own id',
  async (_, ...name) => {
    const rows = [{ amount: '10' }, { amount: '10' }]
    const payroll = await ended(rows, (count) => (count === 2 ? 'refused' : 'executed'))
    const [accepted, refused] = idsSent(payroll)
    const planned = await payroll.run(['batch', 'plan', await paper(payroll, 'refused'), ...name])
    expect(planned, planned.stderr).toMatchObject({ code: 0, json: { rows: 1, replayed: 0 } })
    payroll.line.fate = () => 'executed'
    const second = await run(payroll, String(planned.json.planId), [{ amount: '10' }])
    expect(second, second.stderr).toMatchObject({ code: 0, json: { accepted: 1, replayed: 0 } })
    // A refusal on a reused connection is asked once more.
    expect(idsSent(payroll)).toEqual([accepted, refused, refused, refused])
  },
)

test('batch plan: a result file whose refused row was edited into the twin of a paid one pays it under its own id', async () => {
  const rows = [{ amount: '10' }, { amount: '1' }]
  const payroll = await ended(rows, (count) => (count === 2 ? 'refused' : 'executed'))
  const path = await paper(payroll, 'refused')
  writeFileSync(path, readFileSync(path, 'utf8').replace('\n1,', '\n10,'))
  const planned = await payroll.run(['batch', 'plan', path, '--name', 'nov'])
  payroll.line.fate = () => 'executed'
  expect((await run(payroll, String(planned.json.planId), [{ amount: '10' }])).code).toBe(0)
  expect(payroll.service.creates).toHaveLength(4)
  expect(idsSent(payroll)[3]).toBe(idsSent(payroll)[1])
})

test('batch plan: rows of unsent.csv are paid once, though their first plan is run, too', async () => {
  const rows = [{ amount: '10' }, { amount: '20' }]
  const payroll = await handPayroll(rows)
  await payroll.plan('--name', 'nov')
  const planned = await succeeds(payroll.run(['batch', 'plan', await paper(payroll, 'unsent')]))
  expect((await run(payroll, payroll.planId, rows)).code).toBe(0)
  const second = await run(payroll, String(planned.json.planId), rows)
  expect(second, second.stderr).toMatchObject({ code: 0, json: { accepted: 2 } })
  expect(payroll.service.creates).toHaveLength(2)
})

test('batch plan: a result file that has a row twice, or a row without its id, is refused (2)', async () => {
  const rows = [{ amount: '10' }]
  const payroll = await ended(rows, () => 'refused')
  const path = await paper(payroll, 'refused')
  const text = readFileSync(path, 'utf8')
  const [, row = ''] = text.split('\n')
  writeFileSync(path, `${text}${row.replace(/^10/, '11')}\n`)
  const twice = await payroll.run(['batch', 'plan', path])
  expect(twice).toMatchObject({ code: 2, stdout: '' })
  expect(twice.error.message).toContain('row 3 has the paydesk:uniqueId of row 2 once more')
  writeFileSync(path, `${text}${row.split(',').slice(0, 5).join(',')},,,,,,,,\n`)
  const added = await payroll.run(['batch', 'plan', path])
  expect(added.error.message).toContain('row 3 has no key and no paydesk:uniqueId')
})

test('batch run: the id of a row was changed in the database of the plan: nothing is sent (1)', async () => {
  const payroll = await ended([{ amount: '10' }], () => 'refused')
  const planned = await payroll.run(['batch', 'plan', await paper(payroll, 'refused')])
  const planId = String(planned.json.planId)
  const store = await new PlansInFolder(join(payroll.home, 'batches'), realClock).open(planId)
  await store.write(({ db }) =>
    sql`update plan_rows set unique_id = '5a9db0c0-0011-4a11-8c11-000000000011'`.execute(db),
  )
  await store.close()
  const second = await run(payroll, planId, [{ amount: '10' }])
  expect(second).toMatchObject({ code: 1 })
  expect(second.error.message).toContain('was changed outside paydesk')
  expect(payroll.service.creates).toHaveLength(1)
})

test('batch plan: a row of a result file with another key is refused (2) after it was sent', async () => {
  const rows = [{ key: 'a', amount: '10' }]
  const payroll = await plannedPayroll(rows)
  const path = await paper(payroll, 'unsent')
  await run(payroll, payroll.planId, rows)
  writeFileSync(path, readFileSync(path, 'utf8').replace('\na,', '\nb,'))
  const planned = await payroll.run(['batch', 'plan', path])
  expect(planned, planned.stderr).toMatchObject({ code: 2, error: { moneyMoved: 'unknown' } })
  expect(planned.error.message).toMatch(/row 2 has the key b now, had a before, and is accepted in b-/)
})

const rows = [{ key: '007', amount: '10' }]
const changed = async (payroll: HandPayroll, name: string) => {
  const path = await paper(payroll, name)
  writeFileSync(path, readFileSync(path, 'utf8').replace('\n007,', '\n7,'))
  return payroll.run(['batch', 'plan', path])
}

test('batch plan: a row of a result file with the key 7 instead of 007 is refused (2) while its plan has it planned', async () => {
  const payroll = await plannedPayroll(rows)
  const planned = await changed(payroll, 'unsent')
  expect(planned, planned.stderr).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
  expect(planned.error.message).toContain(
    `row 2 has the key 7 now, had 007 before, and is planned in ${payroll.planId}`,
  )
  await payroll.batch('discard')
  expect((await changed(payroll, 'unsent')).code).toBe(0)
})

test('batch plan: a row of a result file with the key 7 instead of 007 is planned after a refusal (0)', async () => {
  const payroll = await plannedPayroll(rows, ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5042 }, 400) : undefined,
  )
  await run(payroll, payroll.planId, rows)
  expect((await changed(payroll, 'refused')).code).toBe(0)
})

const other = '99999999-2222-4333-8444-555555555555'

test.each([
  ['with a key', { key: 'k1' }, { key: 'k2' }, []],
  ['without one', {}, {}, ['--name', 'nov']],
])(
  'batch plan: a row of another client %s in a result file is refused (2), though the row before it is planned',
  async (_what, theirs, ours, name) => {
    const payroll = await handPayroll([{ ...theirs, amount: '10' }])
    await payroll.plan(...name)
    const path = await paper(payroll, 'unsent')
    const [head, foreign] = readFileSync(path, 'utf8').split('\n')
    await payroll.run(['profile', 'add', 'hand', '--client-id', other, '--replace'])
    payroll.write([{ ...ours, amount: '20' }])
    await payroll.plan(...name)
    const [, own] = readFileSync(await paper(payroll, 'unsent'), 'utf8').split('\n')
    writeFileSync(path, [head, own, foreign, ''].join('\n'))
    const planned = await payroll.run(['batch', 'plan', path])
    expect(planned, planned.stderr).toMatchObject({ code: 2, stdout: '' })
    expect(planned.error.message).toMatch(/row 3 came out of b-[0-9a-f]{12}, a plan of the client/)
  },
)

test('batch plan: a pain.001 payment without an EndToEndId keeps its id in a result file', async () => {
  const payroll = await handPayroll([], ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5042 }, 400) : undefined,
  )
  const path = join(payroll.home, 'pain.xml')
  writeFileSync(path, painFile({ payments: [payment('NOTPROVIDED', '3')] }))
  const first = String((await payroll.run(['batch', 'plan', path])).json.planId)
  await run(payroll, first, [{ amount: '3' }])
  await payroll.run(['batch', 'results', first, '--dir', payroll.home])
  const back = ['batch', 'plan', join(payroll.home, 'refused.csv'), '--key-column', 'EndToEndId']
  const second = String((await payroll.run(back)).json.planId)
  await run(payroll, second, [{ amount: '3' }])
  const [one, two] = idsSent(payroll)
  expect(two).toBe(one)
})

test('batch plan: NDJSON lines without keys keep their ids in a result file', async () => {
  const payroll = await handPayroll([], ({ path }) =>
    path === '/api/distributor' ? json({ message: 'no', statusCode: 5042 }, 400) : undefined,
  )
  const line = { amount: 3, currency: 'GEL', description: 'Salary', toIban: beneficiaryIban, beneficiaryName: 'Nino' }
  const path = join(payroll.home, 'rows.ndjson')
  writeFileSync(path, `${JSON.stringify(line)}\n${JSON.stringify({ ...line, amount: 4, key: 'e-1' })}\n`)
  const first = String((await payroll.run(['batch', 'plan', path, '--name', 'nov'])).json.planId)
  await run(payroll, first, [{ amount: '7' }])
  await payroll.run(['batch', 'results', first, '--dir', payroll.home])
  const planned = await payroll.run(['batch', 'plan', join(payroll.home, 'refused.csv')])
  expect(planned, planned.stderr).toMatchObject({ code: 0, json: { rows: 2 } })
  await run(payroll, String(planned.json.planId), [{ amount: '7' }])
  const sent = idsSent(payroll)
  expect(sent.slice(2).toSorted()).toEqual(sent.slice(0, 2).toSorted())
})

test.each(['nov ', ' nov', 'no\u0301v', 'no\u200bv'])(
  'batch plan --name: a name that looks like another one is refused (2): %j',
  async (name) => {
    const payroll = await handPayroll([{ amount: '10' }])
    const planned = await payroll.plan('--name', name)
    expect(planned).toMatchObject({ code: 2, stdout: '', error: { moneyMoved: 'no' } })
    expect(planned.error.message).toContain('--name must be')
  },
)

test('batch run: rows that were sent before the plan was made are warned of, and not sent again', async () => {
  const payroll = await handPayroll([{ amount: '10' }])
  await payroll.plan('--name', 'nov')
  expect((await run(payroll, payroll.planId, [{ amount: '10' }])).json.warnings).toEqual([])
  payroll.write([{ amount: '10' }, { amount: '20' }])
  await payroll.plan('--name', 'nov')
  const second = await run(payroll, payroll.planId, [{ amount: '10' }, { amount: '20' }])
  expect(String(second.json.warnings)).toContain('1 row was sent before this plan was made and is not sent again')
})
