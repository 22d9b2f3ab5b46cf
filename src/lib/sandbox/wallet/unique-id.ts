/** A wallet order's id as the store keeps it: any text, and a UUID in capitals is the same one (service.md#wallet). */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function keptUniqueId(uniqueId: string): string {
  return uuid.test(uniqueId) ? uniqueId.toLowerCase() : uniqueId
}
