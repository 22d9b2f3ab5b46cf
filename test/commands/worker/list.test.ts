import { expect, test } from 'vitest'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk } from '../../kit/program.ts'

const server = postgresServer()

test('worker list: without a worker it says how to start one', async () => {
  const around = { home: newHome(), env: { PAYDESK_STORE: await server.newAddress() } }
  expect(await paydesk(['worker', 'list'], around)).toMatchObject({
    code: 0,
    stdout: 'No workers. `worker start` starts one.\n',
  })
})

test('worker list: a worker that was not seen for a minute is not listed', async () => {
  const address = await server.newAddress()
  const around = { home: newHome(), env: { PAYDESK_STORE: address } }
  await paydesk(['worker', 'list'], around)
  const seen = (ago: string) =>
    `to_char((now() - interval '${ago}') at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  for (const [id, ago] of [
    ['a/1/2/3/x', '10 seconds'],
    ['b/1/2/3/x', '2 minutes'],
  ] as const)
    await server.run(
      address,
      `insert into workers values ('${id}', 'q', 'payroll', ${seen('1 hour')}, ${seen(ago)}, '["b-3f9a1c2b7d10:4"]', 7, 1)`,
    )
  const { code, stdout } = await paydesk(['worker', 'list', '--json'], around)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject([
    { worker: 'a/1/2/3/x', profile: 'payroll', chunks: ['b-3f9a1c2b7d10:4'], accepted: 7, failed: 1 },
  ])
  const table = await paydesk(['worker', 'list'], around)
  expect(table.stdout).toContain('b-3f9a1c2b7d10:4')
})

test('worker list: without a team’s store it is refused (2)', async () => {
  expect(await paydesk(['worker', 'list'], { home: newHome() })).toMatchObject({ code: 2 })
})
