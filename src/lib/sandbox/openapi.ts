/** The service as an OpenAPI 3.1 document, made from the contract: the same contract gives the same text. */
import { z } from 'zod'
import { jsonHeaders } from '../client/answer.ts'
import { badTokenHttp, codedErrorHttp, groupHttp, turnedAwayGroups } from '../contract/assumed.ts'
import { codesOf } from '../contract/codes/code-book.ts'
import { type Field, fieldsOf, formsOf, type JsonSchema } from '../contract/core/field.ts'
import { permissions } from '../contract/core/permission.ts'
import type { Area, Operation } from '../contract/operation.ts'
import { firstVersions } from '../contract/operations.ts'
import type { Code } from '../contract/status.ts'
import { writeJson } from '../json.ts'
import { servedOperations } from './routes.ts'
import type { Sandbox } from './sandbox.ts'
import type { SandboxPage } from './server/server.ts'

// Envelopes as areas B, C and D carry them: in a body, in a query, and as an answer.

const identifier = { type: 'string', description: 'Who sends it: the integrator id, or the wallet identifier.' }
const data = (what: string) => ({ type: 'string', contentEncoding: 'base64', description: what })
const withAes = {
  encryptedData: data('The payload, AES-256-CBC with PKCS#7 padding.'),
  encryptedKeys: data('One RSA block: "base64(key).base64(iv)". The padding is agreed.'),
  aes: { type: 'boolean', const: true },
}
const oneBlock = { encryptedData: data('The payload as one RSA block.') }

function members(properties: JsonSchema): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties) }
}

/** The two forms of an envelope: the integrator agrees with the service on one of them. */
const envelopeSchemas = {
  SealedRequest: {
    oneOf: [members({ identifier, ...withAes }), without('encryptedKeys', { identifier, ...oneBlock })],
  },
  SealedAnswer: { oneOf: [members(withAes), without('encryptedKeys', oneBlock)] },
} as const

function without(name: string, properties: JsonSchema): JsonSchema {
  return { ...members(properties), not: { required: [name] } }
}

/** The members of an envelope as parameters of a query. */
const envelopeParameters: readonly JsonSchema[] = Object.entries({ identifier, ...withAes }).map(([name, schema]) => ({
  ...{ name, in: 'query', required: name === 'identifier' || name === 'encryptedData' },
  schema: name === 'aes' ? { type: 'string', enum: ['true'] } : schema,
}))

// Error bodies: plain in every area, with the codes that are known and what each means, as documented and as
// recorded.

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

const errorSchemas = {
  PayoutError: errorSchema('A'),
  OrderError: errorSchema('B'),
  RecordedUnauthenticated: recordedUnauthenticated,
} as const

const refTo = (component: string) => ({ $ref: `#/components/schemas/${component}` })
const json = (schema: JsonSchema) => ({ content: { 'application/json': { schema } } })
const refusedWords = 'Refused: the code says why.'

/** Answers of area A: an unknown object is told by a status of its own where the contract has one. */
function payoutErrors({ wire, ...operation }: Operation): JsonSchema {
  const payoutError = json(refTo('PayoutError'))
  const unknown = operation.effect === 'read' ? operation.unknownObject : null
  return {
    [codedErrorHttp]: { description: refusedWords, ...payoutError },
    ...(wire === 'bearer' && {
      [badTokenHttp]: {
        description: 'No access token, or not a good one: as documented, and as recorded.',
        ...json({ oneOf: [refTo('PayoutError'), refTo('RecordedUnauthenticated')] }),
      },
    }),
    ...(unknown?.http && { [unknown.http]: { description: 'Not found.', ...payoutError } }),
    500: { description: 'A general failure: it may have been executed.', ...payoutError },
  }
}

function sealedErrors(): JsonSchema {
  const orderError = json(refTo('OrderError'))
  const failed = 'A failure: 6010, 6011 and 6013 say that nothing was opened; of the others it may have been executed.'
  const all = [...new Set(Object.values(groupHttp))]
  return Object.fromEntries(
    all.map((http) => [http, { description: http < 500 ? refusedWords : failed, ...orderError }]),
  )
}

function errorAnswers(operation: Operation): JsonSchema {
  const error = json(refTo(operation.area === 'A' ? 'PayoutError' : 'OrderError'))
  return {
    ...(operation.area === 'A' ? payoutErrors(operation) : sealedErrors()),
    ...(operation.carriedIn === 'body' ? { 413: { description: 'The body is too large.', ...error } } : {}),
  }
}

/** The codes that each field takes, by its name, where they are a setting of the service. */
type CodeLists = Readonly<Record<string, readonly string[]>>

