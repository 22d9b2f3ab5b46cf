/** What a dry run prints: the message as it would leave, or as a curl command. */
import { writeJson } from '../../json.ts'
import type { View } from './view.ts'

/** What would leave the machine, byte for byte. */
export interface DryRun {
  readonly dryRun: true
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** The exact text of the body. */
  readonly body: string | null
  /** What is sealed in it, card tokens masked; null where nothing is sealed. Every sealing has a key of its own. */
  readonly payload: unknown
  /** The same as a curl command, where --curl asked for it. */
  readonly curl: string | null
  readonly profile: string
  readonly environment: string
  readonly warnings: readonly string[]
}

/** What a write comes to, as people see it: the result, or the dry run in its place. */
export function orDryRun<Result extends object>(result: Result | DryRun, view: (result: Result) => View): View {
  return isDryRun(result) ? dryRunView(result) : view(result)
}

function isDryRun(result: object): result is DryRun {
  return 'dryRun' in result
}

/** The message, or the curl command. */
function dryRunView({ method, url, headers, body, payload, curl }: DryRun): View {
  if (curl !== null) return [{ kind: 'text', text: curl }]
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const message = [`${method} ${url}`, ...lines, '', body ?? ''].join('\n')
  const inside: View = payload === null ? [] : [{ kind: 'text', text: `Sealed in it:\n${writeJson(payload, 2)}` }]
  return [{ kind: 'text', text: message }, ...inside]
}
