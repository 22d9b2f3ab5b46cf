/** The warnings that a result carries in its document: to people they are said on stderr, too. */
export function warningsIn(result: unknown): readonly string[] {
  if (Array.isArray(result)) return result.flatMap(warningsIn)
  if (typeof result !== 'object' || result === null || !('warnings' in result)) return []
  return Array.isArray(result.warnings) ? result.warnings.map(String) : []
}

/** The result with these among its warnings; one that is no object has no place for them. */
export function withWarnings<Result>(result: Result, more: readonly string[]): Result {
  if (more.length === 0 || typeof result !== 'object' || result === null || Array.isArray(result)) return result
  return { ...result, warnings: [...warningsIn(result), ...more] }
}

/** The id of the thing that a result is about; null where it names none. */
export function idIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null
  const ids = ['uniqueId', 'integratorOrderId', 'transactionId', 'journalId'].flatMap((name) => {
    const id = Object.entries(result).find(([member]) => member === name)?.[1]
    return typeof id === 'string' ? [id] : []
  })
  return ids[0] ?? null
}
