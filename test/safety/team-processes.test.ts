/** Two people on two machines with one store, as processes of their own whose clocks are an hour apart, with midnight between them. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { figures } from '../figures.ts'
import { wrongClocks } from '../kit/approval/machines.ts'
import { create } from '../kit/payment.ts'
import { builtPaydesk } from '../kit/program/built-paydesk.ts'
import { newHome } from '../kit/program/paydesk.ts'
import { many } from '../kit/run/whole.ts'
import { addHandProfile, serviceByHand } from '../kit/service/service-by-hand.ts'
import { postgresServer } from '../kit/store/postgres.ts'

const server = postgresServer()
const preload = join(import.meta.dirname, '..', 'kit', 'run', 'clock-ahead.cjs')
const processes = many(...figures.pairs)

test(`${processes} processes at once pay one key once, and stay within the limit of a day`, async () => {
  const address = await server.newAddress()
  const service = await serviceByHand()
  const machines = wrongClocks().map((wrongBy) => ({ home: newHome(), wrongBy }))
  const most = processes / 4
  for (const { home } of machines) await addHandProfile(home, service.url, { limit: `GEL ${most}/day` })
  const ended = await Promise.all(
    Array.from({ length: processes }, (_, at) => {
      const { home, wrongBy } = machines[(at >> 1) % 2] as (typeof machines)[number]
      // Every second one pays the same as all of those.
      const key = at % 2 === 0 ? 'salary-11' : `k-${at}`
      return builtPaydesk([...create({ profile: 'hand', key, amount: '1.00', timeout: '60s' }), '--json'], home, {
        ...{ PAYDESK_STORE: address, PGPASSWORD: process.env.PGPASSWORD ?? '' },
        ...{ NODE_OPTIONS: `--require=${preload}`, CLOCK_AHEAD: String(wrongBy) },
      })
    }),
  )
  for (const { code, stderr } of ended) expect([0, 12, 13], stderr).toContain(code)
  const sent = service.creates.map(({ body }) => (JSON.parse(body) as { uniqueId: string }).uniqueId)
  expect(new Set(sent).size).toBe(sent.length)
  expect(sent).toHaveLength(most)
})
