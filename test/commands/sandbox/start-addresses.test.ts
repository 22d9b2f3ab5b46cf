import { request } from 'undici'
import { expect, test } from 'vitest'
import { newHome, paydesk } from '../../kit/program.ts'
import { approved } from '../../kit/sandbox/payer.ts'
import { startedHere } from '../../kit/sandbox/stand.ts'
import { done, order, place } from '../../kit/world.ts'

test('sandbox start: --checkout-base leads payers to the page through a proxy while that sandbox runs', async () => {
  const around = place()
  const base = 'https://pay.shop.example/desk'
  const { ready, end } = await startedHere(
    around.home,
    '--checkout-base',
    `${base}/`,
    '--allow-host',
    'pay.shop.example',
  )
  const { json } = await done(order(), around)
  const address = String(json.urlForQR)
  expect(address).toMatch(/^https:\/\/pay\.shop\.example\/desk\/checkout\/[\da-f-]{36}$/)
  const direct = address.replace(base, ready.url)
  const headers = { host: 'pay.shop.example', origin: 'https://pay.shop.example' }
  expect((await request(direct, { headers })).statusCode).toBe(200)
  const paid = await request(direct, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({ do: 'pay', method: 'card', ...approved })),
  })
  expect(paid.statusCode).toBe(303)
  expect(new URL(String(paid.headers.location), address).href).toBe(address)
  await end()
  expect((await done(order(), around)).json.urlForQR).toMatch(/^http:\/\/127\.0\.0\.1:4010\/checkout\//)
})

test.each([
  ...['', 'pay.shop.example', 'ftp://pay.shop.example', 'javascript:alert(1)', 'https://', 'https://a b'],
  ...['https://me@pay.shop.example', 'https://pay.shop.example?x=1', 'https://pay.shop.example/#x'],
])('sandbox start: --checkout-base %j is refused (2)', async (text) => {
  const { code, stderr } = await paydesk(['sandbox', 'start', '--checkout-base', text], { home: newHome() })
  expect(code).toBe(2)
  expect(stderr).toContain('--checkout-base must be an http or https address')
})