/** The schema of a rule for one text: a format, a pattern, a list of words. */
function textSchema(rule: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(rule, { io: 'input', unrepresentable: 'any' })
  return schema
}

function valueSchema(field: Field, rule: z.ZodType, lists: CodeLists): JsonSchema {
  const members = () => (field.members ? requestSchema(field.members, lists) : {})
  const codes = lists[field.name] ?? field.suggestions
  switch (field.json) {
    case 'number':
    case 'boolean':
      return { type: field.json, ...field.schema }
    case 'object':
      return members()
    case 'list':
      return { type: 'array', ...field.schema, items: members() }
    case 'map':
      return { type: 'object', ...field.schema, additionalProperties: members() }
    default:
      return { ...textSchema(rule), ...field.schema, ...(codes ? { enum: codes } : {}) }
  }
}

/** A permission is named with its code: that one is needed has been said by then. */
const permissionInHelp = '; needs a permission of the service'

function sentence({ help, about = help, permission, breachCode }: Field): string {
  const words = permission ? about.replace(permissionInHelp, '') : about
  const needs =
    permission && `Needs the permission ${permissions[permission].words}: otherwise ${permissions[permission].code}.`
  const breach = breachCode === undefined ? undefined : `A breach is ${breachCode}.`
  return [`${words.charAt(0).toUpperCase()}${words.slice(1)}.`, needs, breach].filter(Boolean).join(' ')
}

function exampleOf({ json, example }: Field): JsonSchema {
  if (example === undefined) return {}
  return { examples: [json === 'number' ? Number(example) : example] }
}

/** A field as it is sent: also where it is a parameter of a query. */
function fieldSchema(field: Field, rule: z.ZodType, lists: CodeLists): JsonSchema {
  return {
    ...valueSchema(field, rule, lists),
    description: sentence(field),
    ...exampleOf(field),
    ...(field.secret ? { writeOnly: true } : {}),
  }
}

const isDemanded = ({ required, defaulted }: Field) => required && defaulted !== true

