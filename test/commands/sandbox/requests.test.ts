import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOrder } from '../../../src/lib/contract/order/order.ts'
import { realClock } from '../../../src/lib/edge.ts'
import { watchedNaps } from '../../kit/clock.ts'
import { create } from '../../kit/payment.ts'
import { newHome, paydesk } from '../../kit/program.ts'
import { integratorNamed } from '../../kit/sandbox/integrator.ts'
import { fileSandbox, served } from '../../kit/sandbox/stand.ts'

const requests = (home: string, ...flags: string[]) => paydesk(['sandbox', 'requests', ...flags], { home })
const listed = async (home: string, ...flags: string[]) =>
  JSON.parse((await requests(home, '--json', ...flags)).stdout) as Record<string, unknown>[]

test('sandbox requests: lists the requests of earlier commands, narrowed by order, operation, code and limit', async () => {
  const home = newHome()
  const paid = await paydesk(create({ json: true, 'beneficiary-name': 'ნინო ბერიძე' }), { home })
  expect(await listed(home)).toMatchObject([
    { operation: 'payout.create', who: 'sandbox', http: 200, verdict: 'accepted: INITIAL', rule: null },
    { operation: 'auth.token', who: 'sandbox', http: 200 },
  ])
  expect(await listed(home, '--order', String(paid.json.uniqueId))).toHaveLength(1)
  expect(await listed(home, '--operation', 'auth.token')).toHaveLength(1)
  expect(await listed(home, '--code', '5039')).toEqual([])
  expect(await listed(home, '--limit', '1')).toHaveLength(1)
  const { stdout } = await requests(home, '--id', '2')
  expect(stdout).toContain('"beneficiaryName": "ნინო ბერიძე"')
  expect(stdout).toMatch(/verdict\s+accepted: INITIAL/)
})

test('sandbox requests: a person sees one line a request, and why one was refused or did not open', async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const us = await integratorNamed(sandbox, (await served(sandbox)).url)
  await us.create({ validUntil: '2020-01-01 00:00:00' })
  await us.send(createOrder, 'not JSON')
  await sandbox.requests.flush()
  const { stdout } = await requests(home)
  expect(stdout).toMatch(/1 .* order\.create +sandbox +400 +6035 +validUntil must be in the future/)
  const whole = (await requests(home, '--id', '2')).stdout
  expect(whole).toMatch(/did not open at +json/)
  expect(whole).toContain('the text is not JSON; the service takes a JSON object')
  expect((await requests(home, '--id', '1')).stdout).toMatch(/rule +B1 validUntil: must be in the future/)
})

test('sandbox requests: remarks on a request are shown to people and in JSON', async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const us = await integratorNamed(sandbox, (await served(sandbox)).url)
  await us.create()
  await sandbox.requests.flush()
  expect((await requests(home)).stdout).not.toContain('remarks')
  await us.create({ amount: '12.50', softposOrder: true })
  await sandbox.requests.flush()
  const remarks = ['amount: a number, written as text', 'softposOrder: a member that the specification does not list']
  expect(await listed(home)).toMatchObject([{ remarks: remarks.toSorted() }, { remarks: [] }])
  const { stdout } = await requests(home)
  expect(stdout).toMatch(/verdict +remarks/)
  expect(stdout.replace(/\s+/g, ' ')).toContain('amount: a number, written as text; softposOrder: a member')
  expect((await requests(home, '--id', '2')).stdout).toMatch(/remarks +amount: a number, written as text/)
})

test('sandbox requests: without --limit the newest fifty are listed', async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const { url } = await served(sandbox)
  for (let asked = 1; asked <= 51; asked += 1) await fetch(`${url}/number/${asked}`)
  await sandbox.requests.flush()
  const all = await listed(home)
  expect([all.length, all[0]?.path, all.at(-1)?.path]).toEqual([50, '/number/51', '/number/2'])
})

test('sandbox requests: an empty log is told in words, and an unknown --id is not found (6)', async () => {
  const home = newHome()
  expect((await requests(home)).stdout).toBe('No requests found.\n')
  const { code, stderr } = await requests(home, '--id', '7')
  expect([code, stderr]).toEqual([6, expect.stringContaining('the sandbox has no request 7')])
  expect((await requests(home, '--id', '7', '--follow')).code).toBe(2)
})

test('sandbox requests --follow: new requests are shown once each until ^C (130)', async () => {
  const home = newHome()
  const sandbox = await fileSandbox(join(home, 'sandbox'), realClock)
  const { url } = await served(sandbox)
  const ask = async (path: string) => {
    await fetch(`${url}${path}`)
    await sandbox.requests.flush()
  }
  await ask('/before')
  const clock = watchedNaps(realClock)
  let stop = (_signal: 'SIGINT'): void => undefined
  const following = paydesk(['sandbox', 'requests', '--follow', '--output', 'ndjson'], {
    home,
    clock,
    signals: (send) => {
      stop = send
    },
  })
  await clock.looks(2)
  await ask('/first')
  await ask('/second')
  await clock.looks(2)
  stop('SIGINT')
  const { code, stdout } = await following
  const paths = stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { path: string }).path)
  expect([code, paths]).toEqual([130, ['/before', '/first', '/second']])
})
