/**
 * A request as a curl command without secrets: `paydesk token` brings the access token by a pipe, so that it stands in
 * no list of processes, and `paydesk envelope seal` makes the envelope.
 */
import { type HttpRequest, target } from '../http/message.ts'
import { shellWord, singleQuoted } from '../text.ts'

function header([name, value]: readonly [string, string]): string {
  return name === 'authorization' ? '-H @-' : `-H ${singleQuoted(`${name}: ${value}`)}`
}

/** `profile`: the one whose token goes with it. */
export function curlOf(baseUrl: string, request: HttpRequest, profile: string): string {
  const token = 'authorization' in request.headers ? `paydesk token --header -p ${shellWord(profile)} | ` : ''
  const parts = [
    `${token}curl -X ${request.method} ${singleQuoted(baseUrl + target(request))}`,
    ...Object.entries(request.headers).map(header),
    ...(request.body === null ? [] : [`--data-binary ${singleQuoted(request.body)}`]),
  ]
  return parts.join(' \\\n  ')
}

interface SealedText {
  readonly text: string
  /** An operation of the same area: says which keys seal it. */
  readonly as: string
  readonly profile: string
}

/** Its envelope is made anew each time. */
export function sealedCurlOf(baseUrl: string, request: HttpRequest, { text, as, profile }: SealedText): string {
  const inQuery = request.body === null
  const layout = inQuery ? ' --layout query' : ''
  const parts = [
    `printf '%s' ${singleQuoted(text)} |`,
    `paydesk envelope seal --as ${as}${layout} -p ${shellWord(profile)} |`,
    `curl ${inQuery ? '-G ' : ''}-X ${request.method} ${singleQuoted(baseUrl + request.path)}`,
    ...Object.entries(request.headers).map(header),
    inQuery ? '-d @-' : '--data-binary @-',
  ]
  return parts.join(' \\\n  ')
}
