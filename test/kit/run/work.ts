/** Milliseconds of work that this process has in something, however busy the machine is with others. */
export function workIn(something: () => void): number {
  const before = process.cpuUsage()
  something()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least work of some runs, as soon as it is little enough: what else the machine does costs caches, too. */
export function leastWorkIn(something: () => void, enough: number, runs = 4): number {
  let least = workIn(something)
  for (let run = 1; run < runs && least >= enough; run += 1) least = Math.min(least, workIn(something))
  return least
}
