/** Inspections and diagnoses of envelopes as people see them. */
import type { InspectedField, Inspection } from '../../envelope/diagnose/inspect.ts'
import type { diagnosedResult } from '../../envelope/diagnose/result.ts'
import type { OpeningStep } from '../../envelope/envelope.ts'
import { schemeFacts } from '../../envelope/scheme.ts'
import type { ResultOf } from '../../result.ts'
import type { Block } from '../drawing/block.ts'
import type { View } from './view.ts'

/** A diagnosis as it leaves the program. */
export type Diagnosed = ResultOf<typeof diagnosedResult>

const stepWords: Readonly<Record<OpeningStep, string>> = {
  layout: 'layout: which fields there are',
  base64: 'base64 of a field',
  'block-length': 'block length: how long the fields are',
  unwrap: 'unwrap: the RSA block',
  'key-and-iv': 'key and IV: what stands in the RSA block',
  cipher: 'cipher: AES-256-CBC',
  'utf-8': 'UTF-8: the bytes that came out',
  json: 'JSON: the text that came out',
  schema: 'schema: the rules of the operation',
}

function lengths(field: InspectedField | null): string | null {
  if (!field) return null
  if (field.bytes === null) return `${field.characters} characters, no base64`
  return `${field.characters} characters, ${field.base64} base64, ${field.bytes} bytes`
}

function facts({
  layout,
  identifier,
  encryptedData,
  encryptedKeys,
  cipherBlocks,
  rsaBits,
  schemes,
}: Diagnosed['inspection']): Block {
  return {
    kind: 'facts',
    rows: [
      ['layout', layout ?? 'none'],
      ['identifier', identifier],
      ['encryptedData', lengths(encryptedData)],
      ['encryptedKeys', lengths(encryptedKeys)],
      ['AES blocks', cipherBlocks],
      ['RSA key', rsaBits === null ? null : `${rsaBits} bits`],
      ...schemes.map((scheme, at) => [at === 0 ? 'may be' : '', `${scheme}: ${schemeFacts[scheme].words}`] as const),
    ],
  }
}

function damages({ damage }: Diagnosed['inspection']): Block[] {
  if (damage.length === 0) return []
  return [{ kind: 'facts', title: 'Damage', rows: damage.map(({ code, message }) => [code, message]) }]
}

export function inspectionView(inspection: Inspection): View {
  const none: Block = { kind: 'text', text: 'No damage that can be seen without a key.' }
  const found = damages(inspection)
  return [facts(inspection), ...(found.length > 0 ? found : [none])]
}

function verdict({ opens, step, setting, opensWith, symmetricKey }: Diagnosed): Block {
  return {
    kind: 'facts',
    title: opens ? 'It opens.' : 'It does not open as it is set.',
    rows: [
      ['set', setting],
      ['fails at', step && stepWords[step]],
      ['opens with', opensWith && `${opensWith.scheme}, ${opensWith.key}`],
      ['AES key', symmetricKey?.key],
      ['AES IV', symmetricKey?.iv],
    ],
  }
}

function mending({ remedies }: Diagnosed): Block[] {
  if (remedies.length === 0) return []
  return [{ kind: 'facts', title: 'What would mend it', rows: remedies.map(({ code, message }) => [code, message]) }]
}

export function diagnosisView(diagnosed: Diagnosed): View {
  const { tried, keys, inspection } = diagnosed
  const said = diagnosed.remedies.map(({ message }) => message)
  return [
    verdict(diagnosed),
    ...mending(diagnosed),
    ...damages({ ...inspection, damage: inspection.damage.filter(({ message }) => !said.includes(message)) }),
    {
      kind: 'facts',
      title: 'Keys',
      rows: keys.map(({ name, bits, fingerprint }) => [name, `${bits} bits, ${fingerprint}`]),
    },
    {
      kind: 'table',
      head: ['key', 'scheme', 'fails at'],
      rows: tried.map(({ key, scheme, step }) => [key, scheme, step ?? 'opens']),
      empty: 'No key was tried: there is nothing to open.',
    },
  ]
}
