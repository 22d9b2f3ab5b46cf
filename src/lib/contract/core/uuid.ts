/** UUIDs as ids of the service: of any version and variant, and the same in capital letters. */

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** One form for every way to write an id: a UUID in small letters, any other text as it is. */
export function normalId(id: string): string {
  return isUuid(id) ? id.toLowerCase() : id
}
