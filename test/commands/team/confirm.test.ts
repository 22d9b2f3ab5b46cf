import { expect, test } from 'vitest'
import { create } from '../../kit/payment.ts'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome, paydesk, succeeds } from '../../kit/program.ts'
import { addHandProfile, serviceByHand } from '../../kit/service.ts'

const server = postgresServer()
const confirm = ['team', 'confirm', '--because', 'the statement agrees', '--json']

async function till() {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const around = { home: newHome(), env: { PAYDESK_STORE: address } }
  await addHandProfile(around.home, service.url)
  const pay = (key: string) => paydesk([...create({ profile: 'hand', key }), '--json'], around)
  expect((await pay('first')).code).toBe(0)
  return { address, service, around, pay }
}

test.each([
  ['another server', "system = '1'", 'another server (system'],
  ['a promoted one', "timeline = '00000000'", 'a promoted or recovered server (timeline 00000001, it was 00000000)'],
])('team confirm: on %s nothing is written (12) until a person confirms it', async (_, was, words) => {
  const { address, service, around, pay } = await till()
  // A store that was copied remembers the server that it comes from.
  await server.run(address, `update paydesk_store set ${was}`)
  const stopped = await pay('second')
  expect(stopped.code, stopped.stderr).toBe(12)
  expect(stopped.error.message).toContain(words)
  expect(service.creates).toHaveLength(1)
  expect((await paydesk(['journal', 'list', '--json'], around)).code).toBe(0)
  expect((await paydesk(confirm, around)).json).toMatchObject({ isNew: true, because: 'the statement agrees' })
  expect(await server.run(address, 'select because from paydesk_confirmed')).toEqual([
    { because: 'the statement agrees' },
  ])
  await succeeds(pay('second'))
  expect((await paydesk(confirm, around)).json).toMatchObject({ isNew: false })
})

test('team confirm: without a team’s store it is refused (2)', async () => {
  const ended = await paydesk(confirm, { home: newHome() })
  expect(ended.code).toBe(2)
  expect(ended.error.message).toContain('PAYDESK_STORE is not set')
})
