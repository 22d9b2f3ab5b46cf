/** A request as a curl command, for whoever must show it to somebody. The token is left to a variable. */
import { type HttpRequest, target } from './message.ts'

const tokenVariable = 'PAYDESK_ACCESS_TOKEN'

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function header([name, value]: readonly [string, string]): string {
  return name === 'authorization' ? `-H "authorization: Bearer $${tokenVariable}"` : `-H ${quoted(`${name}: ${value}`)}`
}

export function curlOf(baseUrl: string, request: HttpRequest): string {
  const parts = [
    `curl -X ${request.method} ${quoted(baseUrl + target(request))}`,
    ...Object.entries(request.headers).map(header),
    ...(request.body === null ? [] : [`--data-binary ${quoted(request.body)}`]),
  ]
  return parts.join(' \\\n  ')
}