/** Members that are not listed are taken, without effect (service.md#leniency): nothing forbids them here. */
function requestSchema(request: z.ZodObject, lists: CodeLists): JsonSchema {
  const fields = fieldsOf(request)
  const properties = fields.map((field) => [
    field.name,
    fieldSchema(field, request.shape[field.name] as z.ZodType, lists),
  ])
  const required = fields.filter(isDemanded).map(({ name }) => name)
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** The shape itself, where something is mended before it is read. */
function unwrapSchema(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodPipe && schema.def.in instanceof z.ZodTransform
    ? unwrapSchema(schema.def.out as z.ZodType)
    : schema
}

const inValue = (schema: JsonSchema) => ({ type: 'object', properties: { value: schema }, required: ['value'] })

/**
 * The answer as the service writes it. That of a write of area A is documented flat, and was recorded in `value`
 * (service.md#payouts).
 */
function answerSchema({ answer, wrapped, area }: Operation): JsonSchema {
  const members = Object.entries(formsOf(answer))
  const required = members.filter(([, { always }]) => always).map(([name]) => name)
  const object = {
    type: 'object',
    properties: Object.fromEntries(members.map(([name, { form }]) => [name, form])),
    ...(required.length > 0 ? { required } : {}),
  }
  if (unwrapSchema(answer) instanceof z.ZodArray) return { type: 'array', items: object }
  if (wrapped) return inValue(object)
  return area === 'A' ? { oneOf: [object, inValue(object)] } : object
}

const areas: Readonly<Record<Area, string>> = {
  A: 'Payouts and their balance',
  B: 'Orders, subscriptions, users',
  C: 'Bank-wallet orders',
  D: 'Saved cards',
}

const isSealed = ({ wire }: Operation) => wire === 'sealed' || wire === 'wallet'
/** The name of the operation; a first version bears it as well, and is another operation here. */
const idOf = (operation: Operation) => `${operation.name}${firstVersions.includes(operation) ? '.first' : ''}`
const componentOf = (operation: Operation, side: 'request' | 'answer') => `${idOf(operation)}.${side}`
/** The rules of an operation that no schema has, as text. */
function rulesOf(operation: Operation): string {
  const { permission, breachCode, rules, effect, section } = operation
  const id = effect === 'write' ? operation.idField : null
  const duplicate = effect === 'write' ? operation.duplicateCode : null
  const words = [
    `Described in ${section}.`,
    permission &&
      `The integrator needs the permission ${permissions[permission].words}: otherwise ${permissions[permission].code}.`,
    `A breach of a rule that has no code of its own is ${breachCode}.`,
    rules.length > 0 && 'Rules over several fields hold as well; the codes say which.',
    id !== null && `\`${id}\` names this very request${duplicate === null ? '' : `: a second one is ${duplicate}`}.`,
    effect === 'write' && id === null && 'Nothing names this very request: repeated, it may run twice.',
    effect === 'write' &&
      isSealed(operation) &&
      'A lost answer proves nothing: look at what became of it before anything is sent again.',
  ]
  return words.filter(Boolean).join(' ')
}

/** The form of a request on HTTP. */
function describeRequest(operation: Operation, lists: CodeLists): JsonSchema {
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

function describeAnswers(operation: Operation): JsonSchema {
  const answer = refTo(componentOf(operation, 'answer'))
  const description = operation.emptyAnswer ? 'Done; the body may be empty.' : 'Done.'
  const success = isSealed(operation)
    ? { description: `${description} Sealed to the integrator.`, ...json(refTo('SealedAnswer')), 'x-payload': answer }
    : { description, ...json(answer) }
  return { responses: { 200: success, ...errorAnswers(operation) } }
}

function describeOperation(operation: Operation, lists: CodeLists): JsonSchema {
  const { summary, area, wire } = operation
  return {
    operationId: idOf(operation),
    tags: [areas[area]],
    summary: `${summary.charAt(0).toUpperCase()}${summary.slice(1)}`,
    description: rulesOf(operation),
    security: wire === 'bearer' ? [{ bearer: [] }] : [],
    ...describeRequest(operation, lists),
    ...describeAnswers(operation),
  }
}

function paths(lists: CodeLists): JsonSchema {
  const all: Record<string, Record<string, JsonSchema>> = {}
  for (const operation of servedOperations) {
    const { path, method } = operation
    all[path] = { ...all[path], [method.toLowerCase()]: describeOperation(operation, lists) }
  }
  return all
}

// Callbacks (service.md#callbacks): what the service POSTs to the address of an order.

const [text, number] = [{ type: 'string' }, { type: 'number' }]

const callbackSchemas = {
  'callback.payment': {
    type: 'object',
    properties: {
      ...{ amount: number, receiverId: text, receiverType: text, integratorId: text, integratorOrderId: text },
      status: { ...text, description: 'As B2 tells it. Read it again: a callback proves nothing.' },
      ...{ initialCurrency: text, acquiringCurrency: text, acquiringAmount: number },
      ...{ transactionId: { type: 'integer' }, toIban: text },
      cardInfo: {
        type: 'object',
        properties: {
          cardToken: text,
          token: { ...text, description: 'The same, under the name that the guide has.' },
          ...{ provider: text, cardMask: text, expirationDate: text, cardBrand: text },
        },
      },
    },
    required: ['integratorOrderId', 'status'],
  },
  'callback.subscription': {
    type: 'object',
    properties: { subscriptionId: text, historyId: { type: 'integer' }, status: text, amount: number },
    required: ['subscriptionId', 'historyId', 'status'],
  },
} as const

function webhook(name: keyof typeof callbackSchemas, summary: string): JsonSchema {
  const content = json({ oneOf: [refTo('SealedAnswer'), refTo(name)] })
  return {
    post: {
      ...{ operationId: name, summary, 'x-payload': refTo(name) },
      description: 'To callbackUri of the order. Sealed to the integrator, as answers are; to some integrators plain.',
      requestBody: { required: true, ...content },
      responses: { 200: { description: 'Taken. After any other answer it comes again.' } },
    },
  }
}

const webhooks = {
  'callback.payment': webhook('callback.payment', 'A payment of an order has ended'),
  'callback.subscription': webhook('callback.subscription', 'A subscription was charged'),
}

function components(lists: CodeLists): JsonSchema {
  const ofOperations = servedOperations.flatMap((operation) => [
    [componentOf(operation, 'request'), requestSchema(operation.request, lists)],
    [componentOf(operation, 'answer'), answerSchema(operation)],
  ])
  return {
    schemas: { ...envelopeSchemas, ...errorSchemas, ...callbackSchemas, ...Object.fromEntries(ofOperations) },
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
    webhooks,
    components: components(lists),
  }
}

/** The address at which a sandbox shows it, without a token. */
export const openApiPath = '/_sandbox/openapi.json'

export function openApiPage({ context }: Pick<Sandbox, 'context'>): SandboxPage {
  return {
    answer: async ({ method, path }) => {
      if (method !== 'GET' || path !== openApiPath) return null
      const { providers } = (await context()).settings
      return { status: 200, headers: jsonHeaders, body: writeJson(openApiDocument(providers)) }
    },
  }
}
