/**
 * A receiver's reply to a callback, as it is kept: its beginning, without secrets. A receiver that opened a sealed callback may
 * say back what it read, the token of a card among it.
 */
import { cardTokensIn, mask, withoutSecrets } from '../../contract/mask.ts'
import { readJson, writeJson } from '../../json.ts'
import { shortened } from '../../limits.ts'

function jsonWithoutSecrets(text: string): string {
  try {
    const value = readJson(text)
    const kept = writeJson(withoutSecrets(value))
    // To the letter, where there was nothing to hide.
    return kept === writeJson(value) ? text : kept
  } catch {
    return text
  }
}

/** `plain` is what the callback said: wherever the reply quotes a token of it, no name need tell that it is one. */
export function keptReply(reply: string, plain: string): string {
  const tokens = cardTokensIn(readJson(plain)).flatMap((token) => [token, token.toUpperCase()])
  return shortened(tokens.reduce((text, token) => text.replaceAll(token, mask), jsonWithoutSecrets(reply)))
}
