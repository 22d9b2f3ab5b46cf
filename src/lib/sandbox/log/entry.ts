/** A request of the log as it is shown: in a terminal, as JSON, in the console. */
import { z } from 'zod'
import { openingSteps } from '../../envelope/envelope.ts'
import { inspectionResult } from '../../envelope/result.ts'
import { readJson } from '../../json.ts'
import type { ResultOf } from '../../result.ts'
import type { Store } from '../../store/engine/store.ts'
import { listRequests, type RequestFilter } from '../../store/sandbox/requests.ts'
import { findRow } from '../../store/sandbox/rows.ts'
import type { Row, SandboxTables } from '../../store/sandbox/schema.ts'
import { names } from '../accounts/fixtures.ts'
import { utcTime } from '../clock.ts'

export type RequestEntry = ResultOf<typeof requestEntriesResult>[number]

export type WholeRequest = ResultOf<typeof wholeRequestResult>

/** The outline of an envelope that arrived. */
export type Outline = NonNullable<WholeRequest['envelope']>

export function describeRequest(row: Row<'requests'>): RequestEntry {
  const { request_id: id, milliseconds, method, path, operation, identifier } = row
  const { http, code, verdict, rule, fault } = row
  const who = names.get(identifier?.trim().toLowerCase() ?? '') ?? null
  return {
    ...{ id, time: utcTime(row.time), milliseconds, method, path, operation, identifier, who },
    ...{ http, code, verdict, rule, remarks: JSON.parse(row.remarks), fault },
  }
}

const jsonIn = (text: string | null): unknown => (text === null ? null : readJson(text))

export function describeWhole(row: Row<'requests'>): WholeRequest {
  return {
    ...describeRequest(row),
    payload: jsonIn(row.plain),
    envelope: row.outline === null ? null : JSON.parse(row.outline),
    answer: jsonIn(row.answer),
  }
}

/** The newest first. */
export async function listEntries(store: Store<SandboxTables>, filter: RequestFilter): Promise<RequestEntry[]> {
  return (await store.ask((db) => listRequests(db, filter))).map(describeRequest)
}

export async function findEntry(store: Store<SandboxTables>, id: number): Promise<WholeRequest | null> {
  const row = await store.ask((db) => findRow(db, 'requests', { request_id: id }))
  return row && describeWhole(row)
}

/** Requests of the log, as `--json` prints them. */
const { damage: _, ...outlined } = inspectionResult.shape

const requestEntry = z.strictObject({
  id: z.int().describe('For --id. Numbers go on within a world.'),
  time: z.string().describe("UTC, by the sandbox's clock."),
  milliseconds: z.int(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable().describe('Null where the path means none.'),
  identifier: z.string().nullable().describe('The client id, integrator id or wallet identifier, as it came.'),
  who: z.string().nullable().describe('The name that the world knows it by.'),
  http: z.int().nullable().describe('Null where no whole answer was sent.'),
  code: z.int().nullable(),
  verdict: z.string().describe('What was decided, in words.'),
  rule: z.string().nullable().describe('Where the specification says so; null where nothing was refused.'),
  remarks: z
    .array(z.string())
    .describe('What is unusual about the request, though it may be accepted; `--strict` of the sandbox refuses it.'),
  fault: z.string().nullable().describe('The fault that struck, such as "reset after".'),
})
export const requestEntriesResult = z
  .array(requestEntry)
  .describe('The newest first; with --follow one list after the other, a line each, the newest last.')

export const wholeRequestResult = z
  .strictObject({
    ...requestEntry.shape,
    payload: z
      .unknown()
      .describe(
        'What was asked, in the clear; null where it could not be read, a text where it was too long to keep whole.',
      ),
    envelope: z
      .strictObject({
        ...outlined,
        schemes: z.array(z.string()).describe('Those it may have by its layout.'),
        opened: z.string().nullable().describe('What opened it; null where nothing did.'),
        step: z.enum(openingSteps).nullable().describe('Where opening failed. On the wire this is never told.'),
        sealedTo: z
          .string()
          .nullable()
          .describe('Whose key it is sealed to, where that is not the one of the service; null where none is known.'),
        remarks: z.array(z.string()).describe('What is unusual about it, or what would mend it.'),
      })
      .nullable()
      .describe('How it was sealed; null where nothing is.'),
    answer: z.unknown().describe('What was answered, before it was sealed.'),
  })
  .meta({ file: 'sandbox-request', title: 'sandbox requests --id --json' })
  .describe('One request, whole. Card tokens, client secrets and access tokens are hidden.')
