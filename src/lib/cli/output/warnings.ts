/** The warnings that a result carries in its document: to people they are said on stderr, too. */
export function warningsIn(result: unknown): readonly string[] {
  if (Array.isArray(result)) return result.flatMap(warningsIn)
  if (typeof result !== 'object' || result === null || !('warnings' in result)) return []
  return Array.isArray(result.warnings) ? result.warnings.map(String) : []
}
