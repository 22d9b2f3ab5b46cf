/** Envelopes: a payload held against the rules of its operation, and inspections and diagnoses as people see them. */
import { Args, Flags } from '@oclif/core'
import type { z } from 'zod'
import { JsonNumber } from '../contract/core/decimal.ts'
import { type Field, fieldsOf, readPayload } from '../contract/core/field.ts'
import type { Members } from '../contract/core/members.ts'
import { permissionNames } from '../contract/core/permission.ts'
import { type Circumstances, type Operation, violationInWords, type Wrong } from '../contract/operation.ts'
import { operations } from '../contract/operations.ts'
import { validate } from '../contract/validate.ts'
import type { InspectedField, Inspection } from '../envelope/diagnose/inspect.ts'
import type { OpeningStep } from '../envelope/envelope.ts'
import type { diagnosedResult } from '../envelope/result.ts'
import { schemeFacts } from '../envelope/scheme.ts'
import { Failure } from '../failure.ts'
import { hint } from '../hint.ts'
import { isRecord, readJson } from '../json.ts'
import type { ResultOf } from '../result.ts'
import { readText } from './input.ts'
import type { Invocation } from './invocation.ts'
import { type Block, factsOf, type Labels, labelled, tableOf, textView, type View } from './output/view.ts'

export const envelopeArgs = {
  envelope: Args.string({ description: 'the envelope; stdin if omitted', ignoreStdin: true }),
}

export const envelopeFlag = Flags.string({ description: 'file with the envelope; - is stdin', helpValue: '<file>' })

/** The text of an envelope that is pasted, piped in or named as a file. Throws usage (2). */
export function envelopeText(
  invocation: Invocation,
  { envelope }: { readonly envelope?: string | undefined },
  { file }: { readonly file?: string | undefined },
): Promise<string> {
  return readText({ given: envelope, file, what: 'the envelope' }, invocation)
}

export type Diagnosed = ResultOf<typeof diagnosedResult>

const stepWords: Readonly<Record<OpeningStep, string>> = {
  layout: 'layout: the fields',
  base64: 'base64 of a field',
  'block-length': 'block length: the size of the fields',
  unwrap: 'unwrap: the RSA block',
  'key-and-iv': 'key and IV: the content of the RSA block',
  cipher: 'cipher: AES-256-CBC',
  'utf-8': 'UTF-8: the decrypted bytes',
  json: 'JSON: the decrypted text',
  schema: 'schema: the rules of the operation',
}

function lengths(field: InspectedField | null): string | null {
  if (!field) return null
  if (field.bytes === null) return `${field.characters} characters, not base64`
  return `${field.characters} characters, ${field.base64} base64, ${field.bytes} bytes`
}

const inspectionLabels: Labels<Inspection> = {
  layout: ({ layout }) => layout ?? 'none',
  identifier: 'identifier',
  encryptedData: ({ encryptedData }) => lengths(encryptedData),
  encryptedKeys: ({ encryptedKeys }) => lengths(encryptedKeys),
  'AES blocks': 'cipherBlocks',
  'RSA key': ({ rsaBits }) => rsaBits && `${rsaBits} bits`,
}

function inspectedFacts(inspection: Inspection): Block {
  const schemes = inspection.schemes.map(
    (each, at) => [at === 0 ? 'may be' : '', `${each}: ${schemeFacts[each].words}`] as const,
  )
  return { kind: 'facts', rows: [...labelled(inspection, inspectionLabels), ...schemes] }
}

type Found = readonly { readonly code: string; readonly message: string }[]

function found(title: string, all: Found): View {
  return all.length === 0 ? [] : [{ kind: 'facts', title, rows: all.map(({ code, message }) => [code, message]) }]
}

export function inspectionView(inspection: Inspection): View {
  const none = textView('No damage is visible without a key.')
  const { damage } = inspection
  return [inspectedFacts(inspection), ...(damage.length > 0 ? found('Damage', damage) : none)]
}

const diagnosisLabels: Labels<Diagnosed> = {
  set: 'setting',
  'fails at': ({ step }) => step && stepWords[step],
  'opens with': ({ opensWith }) => opensWith && `${opensWith.scheme}, ${opensWith.key}`,
  'AES key': ({ symmetricKey }) => symmetricKey?.key,
  'AES IV': ({ symmetricKey }) => symmetricKey?.iv,
}

