/** Servers of which a whole run has one: Postgres and the browser. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { env } from 'node:process'

export interface Service {
  /** Where it is; the test files connect to it there. */
  readonly address: string
  end(): Promise<void>
}

const starts = {
  postgres: async () => (await import('./postgres-server.ts')).startPostgres(),
  browser: async () => (await import('../../pages/browser/chromium.ts')).serveBrowser(),
} satisfies Record<string, () => Promise<Service>>

type Name = keyof typeof starts

const variable = 'PAYDESK_TEST_SERVICES'

/** Called once, before the first test. Gives back what ends the servers. */
export async function offerServices(): Promise<() => Promise<void>> {
  const started = new Map<Name, Promise<Service>>()
  const offer = createServer(async ({ url = '' }, response) => {
    const name = url.slice(1) as Name
    const service = started.get(name) ?? starts[name]()
    started.set(name, service)
    try {
      response.end((await service).address)
    } catch (error) {
      response.statusCode = 500
      response.end(error instanceof Error ? error.message : String(error))
    }
  })
  offer.listen(0, '127.0.0.1')
  await once(offer, 'listening')
  env[variable] = `http://127.0.0.1:${(offer.address() as AddressInfo).port}`
  return async () => {
    offer.close()
    offer.closeAllConnections()
    const ends = [...started.values()].map(async (service) => (await service.catch(() => undefined))?.end())
    await Promise.all(ends)
  }
}

/** The address of a server of this run, which starts if no test file asked before. */
export async function serviceOfRun(name: Name): Promise<string> {
  const response = await fetch(`${env[variable]}/${name}`)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}
