// Two integrators of the sandbox without a socket. Knows no test runner: processes that tests start use it too.

import { randomUUID } from 'node:crypto'
import type { HttpAnswer, HttpRequest } from '../../../src/lib/http/message.ts'
import { isRecord, readJson, writeJson } from '../../../src/lib/json.ts'
import type { DistributorClient } from '../../../src/lib/sandbox/accounts/world.ts'
import type { Sandbox } from '../../../src/lib/sandbox/sandbox.ts'
import type { Shape } from '../../../src/lib/sandbox/shape.ts'

export const goodIban = 'GE29NB0000000101904917'
export const badIban = 'GE30NB0000000101904917'

/** A body as JSON text; amounts are given as the text of a JSON number. */
export function bodyOf(fields: Readonly<Record<string, unknown>>): string {
  return writeJson(fields)
}

export interface Said {
  readonly http: number
  /** The whole body, unwrapped if it was wrapped. */
  readonly value: Record<string, unknown>
  readonly code: number | null
  readonly answer: HttpAnswer
}

export function said(answer: HttpAnswer): Said {
  const body = readJson(answer.body)
  const members = isRecord(body) ? body : {}
  return {
    http: answer.status,
    value: isRecord(members.value) ? members.value : members,
    code: members.statusCode === undefined ? null : Number(String(members.statusCode)),
    answer,
  }
}

/** A client of the sandbox, without a socket. */
export class Caller {
  token: string | null = null
  readonly sandbox: Sandbox
  readonly client: DistributorClient
  readonly shape: Shape

  constructor(sandbox: Sandbox, client: DistributorClient, shape: Shape) {
    this.sandbox = sandbox
    this.client = client
    this.shape = shape
  }

  async send(request: Partial<HttpRequest> & Pick<HttpRequest, 'path'>): Promise<Said> {
    const headers = this.token === null ? {} : { authorization: `Bearer ${this.token}` }
    return said(
      await this.sandbox.answer({ method: 'GET', query: [], headers, body: null, ...request } as HttpRequest, {
        ...(await this.sandbox.context()),
        shape: this.shape,
      }),
    )
  }

  async signIn(change: Readonly<Record<string, unknown>> = {}): Promise<Said> {
    const { clientId, clientSecret } = this.client
    const fields = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', ...change }
    return await this.send({ method: 'POST', path: '/api/auth', headers: {}, body: bodyOf(fields) })
  }

  create(fields: Readonly<Record<string, unknown>>): Promise<Said> {
    return this.send({ method: 'POST', path: '/api/distributor', body: bodyOf(fields) })
  }

  details(transactionId: unknown): Promise<Said> {
    return this.send({ path: '/api/distributor/details', query: [['transaction_id', String(transactionId)]] })
  }

  balanceIn(currency: string): Promise<Said> {
    return this.send({ path: '/api/distributor/balance/check', query: [['currency', currency]] })
  }

  async balance(currency: string): Promise<string> {
    return String((await this.balanceIn(currency)).value.amount)
  }
}

/** The two integrators of the world, signed in. */
export async function callers(sandbox: Sandbox, shape: Shape = 'documented') {
  const { distributorClients, receivers } = await sandbox.world()
  const all = distributorClients.map((client) => new Caller(sandbox, client, shape))
  for (const caller of all) caller.token = String((await caller.signIn()).value.access_token)
  const [byIban, byReceiver] = all
  const [branch, user] = receivers
  if (!byIban || !byReceiver || !branch || !user) throw new Error('the world lacks somebody')
  return { byIban, byReceiver, branch, user }
}

export function payout(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { amount: 12.5, currency: 'GEL', description: 'Invoice', uniqueId: randomUUID(), ...fields }
}

export function toIban(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return payout({ toIban: goodIban, ...fields })
}
