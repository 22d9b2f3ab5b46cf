/** Loaded before a program: writes what it has used into the file that BENCH_USAGE names, when it ends. */
const { readFileSync, writeFileSync } = require('node:fs')

process.on('exit', () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  let written = 0
  try {
    written = Number(/^write_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
  } catch {
    // The system does not say.
  }
  writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, written }))
})
