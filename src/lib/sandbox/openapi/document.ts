/** The service as an OpenAPI 3.1 document, made from the contract: the same contract gives the same text. */
import type { z } from 'zod'
import { fieldsOf, type JsonSchema } from '../../contract/core/field.ts'
import { permissions } from '../../contract/core/permission.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import { firstVersions, operations } from '../../contract/operations.ts'
import { envelopeParameters, envelopeSchemas } from './envelope.ts'
import { errorAnswers, errorSchemas } from './errors.ts'
import { answerSchema, type CodeLists, fieldSchema, isDemanded, requestSchema } from './schema.ts'

const areas: Readonly<Record<Area, string>> = {
  A: 'Payouts and their balance',
  B: 'Orders, subscriptions, users',
  C: 'Bank-wallet orders',
  D: 'Saved cards',
}

const every = [...operations, ...firstVersions]
const isSealed = ({ wire }: Operation) => wire === 'sealed' || wire === 'wallet'
/** The name of the operation; a first version bears it as well, and is another operation here. */
const idOf = (operation: Operation) => `${operation.name}${firstVersions.includes(operation) ? '.first' : ''}`
const componentOf = (operation: Operation, side: 'request' | 'answer') => `${idOf(operation)}.${side}`
const refTo = (component: string) => ({ $ref: `#/components/schemas/${component}` })
const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })

/** The rules of an operation that no schema has, as text. */
function rulesOf(operation: Operation): string[] {
  const { permission, breachCode, rules, effect, section } = operation
  return [
    `Described in ${section}.`,
    ...(permission
      ? [
          `The integrator needs the permission ${permissions[permission].words}: otherwise ${permissions[permission].code}.`,
        ]
      : []),
    `A breach of a rule that has no code of its own is ${breachCode}.`,
    ...(rules.length > 0 ? ['Rules over several fields hold as well; the codes say which.'] : []),
    ...(operation.effect === 'write' && operation.idField !== null
      ? [
          `\`${operation.idField}\` names this very request${operation.duplicateCode === null ? '' : `: a second one is ${operation.duplicateCode}`}.`,
        ]
      : []),
    ...(operation.effect === 'write' && operation.idField === null
      ? ['Nothing names this very request: repeated, it may run twice.']
      : []),
    ...(effect === 'write' && isSealed(operation)
      ? ['A lost answer proves nothing: look at what became of it before anything is sent again.']
      : []),
  ]
}

/** The form of a request on HTTP. */
function carried(operation: Operation, lists: CodeLists): JsonSchema {
  const { carriedIn, request } = operation
  const payload = { 'x-payload': refTo(componentOf(operation, 'request')) }
  if (isSealed(operation)) {
    if (carriedIn === 'query') return { parameters: envelopeParameters, ...payload }
    return { requestBody: { required: true, ...json(refTo('SealedRequest')) }, ...payload }
  }
  if (carriedIn === 'body') {
    return { requestBody: { required: true, ...json(refTo(componentOf(operation, 'request'))) } }
  }
  const parameters = fieldsOf(request).map((field) => {
    const { description, ...schema } = fieldSchema(field, request.shape[field.name] as z.ZodType, lists)
    return { name: field.name, in: 'query', required: isDemanded(field), description, schema }
  })
  return { parameters }
}

function answered(operation: Operation): JsonSchema {
  const answer = refTo(componentOf(operation, 'answer'))
  const description = operation.emptyAnswer ? 'Done; the body may be empty.' : 'Done.'
  const success = isSealed(operation)
    ? { description: `${description} Sealed to the integrator.`, ...json(refTo('SealedAnswer')), 'x-payload': answer }
    : { description, ...json(answer) }
  return { responses: { 200: success, ...errorAnswers(operation) } }
}

function described(operation: Operation, lists: CodeLists): JsonSchema {
  const { summary, area, wire } = operation
  return {
    operationId: idOf(operation),
    tags: [areas[area]],
    summary: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    description: rulesOf(operation).join(' '),
    security: wire === 'bearer' ? [{ bearer: [] }] : [],
    ...carried(operation, lists),
    ...answered(operation),
  }
}

function paths(lists: CodeLists): JsonSchema {
  const all: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of every) {
    const { path, method } = operation
    all[path] = { ...all[path], [method.toLowerCase()]: described(operation, lists) }
  }
  return all
}

function components(lists: CodeLists): JsonSchema {
  const ofOperations = every.flatMap((operation) => [
    [componentOf(operation, 'request'), requestSchema(operation.request, lists)],
    [componentOf(operation, 'answer'), answerSchema(operation)],
  ])
  return {
    schemas: { ...envelopeSchemas, ...errorSchemas, ...Object.fromEntries(ofOperations) },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The access token of POST /api/auth. Area A only.' },
    },
  }
}

/** With the lists of codes that a service takes, where they are others than those in use. */
export function openApiDocument(lists: CodeLists = {}): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'The payment service',
      version: '1',
      description:
        'Payouts (area A), e-commerce orders (B), bank-wallet orders (C) and saved cards (D). What areas B, C and D send is sealed: a payload of the schema in `x-payload` lies in the envelope that is described. Who sends it is told by the envelope; there is no token. Errors and answers are described as the specification has them and as they were recorded; members that are not listed pass in requests, without effect.',
    },
    servers: [{ url: '/' }],
    tags: Object.values(areas).map((name) => ({ name })),
    paths: paths(lists),
    components: components(lists),
  }
}
