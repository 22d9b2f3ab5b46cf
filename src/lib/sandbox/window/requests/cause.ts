/** The verdict on a request, for whoever sent it: the cause first, the step that failed after it, the rule last. */
import type { InspectedField } from '../../../envelope/diagnose/inspect.ts'
import type { RequestEntry, WholeRequest } from '../../log/entry.ts'
import { notExecuted } from '../../log/verdict.ts'
import type { Facts, Tone } from '../sections/section.ts'

/** True if the service has said no. What a fault made of an answer is no verdict of the service. */
function isRefused({ http, code, verdict, fault }: RequestEntry): boolean {
  if (code !== null || verdict.startsWith(notExecuted)) return true
  return fault === null && (http === null || http >= 400)
}

export function requestTone(request: RequestEntry): Tone {
  if (request.fault !== null) return 'waiting'
  return isRefused(request) ? 'bad' : 'good'
}

const remarked = (remarks: readonly string[]) =>
  remarks.map((remark, at) => [at === 0 ? 'remarks' : '', remark] as const)

function sentence(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** An envelope that does not open is the same 6010 whatever the reason: here the reason stands first. */
export function causeOf(request: WholeRequest): string | null {
  if (!isRefused(request)) return null
  const { envelope, verdict } = request
  const [remedy] = envelope?.step ? envelope.remarks : []
  return sentence(remedy !== undefined && envelope?.sealedTo === null ? remedy : verdict)
}

export function verdictFacts(request: WholeRequest): Facts {
  const { envelope, verdict, rule, remarks, fault } = request
  return {
    title: 'Verdict',
    rows: [
      ['failed at', envelope?.step ?? null],
      ['verdict', causeOf(request) === sentence(verdict) ? null : verdict],
      ['rule', rule],
      ...remarked(remarks),
      ['fault', fault],
    ],
  }
}

function lengths(field: InspectedField | null): string | null {
  if (!field) return null
  const { characters, base64, bytes } = field
  return bytes === null
    ? `${characters} characters, no base64`
    : `${characters} characters, ${base64} base64, ${bytes} bytes`
}

export function envelopeFacts(request: WholeRequest): Facts[] {
  const { envelope } = request
  if (!envelope) return []
  const { layout, opened, sealedTo, identifier, encryptedData, encryptedKeys, cipherBlocks, rsaBits, remarks } =
    envelope
  const said = causeOf(request)
  return [
    {
      title: 'Envelope',
      rows: [
        ['sealed to', sealedTo],
        ['opened with', opened],
        ['lay as', layout ?? 'nothing of the kind'],
        ['identifier', identifier],
        ['encryptedData', lengths(encryptedData)],
        ['encryptedKeys', lengths(encryptedKeys)],
        ['AES blocks', cipherBlocks],
        ['RSA key', rsaBits === null ? null : `${rsaBits} bits`],
        ...remarked(remarks.filter((remark) => sentence(remark) !== said)),
      ],
    },
  ]
}
