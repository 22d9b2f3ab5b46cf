/** The service as an OpenAPI 3.1 document, made from the contract: the same contract gives the same text. */
import type { z } from 'zod'
import { fieldsOf } from '../../contract/core/field.ts'
import type { Area, Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { permissions } from '../../contract/permission.ts'
import { envelopeParameters, envelopeSchemas } from './envelope.ts'
import { errorAnswers, errorSchemas } from './errors.ts'
import { answerSchema, fieldSchema, type JsonSchema, requestSchema } from './schema.ts'

const areas: Readonly<Record<Area, string>> = {
  A: 'Payouts and their balance',
  B: 'Orders, subscriptions, users',
  C: 'Bank-wallet orders',
  D: 'Saved cards',
}

const isSealed = ({ wire }: Operation) => wire === 'sealed' || wire === 'wallet'
const componentOf = ({ name }: Operation, side: 'request' | 'answer') => `${name}.${side}`
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
function carried(operation: Operation): JsonSchema {
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
    const { description, ...schema } = fieldSchema(field, request.shape[field.name] as z.ZodType)
    return { name: field.name, in: 'query', required: field.required && field.defaulted !== true, description, schema }
  })
  return { parameters }
}

function answered(operation: Operation): JsonSchema {
  const answer = refTo(componentOf(operation, 'answer'))
  const description = operation.emptyAnswer ? 'Done; the body may be empty.' : 'Done.'
  const success = isSealed(operation)
    ? { description: `${description} Sealed to the integrator.`, ...json(refTo('SealedAnswer')), 'x-payload': answer }
    : { description, ...json(answer) }
  return { responses: { 200: success, ...errorAnswers(operation.area) } }
}

function described(operation: Operation): JsonSchema {
  const { name, summary, area, wire } = operation
  return {
    operationId: name,
    tags: [areas[area]],
    summary: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    description: rulesOf(operation).join(' '),
    security: wire === 'bearer' ? [{ bearer: [] }] : [],
    ...carried(operation),
    ...answered(operation),
  }
}

function paths(): JsonSchema {
  const all: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of operations) {
    const { path, method } = operation
    all[path] = { ...all[path], [method.toLowerCase()]: described(operation) }
  }
  return all
}

function components(): JsonSchema {
  const ofOperations = operations.flatMap((operation) => [
    [componentOf(operation, 'request'), requestSchema(operation.request)],
    [componentOf(operation, 'answer'), answerSchema(operation)],
  ])
  return {
    schemas: { ...envelopeSchemas, ...errorSchemas, ...Object.fromEntries(ofOperations) },
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer', description: 'The access token of POST /api/auth. Area A only.' },
    },
  }
}

export function openApiDocument(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'The payment service, as paydesk knows it',
      version: '1',
      description:
        'Made from the contract that the desk and the sandbox of paydesk share. What areas B, C and D send is sealed: a payload of the schema in `x-payload` lies in the envelope that is described. Who sends it is told by the envelope; there is no token.',
    },
    servers: [{ url: '/' }],
    tags: Object.values(areas).map((name) => ({ name })),
    paths: paths(),
    components: components(),
  }
}
