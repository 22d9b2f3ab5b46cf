/** A request as a curl command, to be shown to others. The token is left to a variable. */
import { singleQuoted } from '../shell-word.ts'
import { type HttpRequest, target } from './message.ts'

const tokenVariable = 'PAYDESK_ACCESS_TOKEN'

function header([name, value]: readonly [string, string]): string {
  return name === 'authorization'
    ? `-H "authorization: Bearer $${tokenVariable}"`
    : `-H ${singleQuoted(`${name}: ${value}`)}`
}

export function curlOf(baseUrl: string, request: HttpRequest): string {
  const parts = [
    `curl -X ${request.method} ${singleQuoted(baseUrl + target(request))}`,
    ...Object.entries(request.headers).map(header),
    ...(request.body === null ? [] : [`--data-binary ${singleQuoted(request.body)}`]),
  ]
  return parts.join(' \\\n  ')
}
