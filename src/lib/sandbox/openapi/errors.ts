/** Error bodies: plain in every area, with the codes that are known and what each means, as documented and as recorded. */
import { badTokenHttp, codedErrorHttp, groupHttp, turnedAwayGroups } from '../../contract/assumed.ts'
import { codesOf } from '../../contract/codes/code-book.ts'
import type { JsonSchema } from '../../contract/core/field.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import type { Code } from '../../contract/status.ts'

const named = (code: number, title: string, description: string) => ({ const: code, title, description })

/** 413 comes from before any operation, with its HTTP status as its code. */
const tooLarge = named(413, 'too large', 'the body is larger than the service reads.')

function codeSchema(codes: readonly Code[]): JsonSchema {
  const known = codes.map(({ code, name, means }) => named(code, name, `${means}.`))
  return { type: 'integer', oneOf: [...known, tooLarge] }
}

const groups = [...new Set([...Object.keys(groupHttp).map(Number), ...Object.values(turnedAwayGroups)])].toSorted()

const group = { type: 'integer', enum: groups, description: 'The kind of the code.' }

function errorSchema(area: Area): JsonSchema {
  const statusCode = codeSchema([...codesOf(area).values()])
  const recorded = { ...group, description: `${group.description} Recorded; the specification does not have it here.` }
  return {
    type: 'object',
    properties: { message: { type: 'string' }, statusCode, exceptionGroup: area === 'A' ? recorded : group },
    required: ['message', 'statusCode', ...(area === 'A' ? [] : ['exceptionGroup'])],
  }
}

const emptyMembers = ['application_name', 'method_name', 'exception_name', 'status', 'timestamp']

/** The recorded answer to a bad token: it has no code (service.md#sign-in). */
const recordedUnauthenticated = {
  type: 'object',
  properties: {
    message: { type: 'string' },
    ...Object.fromEntries(emptyMembers.map((name) => [name, { type: 'null' }])),
  },
  required: ['message', ...emptyMembers],
}

export const errorSchemas = {
  PayoutError: errorSchema('A'),
  OrderError: errorSchema('B'),
  RecordedUnauthenticated: recordedUnauthenticated,
} as const

const ref = (name: keyof typeof errorSchemas) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: JsonSchema) => ({ 'application/json': { schema } })
const refusedWords = 'Refused: the code says why.'

/** Answers of area A: an unknown object is told by a status of its own where the contract has one. */
function payoutErrors({ wire, ...operation }: Operation): JsonSchema {
  const content = json(ref('PayoutError'))
  const unknown = operation.effect === 'read' ? operation.unknownObject : null
  return {
    [codedErrorHttp]: { description: refusedWords, content },
    ...(wire === 'bearer'
      ? {
          [badTokenHttp]: {
            description: 'No access token, or not a good one: as documented, and as recorded.',
            content: json({ oneOf: [ref('PayoutError'), ref('RecordedUnauthenticated')] }),
          },
        }
      : {}),
    ...(unknown?.http ? { [unknown.http]: { description: 'Not found.', content } } : {}),
    500: { description: 'A general failure: it may have been executed.', content },
  }
}

function sealedErrors(): JsonSchema {
  const content = json(ref('OrderError'))
  const failed = 'A failure: 6010, 6011 and 6013 say that nothing was opened; of the others it may have been executed.'
  const all = [...new Set(Object.values(groupHttp))]
  return Object.fromEntries(all.map((http) => [http, { description: http < 500 ? refusedWords : failed, content }]))
}

export function errorAnswers(operation: Operation): JsonSchema {
  const content = json(ref(operation.area === 'A' ? 'PayoutError' : 'OrderError'))
  return {
    ...(operation.area === 'A' ? payoutErrors(operation) : sealedErrors()),
    ...(operation.carriedIn === 'body' ? { 413: { description: 'The body is too large.', content } } : {}),
  }
}
