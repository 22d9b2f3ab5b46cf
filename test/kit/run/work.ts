/** Milliseconds of work that this process has in something, however busy the machine is with others. */
export function workIn(something: () => void): number {
  const before = process.cpuUsage()
  something()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
