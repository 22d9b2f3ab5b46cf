/** An order from end to end: the built program, a real browser in the place of the payer. */
import { expect, test, vi } from 'vitest'
import { builtPaydesk, start } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'
import { freePort, until } from '../kit/tools.ts'
import { wholeLedger } from '../kit/world.ts'
import { useBrowser } from './browser/browser.ts'

vi.setConfig({ testTimeout: 120_000 })

const visit = useBrowser()
const lines = [
  'paydesk sandbox start',
  'paydesk callback listen -p sandbox',
  'paydesk order create -p sandbox --amount 100 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --save-card --direct-link-provider BOG --callback-uri http://127.0.0.1:4020/callback --key story-1 --yes',
  'paydesk order wait story-1 -p sandbox',
  'paydesk callback list',
  'paydesk card get story-1 -p sandbox',
  'paydesk order create -p sandbox --amount 30 --receiver-id 5a9db0c0-0301-4a11-8c11-000000000301 --card-from-order story-1 --key story-2 --wait --yes',
  'paydesk order refund story-2 -p sandbox --amount 5 --key story-3 --yes',
  'paydesk order status story-2 -p sandbox',
] as const

test('an order is created, paid on the page, called back, its card read and charged again, and partly refunded', async () => {
  const home = newHome()
  const [serverPort, listenerPort] = [await freePort(), await freePort()]
  const [serve, listen, create, ...rest] = lines
  // Other tests have the usual ports.
  const argv = (line: string, ...more: readonly string[]) => [
    ...line.replace('127.0.0.1:4020', `127.0.0.1:${listenerPort}`).split(' ').slice(1),
    ...more,
  ]
  const server = start(argv(serve, '--port', String(serverPort)), home)
  const listener = start(argv(listen, '--port', String(listenerPort)), home)
  try {
    await until('the sandbox runs', async () => {
      const answer = await fetch(`http://127.0.0.1:${serverPort}/_sandbox/alive`).catch(() => null)
      return answer?.ok ?? false
    })
    await until('the listener listens', async () => {
      const answer = await fetch(`http://127.0.0.1:${listenerPort}/elsewhere`).catch(() => null)
      return answer?.status === 404
    })
    const run = async (line: string) => {
      const ended = await builtPaydesk(argv(line, '--json'), home)
      expect(ended.code, `${line}: ${ended.stderr}`).toBe(0)
      return JSON.parse(ended.stdout)
    }
    const order = await run(create)
    const { page, strayed } = await visit()
    await page.goto(order.urlForQR)
    await page.locator('summary').click()
    await page.getByRole('button', { name: /is approved$/ }).click()
    await page.getByRole('button', { name: /^Pay/ }).click()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Paid')
    expect(strayed).toEqual([])
    const [wait, callbacks, card, charge, refund, status] = rest
    expect(await run(wait)).toMatchObject({ status: 'SUCCESS' })
    await until('the callback has come', async () => (await run(callbacks)).length > 0)
    const [event] = await run(callbacks)
    expect(JSON.stringify(event)).toContain(order.integratorOrderId)
    const { token } = await run(card)
    expect(token).toMatch(/^[0-9a-f-]{36}$/)
    expect(await run(charge)).toMatchObject({ outcome: 'accepted', status: 'SUCCESS' })
    expect(await run(refund)).toMatchObject({ status: 'REFUND_REQUESTED' })
    expect(['REFUND_REQUESTED', 'PARTIALLY_REFUNDED']).toContain((await run(status)).status)
    const { orders } = await wholeLedger(home)
    expect(orders.map(({ charges, refunds }) => [charges, refunds]).toSorted()).toEqual([
      [1, 0],
      [1, 1],
    ])
    expect(JSON.stringify([event, order])).not.toContain(token)
  } finally {
    server.child.kill('SIGTERM')
    listener.child.kill('SIGTERM')
    await Promise.all([server.end, listener.end])
  }
})
