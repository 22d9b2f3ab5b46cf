/** A request to be pasted elsewhere: as JSON, and as a line for a shell. */
import type { Operation } from '../../../contract/operation.ts'
import { operations } from '../../../contract/operations.ts'
import { isRecord, writeJson } from '../../../json.ts'
import { shellWord, singleQuoted } from '../../../shell-word.ts'
import type { WholeRequest } from '../../log/entry.ts'
import type { CopiedText } from '../sections/section.ts'

const asJson = `-H 'content-type: application/json'`

function queryOf(payload: unknown): string {
  if (!isRecord(payload)) return ''
  const pairs = Object.entries(payload).map(([name, value]): [string, string] => [name, String(value)])
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Integrators of the world are profiles of the same name. */
function profileOf({ who }: WholeRequest): string {
  return shellWord(who?.split(' ', 1)[0] ?? 'sandbox')
}

/** Sealed anew on its way: the log keeps texts in the clear. */
function sealedLine({ name, carriedIn }: Operation, request: WholeRequest, address: string, text: string): string {
  const { method } = request
  const layout = carriedIn === 'query' ? ' --layout query' : ''
  const seal = `printf %s ${singleQuoted(text)} | paydesk envelope seal -p ${profileOf(request)} --as ${name}${layout}`
  if (carriedIn === 'query') return `curl -X ${method} ${singleQuoted(address)}"?$(${seal})"`
  return `${seal} |\n  curl -X ${method} ${singleQuoted(address)} ${asJson} --data-binary @-`
}

/** Null where the log does not have the whole of what was asked: another request would be none to copy. */
function asCurl(request: WholeRequest, base: string): string | null {
  const { operation: name, method, path, payload } = request
  const operation = operations.find((each) => each.name === name)
  const address = `${base}${path}`
  const sealed = operation?.wire === 'sealed' || operation?.wire === 'wallet'
  if (!isRecord(payload) && (sealed || payload !== null || operation?.carriedIn === 'body')) return null
  const text = payload === null ? '' : writeJson(payload)
  if (operation && sealed) {
    return sealedLine(operation, request, address, text)
  }
  const words = [
    `curl -X ${method}`,
    singleQuoted(operation?.carriedIn === 'query' ? `${address}${queryOf(payload)}` : address),
    ...(operation?.wire === 'bearer' ? [`-H "authorization: Bearer $TOKEN"`] : []),
    ...(text === '' || operation?.carriedIn === 'query' ? [] : [asJson, `--data-binary ${singleQuoted(text)}`]),
  ]
  return words.join(' \\\n  ')
}

/** Secrets stay hidden, as everywhere in the log. */
export function copiesOf(request: WholeRequest, base: string): readonly CopiedText[] {
  const curl = asCurl(request, base)
  return [{ as: 'JSON', text: writeJson(request, 2) }, ...(curl === null ? [] : [{ as: 'curl', text: curl }])]
}
