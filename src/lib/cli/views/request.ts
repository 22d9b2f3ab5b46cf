/** A request of the sandbox's log as a terminal shows it. */
import type { InspectedField } from '../../envelope/diagnose/inspect.ts'
import { printableJson } from '../../json.ts'
import type { RequestEntry, WholeRequest } from '../../sandbox/log/entry.ts'
import type { Block } from '../drawing/block.ts'
import { type Zone, zonedTime } from '../time/zoned-time.ts'
import type { View } from './view.ts'

/** Hours are enough for a log; the head names their zone. */
export function requestTable(requests: readonly RequestEntry[], zone: Zone): View {
  const offset = zonedTime(Date.parse(requests[0]?.time ?? '1970-01-01'), zone).offset
  const anyRemarked = requests.some(({ remarks }) => remarks.length > 0)
  return [
    {
      kind: 'table',
      head: [
        'id',
        `time ${offset}`,
        'operation',
        'who',
        'HTTP',
        'code',
        'fault',
        'verdict',
        ...(anyRemarked ? ['remarks'] : []),
      ],
      rows: requests.map(({ id, time, method, path, operation, who, http, code, fault, verdict, remarks }) => [
        id,
        `${zonedTime(Date.parse(time), zone).time}${time.slice(19, 23)}`,
        operation ?? `${method} ${path}`,
        who,
        http,
        code,
        fault,
        verdict,
        ...(anyRemarked ? [remarks.join('; ') || null] : []),
      ]),
      empty: 'No requests found.',
    },
  ]
}

function lengths(field: InspectedField | null): string | null {
  return field && `${field.characters} characters${field.bytes === null ? ', no base64' : `, ${field.bytes} bytes`}`
}

const remarked = (remarks: readonly string[]) =>
  remarks.map((remark, at) => [at === 0 ? 'remarks' : '', remark] as const)

function envelope({ envelope }: WholeRequest): Block[] {
  if (!envelope) return []
  const { layout, opened, step, sealedTo, encryptedData, encryptedKeys, rsaBits, remarks } = envelope
  const rows: Extract<Block, { kind: 'facts' }>['rows'] = [
    ['lay as', layout ?? 'nothing of the kind'],
    ['opened with', opened],
    ['did not open at', step],
    ['sealed to', sealedTo],
    ['encryptedData', lengths(encryptedData)],
    ['encryptedKeys', lengths(encryptedKeys)],
    ['RSA key', rsaBits === null ? null : `${rsaBits} bits`],
    ...remarked(remarks),
  ]
  return [{ kind: 'facts', title: 'Envelope', rows }]
}

function json(title: string, value: unknown): Block[] {
  return value === null ? [] : [{ kind: 'text', text: `${title}\n${printableJson(value, 2)}` }]
}

export function wholeRequestView(request: WholeRequest): View {
  const { id, time, milliseconds, method, path, operation, who, identifier, http, code, verdict, rule, fault } = request
  return [
    {
      kind: 'facts',
      rows: [
        ['request', id],
        ['time', `${time}, ${milliseconds} ms`],
        ['', `${method} ${path}`],
        ['operation', operation],
        ['who', [who, identifier].filter((part) => part !== null).join(', ') || null],
        ['verdict', verdict],
        ['rule', rule],
        ...remarked(request.remarks),
        ['HTTP', http ?? 'no whole answer'],
        ['code', code],
        ['fault', fault],
      ],
    },
    ...json('Payload', request.payload),
    ...envelope(request),
    ...json('Answer', request.answer),
  ]
}
