import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listening, payment, post, token } from '../../kit/callback.ts'
import { paydesk } from '../../kit/program.ts'
import { cardSaved, done, onSandbox, ordered, place } from '../../kit/world.ts'

test('card list: orders that save a card stand beside the card that a callback told of, without its token', async () => {
  const around = place()
  await ordered(around)
  const untold = await cardSaved(around)
  around.clock.skip(60_000)
  const saved = await ordered(around, { 'save-card': true, 'direct-link-provider': 'BOG', key: 'shop-1' })
  const { url, stop } = await listening(around, ...onSandbox)
  const callback = { ...payment, integratorOrderId: saved }
  for (const body of [callback, callback, { ...payment, cardInfo: null }, payment]) await post(url, body)
  await stop()
  const listed = await done(['card', 'list'], around)
  expect(listed.json).toEqual([
    {
      ...{ integratorOrderId: saved, key: 'shop-1', state: 'accepted', status: null, profile: 'sandbox' },
      ...{ cardMask: '411111******1111', cardBrand: 'VISA', provider: 'BOG', expirationDate: '12/29' },
      toldAt: expect.stringMatching(/Z$/),
      journalId: expect.stringMatching(/^j-/),
    },
    expect.objectContaining({ integratorOrderId: untold, cardMask: null, toldAt: null, profile: 'sandbox' }),
    expect.objectContaining({ integratorOrderId: payment.integratorOrderId, journalId: null, status: 'SUCCESS' }),
  ])
  const { stdout } = await paydesk(['card', 'list', '--output', 'csv'], around)
  expect(stdout).not.toContain(token)
  expect((await done(['card', 'list', '--key', 'shop-1'], around)).json).toHaveLength(1)
})

test('card list: nothing known says so, and makes no store of callbacks', async () => {
  const around = place()
  const ended = await paydesk(['card', 'list'], { ...around, terminal: true })
  expect(ended).toMatchObject({ code: 0 })
  expect(ended.stdout).toContain('No saved cards.')
  expect(existsSync(join(around.home, 'callbacks'))).toBe(false)
})
