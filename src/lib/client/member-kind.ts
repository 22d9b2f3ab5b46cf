/** The name of a member without regard to its spelling: `StatusCode` and `status_code` tell the same. */
export function memberKind(name: string): string {
  const plain = name.includes('_') || name.includes('-') ? name.replace(/[_-]/g, '') : name
  return plain.toLowerCase()
}
