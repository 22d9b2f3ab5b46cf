/**
 * A team's store is put back to an older copy while a run pays: rows that this run has paid are told as paid, and
 * rows whose answer it lost as unknown, whatever the store has of them by then.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { employees, payroll } from '../kit/batch.ts'
import { hurriedClock, impatient } from '../kit/clock.ts'
import { copiesOf, postgresServer } from '../kit/postgres.ts'
import { newHome, paydesk } from '../kit/program.ts'
import { addHandProfile, type Reply, serviceByHand } from '../kit/service.ts'

const server = postgresServer()
const rows = 8
const busy: Reply = { status: 429, headers: { 'retry-after': '3' }, body: '' }

/** `before`: the answer to a first run, if there was one. `lost`: the row whose answer is lost. The fifth that is sent then is the last. */
async function putBackInRun(before: Reply | null, lost: number) {
  const address = await server.newAddress()
  const { keepCopy, putBack } = copiesOf(server, address, ['plans', 'plan_rows'])
  let answer = before
  let send: (signal: 'SIGINT') => void = () => undefined
  const sent = new Set<string>()
  const service = await serviceByHand(async ({ path, body }) => {
    if (path !== '/api/distributor') return undefined
    if (answer !== null) return answer
    const { uniqueId } = JSON.parse(body)
    const isNew = !sent.has(uniqueId)
    sent.add(uniqueId)
    if (sent.size === 5 && isNew) {
      await putBack()
      send('SIGINT')
    }
    return sent.size === lost ? 'reset' : undefined
  })
  const around = { home: newHome(), env: { PAYDESK_STORE: address }, clock: hurriedClock(), random: impatient }
  await addHandProfile(around.home, service.url)
  const file = join(around.home, 'payroll.csv')
  writeFileSync(file, payroll(employees(rows, { amount: '1' })))
  const planned = await paydesk(['batch', 'plan', file, '--key-column', 'key', '-p', 'hand', '--json'], around)
  const line = [String(planned.json.planId), '--confirm', `GEL ${rows}`, '--concurrency', '1', '--timeout', '3s']
  const first = before && (await paydesk(['batch', 'run', ...line, '--json'], around))
  answer = null
  await keepCopy()
  const signals = (to: typeof send) => {
    send = to
  }
  const ended = await paydesk(['batch', 'resume', ...line, '--json'], { ...around, signals })
  return { first, ended }
}

test.each([
  ['planned', null, { planned: 3 }],
  ['turned away', busy, { turnedAway: 3 }],
] as const)(
  'batch resume: the store of a team is put back in the middle, to rows that are %s: paid rows stay accepted, lost ones unknown (130)',
  async (_, before, left) => {
    const { first, ended } = await putBackInRun(before, 3)
    if (before) expect(first, first?.stderr).toMatchObject({ code: 10, json: { turnedAway: rows } })
    expect(ended, ended.stderr).toMatchObject({
      code: 130,
      json: { accepted: 3, unknown: 2, planned: 0, turnedAway: 0, ...left },
      error: { moneyMoved: 'unknown' },
    })
    expect(ended.error.message).toContain('3 accepted')
  },
)
