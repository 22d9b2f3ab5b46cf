/** A request of the log as it is shown: in a terminal, as JSON, in the window. */
import { readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import { findRequest, listRequests, type RequestFilter } from '../../store/sandbox/requests.ts'
import type { KeptRequest, SandboxReader, SandboxTables } from '../../store/sandbox/schema.ts'
import { listClients } from '../../store/sandbox/world.ts'
import { utcTime } from '../clock/clock.ts'
import { integrators, walletIntegrators } from '../world/integrator.ts'
import type { Outline } from './outline.ts'
import type { requestEntriesResult, wholeRequestResult } from './result.ts'

export type RequestEntry = ResultOf<typeof requestEntriesResult>[number]

export type WholeRequest = ResultOf<typeof wholeRequestResult>

export type Names = ReadonlyMap<string, string>

/** The names of clients and integrators, by the identity that they send. */
export async function namesOf(db: SandboxReader): Promise<Names> {
  return new Map([
    ...(await listClients(db)).map(({ client_id, name }) => [client_id, name] as const),
    ...integrators.map(({ identifier, name }) => [identifier, name] as const),
    ...walletIntegrators.map(({ identifier, name }) => [identifier, `${name} (wallet)`] as const),
  ])
}

export function describeRequest(row: KeptRequest, names: Names): RequestEntry {
  const {
    request_id,
    time,
    milliseconds,
    method,
    path,
    operation,
    identifier,
    http,
    code,
    verdict,
    rule,
    remarks,
    fault,
  } = row
  const who = names.get(identifier?.trim().toLowerCase() ?? '') ?? null
  return {
    ...{ id: request_id, time: utcTime(time), milliseconds, method, path, operation, identifier, who },
    ...{ http, code, verdict, rule, remarks: JSON.parse(remarks), fault },
  }
}

const jsonIn = (text: string | null): unknown => (text === null ? null : readJson(text))

/** An outline was written by this program: its numbers are small. Those of older releases do not say whose key it was. */
function outlineOf(text: string | null): Outline | null {
  return text === null ? null : { sealedTo: null, ...JSON.parse(text) }
}

export function describeWhole(row: KeptRequest, names: Names): WholeRequest {
  return {
    ...describeRequest(row, names),
    payload: jsonIn(row.plain),
    envelope: outlineOf(row.outline),
    answer: jsonIn(row.answer),
  }
}

/** The newest first. */
export async function listEntries(store: Store<SandboxTables>, filter: RequestFilter): Promise<RequestEntry[]> {
  return await store.read(async (db) => {
    const names = await namesOf(db)
    return (await listRequests(db, filter)).map((row) => describeRequest(row, names))
  })
}

export async function findEntry(store: Store<SandboxTables>, id: number): Promise<WholeRequest | null> {
  return await store.read(async (db) => {
    const row = await findRequest(db, id)
    return row && describeWhole(row, await namesOf(db))
  })
}
