/** Requests to the sandbox, and their verdicts. */
import type { InspectedField } from '../../../envelope/diagnose/inspect.ts'
import { writeJson } from '../../../json.ts'
import { newestOf, rowNamed } from '../../../store/sandbox/search.ts'
import { localMoment } from '../../clock/clock.ts'
import { describeRequest, describeWhole, type RequestEntry, type WholeRequest } from '../../log/entry.ts'
import { notExecuted } from '../../log/verdict.ts'
import { type Facts, moment, most, type Section, shortly, type Tone } from './section.ts'

function toneOf({ http, code, fault, verdict }: RequestEntry): Tone {
  if (fault !== null) return 'waiting'
  const isRefused = http === null || code !== null || http >= 400 || verdict.startsWith(notExecuted)
  return isRefused ? 'bad' : 'good'
}

const local = (time: string) => localMoment(Date.parse(time))

function lengths(field: InspectedField | null): string | null {
  if (!field) return null
  const { characters, base64, bytes } = field
  return bytes === null
    ? `${characters} characters, no base64`
    : `${characters} characters, ${base64} base64, ${bytes} bytes`
}

const remarked = (remarks: readonly string[]) =>
  remarks.map((remark, at) => [at === 0 ? 'remarks' : '', remark] as const)

/** The rows about an envelope. The step that failed stands in front: no other row names it. */
function envelopeFacts({ envelope }: WholeRequest): Facts[] {
  if (!envelope) return []
  const { layout, opened, step, sealedTo, identifier, encryptedData, encryptedKeys, cipherBlocks, rsaBits, remarks } =
    envelope
  return [
    {
      title: 'Envelope',
      rows: [
        ['sealed to', sealedTo],
        ['did not open at', step],
        ['opened with', opened],
        ['lay as', layout ?? 'nothing of the kind'],
        ['identifier', identifier],
        ['encryptedData', lengths(encryptedData)],
        ['encryptedKeys', lengths(encryptedKeys)],
        ['AES blocks', cipherBlocks],
        ['RSA key', rsaBits === null ? null : `${rsaBits} bits`],
        ...remarked(remarks),
      ],
    },
  ]
}

function json(title: string, value: unknown) {
  return value === null ? [] : [{ title, text: writeJson(value, 2) }]
}

/** The order, payout or wallet order that a request is about: by this everything else about it is found. */
function aboutOf({ payload }: WholeRequest): string | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined
  const members = payload as Readonly<Record<string, unknown>>
  const id = members.integratorOrderId ?? members.uniqueId ?? members.subscriptionId ?? members.transaction_id
  return id === undefined || id === null ? undefined : String(id)
}

export const requestsSection: Section = {
  name: 'requests',
  title: 'Requests',
  table: 'requests',
  columns: [
    { name: 'time', kind: 'id' },
    { name: 'operation' },
    { name: 'answer', kind: 'status' },
    { name: 'who', kind: 'id', minor: true },
    { name: 'verdict', kind: 'words', minor: true },
    { name: 'ms', kind: 'amount', minor: true },
  ],
  empty: 'Nobody has asked anything yet.',
  rows: async ({ db, now, words, names }) =>
    (await newestOf(db, 'requests', words, most)).map((row) => {
      const request = describeRequest(row, names)
      const { id, operation, method, path, http, code, who, identifier, verdict, milliseconds, fault } = request
      const said = verdict.startsWith(`${notExecuted}: `) ? verdict.slice(notExecuted.length + 2) : null
      const answer = [http ?? 'none', code, said, fault].filter((part) => part !== null).join(' · ')
      return {
        id: String(id),
        tone: toneOf(request),
        cells: [
          shortly(row.time, now),
          operation ?? `${method} ${path}`,
          answer,
          who ?? identifier,
          [verdict, ...request.remarks].join(' · '),
          milliseconds,
        ],
      }
    }),
  detail: async ({ db, names }, id) => {
    const row = await rowNamed(db, 'requests', id)
    if (!row) return null
    const request = describeWhole(row, names)
    const { operation, http, code, verdict, rule, fault, method, path, time, milliseconds, who, identifier } = request
    const about = aboutOf(request)
    return {
      title: operation ?? `${method} ${path}`,
      tone: toneOf(request),
      status: `${http === null ? 'no whole answer' : `HTTP ${http}`}${code === null ? '' : `, code ${code}`}`,
      ...(about === undefined ? {} : { about }),
      facts: [
        {
          title: 'Verdict',
          rows: [['verdict', verdict], ['rule', rule], ...remarked(request.remarks), ['fault', fault]],
        },
        ...envelopeFacts(request),
        {
          title: 'Request',
          rows: [
            ['number', request.id],
            ['who', who],
            ['identity', identifier],
            ['sent', `${method} ${path}`],
            ['time', moment(local(time))],
            ['took', `${milliseconds} ms`],
          ],
        },
      ],
      texts: [...json('Payload', request.payload), ...json('Answer', request.answer)],
    }
  },
}
