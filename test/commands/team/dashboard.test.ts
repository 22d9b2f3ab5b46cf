/** The dashboard: who may see it, what it shows on both engines, and how its process ends. */
import { expect, test, vi } from 'vitest'
import { postgresServer } from '../../kit/postgres.ts'
import { newHome } from '../../kit/program.ts'
import { requestLines, sendRaw } from '../../kit/service.ts'
import { dashboardOver, dashboardProcess, seenStore } from '../../pages/browser/dashboard.ts'

// A process of its own, and a real Postgres.
vi.setConfig({ testTimeout: 60_000 })

const server = postgresServer()

/** Follows the address as a browser does: the token becomes a cookie. */
async function entered(url: string) {
  const first = await fetch(url, { redirect: 'manual' })
  expect(first.status).toBe(303)
  expect(first.headers.get('location')).toBe('/')
  const cookie = String(first.headers.get('set-cookie')).split(';')[0] ?? ''
  return { cookie, page: await fetch(new URL('/', url), { headers: { cookie } }) }
}

test('team dashboard: without its token, under a foreign host, or by a method but reading nothing is shown', async () => {
  const { url, port } = await dashboardOver({ home: newHome(), env: {} })
  expect(new URL(url).hostname).toBe('127.0.0.1')
  const status = async (start: string, headers: Record<string, string>) =>
    (await sendRaw({ port }, requestLines(start, headers))).status
  const Host = `127.0.0.1:${port}`
  expect(await status('GET / HTTP/1.1', { Host })).toBe(403)
  expect(await status('GET /?token=wrong HTTP/1.1', { Host })).toBe(403)
  expect(await status('GET / HTTP/1.1', { Host, Cookie: `paydesk-team-${port}=` })).toBe(403)
  const { cookie, page } = await entered(url)
  expect(page.status).toBe(200)
  expect(await status('GET / HTTP/1.1', { Host, Cookie: cookie })).toBe(200)
  expect(await status('GET /other HTTP/1.1', { Host, Cookie: cookie })).toBe(404)
  expect(await status('POST / HTTP/1.1', { Host, Cookie: cookie })).toBe(405)
  for (const foreign of [`evil.example:${port}`, `192.0.2.7:${port}`, '127.0.0.1:1'])
    expect(await status('GET / HTTP/1.1', { Host: foreign, Cookie: cookie }), foreign).toBe(421)
  const policy = String(page.headers.get('content-security-policy'))
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('unsafe')
  const again = await fetch(new URL('/', url), { headers: { cookie } })
  expect(again.headers.get('content-security-policy')).not.toBe(policy)
  expect(await page.text()).toContain('No plan.')
})

for (const engine of ['SQLite', 'Postgres'] as const) {
  test(`team dashboard: on ${engine} it shows the batch, what is unknown and what waits for an approval`, async () => {
    const team = { PAYDESK_STORE: await server.newAddress(), PGPASSWORD: process.env.PGPASSWORD ?? '' }
    const store = await seenStore(engine === 'SQLite' ? {} : team, '<b>pay&roll.csv')
    const { url } = await dashboardOver(store)
    const text = await (await entered(url)).page.text()
    for (const shown of [
      ...[store.planId, store.approvalId, 'GEL 3.25', 'GEL 1200.00', 'GEL 1.25 of 6.75', '0 of 1', 'Anna'],
    ])
      expect(text, shown).toContain(shown)
    expect(text).toContain('&lt;b&gt;pay&amp;roll.csv')
    expect(text).toContain('Unknown: 1')
    expect(text).toContain('Approvals waiting: 1')
  })
}

for (const [signal, exit] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`team dashboard: ${signal} ends it (${exit})`, async () => {
    const { child, end } = await dashboardProcess({ home: newHome(), env: {} })
    child.kill(signal)
    const { code, stdout, stderr } = await end
    expect(code, stderr).toBe(exit)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stderr).error).toMatchObject({ moneyMoved: 'no' })
  })
}
