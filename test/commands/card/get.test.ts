import { expect, test } from 'vitest'
import { paydesk } from '../../kit/program.ts'
import { foreignOrder, handDesk, handOrder } from '../../kit/service.ts'
import { cardSaved, done, onSandbox, ordered, place, play } from '../../kit/world.ts'

const get = (id: string, ...more: readonly string[]) => ['card', 'get', id, ...onSandbox, ...more]

test('card get: the saved card with its token is shown as JSON, as a table and as one CSV cell', async () => {
  const around = place()
  const id = await cardSaved(around)
  const { json } = await done(get(id), around)
  expect(json).toEqual({
    token: expect.stringMatching(/^[0-9a-f-]{36}$/),
    provider: 'BOG',
    cardMask: '411111******1111',
    expirationDate: expect.stringMatching(/^\d\d\/\d\d$/),
    cardBrand: 'VISA',
    integratorOrderId: id,
    profile: 'sandbox',
    environment: 'sandbox',
  })
  const table = await paydesk(get(id), around)
  expect(table.stdout).toContain(String(json.token))
  const cell = await paydesk(get(id, '--output', 'csv', '--fields', 'token'), around)
  expect(cell.stdout).toBe(`token\n${json.token}\n`)
})

test('card get --trace: the token stands on stdout only', async () => {
  const around = place()
  const id = await cardSaved(around)
  const ended = await paydesk(get(id, '--trace', '--json'), around)
  expect(ended.stderr).toContain('/api/v1/integrator/card/order-id')
  expect(ended.stderr).not.toContain(String(ended.json.token))
})

test('card get: the key of the order names the saved card', async () => {
  const around = place()
  const id = await ordered(around, { key: 'shop-4711', 'save-card': true, 'direct-link-provider': 'BOG' })
  await play(around, id)
  expect((await done(get('shop-4711'), around)).json.integratorOrderId).toBe(id)
})

test('card get: an order without a saved card is 6', async () => {
  const around = place()
  const ended = await paydesk(get(await ordered(around), '--json'), around)
  expect(ended).toMatchObject({ code: 6, stdout: '' })
  expect(ended.error.service).toMatchObject({ statusCode: 6075 })
})

test('card get: a full card number in the answer is hidden in every output', async () => {
  const pan = '4111111111111111'
  const value = { token: foreignOrder, provider: 'BOG', cardMask: pan, expirationDate: '12/49', cardBrand: 'VISA' }
  const { run, home } = await handDesk(() => ({ value }))
  const { code, json } = await run('card', 'get', handOrder)
  expect([code, json.cardMask, json.token]).toEqual([0, '[hidden]', foreignOrder])
  const table = await paydesk(['card', 'get', handOrder, '-p', 'hand', '--trace'], { home })
  expect(table.code).toBe(0)
  expect(table.stdout).toMatch(/^cardMask +\[hidden\]$/m)
  expect(table.stdout + table.stderr).not.toContain(pan)
})

test.each([[['card', 'get']], [['order', 'status']], [['order', 'wait']], [['order', 'diff']]])(
  '%j: an id that is a UUID of another version is refused (2), and nothing is asked',
  async (words) => {
    const desk = await handDesk(() => ({ value: { integratorOrderId: handOrder, status: 'SUCCESS' } }))
    const { code, error } = await desk.run(...words, '0b5f0f0e-8a2c-1f0e-9a53-5d1f3f1f7a11')
    expect([code, error.moneyMoved]).toEqual([2, 'no'])
    expect(error.message).toContain('is a UUID, version 4')
    expect(desk.calls).toEqual([])
  },
)