export function diagnosisView(diagnosed: Diagnosed): View {
  const { opens, opensWith, tried, keys, inspection, remedies } = diagnosed
  const otherwise = opensWith
    ? 'It opens, but not with the expected key and scheme.'
    : 'It does not open with the expected key and scheme.'
  const said = remedies.map(({ message }) => message)
  const damage = inspection.damage.filter(({ message }) => !said.includes(message))
  const triedColumns = { key: 'key', scheme: 'scheme', 'fails at': ({ step }) => step ?? 'opens' } satisfies Labels<
    (typeof tried)[number]
  >
  return [
    factsOf(diagnosed, diagnosisLabels, opens ? 'It opens.' : otherwise),
    ...found('How to fix it', remedies),
    ...found('Damage', damage),
    {
      kind: 'facts',
      title: 'Keys',
      rows: keys.map(({ name, bits, fingerprint }) => [name, `${bits} bits, ${fingerprint}`]),
    },
    tableOf(tried, triedColumns, 'No key was tried, because there is nothing to open.'),
  ]
}

export function operationNamed(name: string): Operation {
  const operation = operations.find((each) => each.name === name)
  if (operation) return operation
  throw new Failure(
    'usage',
    `--as: there is no operation "${name}"; there is ${operations.map((each) => each.name).join(', ')}`,
  )
}

/** JSON's own types: inside paydesk every scalar is text, but the service tells 12.50 from "12.50" and true from "true". */
function complaintAbout({ json = 'text' }: Field, value: unknown): string | null {
  const scalar = typeof value === 'string' || typeof value === 'boolean' || value instanceof JsonNumber
  if (!scalar) return null
  if (json === 'number') return value instanceof JsonNumber ? null : 'must be a number, without quotes'
  if (json === 'boolean') return typeof value === 'boolean' ? null : 'must be true or false, without quotes'
  return json === 'text' && typeof value !== 'string' ? 'must be text, in quotes' : null
}

type Path = Wrong['within']

/** The objects that a value holds, each with the way to it. */
function objectsIn(json: Field['json'], value: unknown): readonly (readonly [way: Path, object: Members])[] {
  const places: readonly (readonly [Path, unknown])[] =
    json === 'list' && Array.isArray(value)
      ? value.map((entry, at) => [[at], entry] as const)
      : json === 'map' && isRecord(value)
        ? Object.entries(value).map(([key, entry]) => [[key], entry] as const)
        : [[[], value]]
  return places.flatMap(([way, entry]) => (isRecord(entry) ? [[way, entry] as const] : []))
}

function wrongTypes(request: z.ZodObject, payload: Members): Wrong[] {
  return fieldsOf(request).flatMap((field): Wrong[] => {
    const { name, json, members } = field
    const value = payload[name]
    const message = complaintAbout(field, value)
    if (message !== null) return [{ field: name, within: [], message }]
    if (!members) return []
    return objectsIn(json, value).flatMap(([way, object]) =>
      wrongTypes(members, object).map((each) => ({
        ...each,
        field: name,
        within: [...way, each.field, ...each.within],
      })),
    )
  })
}

/** True if one breach stands at the place of the other, or inside it. */
function standsIn(inner: Wrong, outer: Wrong): boolean {
  return inner.field === outer.field && outer.within.every((step, at) => step === inner.within[at])
}

type Sender = Omit<Circumstances, 'permits'>

/**
 * All breaches of the payload, in words that begin with the field; empty where it is fine. The permissions of the integrator
 * are left to the service.
 */
export function breaches(operation: Operation, text: string, sender: Sender): readonly string[] {
  const payload = readJson(text)
  if (!isRecord(payload)) return ['the payload must be a JSON object']
  const wrong = wrongTypes(operation.request, payload)
  const circumstances = { ...sender, permits: new Set(permissionNames) }
  const checked = validate(operation, readPayload(operation.request, payload), circumstances)
  const broken = checked.ok ? [] : checked.violations
  const rest = broken.filter((each) => !wrong.some((other) => standsIn(each, other)))
  return [...wrong, ...rest].map(violationInWords)
}

/** Throws Failure('usage') where the text is no JSON, in words that do not quote it. */
export function requireJson(text: string): void {
  try {
    readJson(text)
  } catch {
    throw new Failure('usage', 'the payload is not JSON, and the service accepts nothing else')
  }
}

/** Throws Failure('usage') with everything that the payload breaks. */
export function requireFine(operation: Operation, text: string, sender: Sender): void {
  const broken = breaches(operation, text, sender)
  if (broken.length === 0) return
  throw new Failure('usage', broken.join(';\n'), { operation: operation.name, hints: [hint`Nothing was sealed.`] })
}
