/** Error bodies: plain in every area, with the codes that are known and what each means. */
import { badTokenHttp, codedErrorHttp, groupHttp, unknownPayout } from '../../contract/assumed.ts'
import type { Code } from '../../contract/codes/code.ts'
import { codesOf } from '../../contract/codes/code-book.ts'
import type { Area } from '../../contract/operation.ts'
import type { JsonSchema } from './schema.ts'

function codeSchema(codes: readonly Code[]): JsonSchema {
  return { oneOf: codes.map(({ code, name, means }) => ({ const: code, title: name, description: `${means}.` })) }
}

function errorSchema(area: Area): JsonSchema {
  const statusCode = codeSchema([...codesOf(area).values()])
  const group = { type: 'integer', enum: Object.keys(groupHttp).map(Number), description: 'The kind of the code.' }
  const grouped = area === 'A' ? {} : { exceptionGroup: group }
  return {
    type: 'object',
    properties: { message: { type: 'string' }, statusCode, ...grouped },
    required: area === 'A' ? ['message'] : ['message', 'statusCode', 'exceptionGroup'],
  }
}

export const errorSchemas = { PayoutError: errorSchema('A'), OrderError: errorSchema('B') } as const

const statuses: Readonly<Record<'payout' | 'order', readonly (readonly [http: number, what: string])[]>> = {
  payout: [
    [codedErrorHttp, 'Refused: the code says why.'],
    [badTokenHttp, 'No access token, or not a good one.'],
    [unknownPayout.http, 'Not found.'],
    [500, 'A general failure: it may have been executed.'],
  ],
  order: [...new Set(Object.values(groupHttp))].map((http) => [
    http,
    http < 500
      ? 'Refused: the code says why.'
      : 'A failure: 6010, 6011 and 6013 say that nothing was opened; of the others it may have been executed.',
  ]),
}

export function errorAnswers(area: Area): JsonSchema {
  const name = area === 'A' ? 'PayoutError' : 'OrderError'
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } }
  const known = statuses[area === 'A' ? 'payout' : 'order']
  return Object.fromEntries(known.map(([http, description]) => [http, { description, content }]))
}
