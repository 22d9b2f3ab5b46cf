/** Processes of two machines with one store, whose clocks are an hour apart, with midnight between them. */
import { join } from 'node:path'
import { expect } from 'vitest'
import { create } from '../kit/payment.ts'
import type { TestServer } from '../kit/postgres.ts'
import { builtPaydesk } from '../kit/process.ts'
import { newHome } from '../kit/program.ts'
import { addHandProfile, serviceByHand } from '../kit/service.ts'
import { wrongClocks } from '../kit/team.ts'

const preload = join(import.meta.dirname, 'clock-ahead.cjs')

/** Every second process pays one key, the others one each, of GEL 1.00; so many payouts of all of them are sent, each once. */
export async function mustStayWithin(server: TestServer, processes: number, most: number): Promise<void> {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const machines = wrongClocks().map((wrongBy) => ({ home: newHome(), wrongBy }))
  for (const { home } of machines) await addHandProfile(home, service.url, { limit: `GEL ${most}/day` })
  const ended = await Promise.all(
    Array.from({ length: processes }, (_, at) => {
      const { home, wrongBy } = machines[(at >> 1) % 2] as (typeof machines)[number]
      const key = at % 2 === 0 ? 'salary-11' : `k-${at}`
      return builtPaydesk([...create({ profile: 'hand', key, amount: '1.00' }), '--json'], home, {
        ...{ PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' },
        ...{ NODE_OPTIONS: `--require=${preload}`, CLOCK_AHEAD: String(wrongBy) },
      })
    }),
  )
  for (const { code, stderr } of ended) expect([0, 12, 13], stderr).toContain(code)
  const sent = service.creates.map(({ body }) => (JSON.parse(body) as { uniqueId: string }).uniqueId)
  expect(new Set(sent).size).toBe(sent.length)
  expect(sent).toHaveLength(most)
}
