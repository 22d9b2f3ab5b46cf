/** The limits of foreign texts: on the wire, and in the words of a message. */

/** Bytes of a body, of a request or of an answer. The specification shows no limit; nothing of it needs a thousandth. */
export const largestBody = 8 * 1024 * 1024

/** The same for people. */
export const largestBodyInWords = '8 MiB'

/** Bytes of a message in words, in UTF-8. */
export const longestMessage = 4096

/** Room for the words about the rest, so that a text that was cut once is not cut again. */
const roomForRest = 64

/** The message itself, or its beginning and how much more there was. No character is cut in two. */
export function shortened(message: string): string {
  // A character has one byte at least, and a unit of UTF-16 three at most.
  if (message.length <= longestMessage / 3 || Buffer.byteLength(message) <= longestMessage) return message
  const { read } = new TextEncoder().encodeInto(message, new Uint8Array(longestMessage - roomForRest))
  return `${message.slice(0, read)}… ${message.length - read} more characters`
}
