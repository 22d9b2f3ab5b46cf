/**
 * What may be shown and kept: whoever knows a card token can charge the card, and whoever knows a client secret or an access
 * token is that client. Their place shows that there was one, and nothing of it.
 */
import { JsonNumber } from './decimal.ts'
import { isMembers } from './members.ts'

export const mask = '[hidden]'

/** The names a card token has in answers (specification, events; observed 7), in small letters and nothing else. */
const cardTokens: ReadonlySet<string> = new Set(['cardtoken', 'token'])
const everySecret: ReadonlySet<string> = new Set([...cardTokens, 'clientsecret', 'accesstoken'])

function without(names: ReadonlySet<string>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => without(names, each))
  if (!isMembers(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const isSecret = names.has(name.toLowerCase().replace(/[^a-z]/g, ''))
    const isKept = typeof member === 'string' || member instanceof JsonNumber
    return [name, isSecret && isKept ? mask : without(names, member)]
  })
  return Object.fromEntries(members)
}

export function withoutCardTokens(value: unknown): unknown {
  return without(cardTokens, value)
}

/** Of whatever was sent or answered, client secrets and access tokens among it. */
export function withoutSecrets(value: unknown): unknown {
  return without(everySecret, value)
}
