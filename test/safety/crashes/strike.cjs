// What befalls a process, from inside or from outside: by its pid alone.
const { spawnSync } = require('node:child_process')
const { closeSync, existsSync, fstatSync, openSync, writeSync } = require('node:fs')

/** No file may grow or be written any more: to a program that is a full disk. Pipes are no files. */
function fillDisk(pid) {
  const { status, error } = spawnSync('prlimit', ['--pid', String(pid), '--fsize=0:'])
  if (status !== 0) throw error ?? new Error(`prlimit ended with ${status}`)
}

/** Every byte of the database and of what is not yet in it, but for its length. */
function overwrite(path) {
  if (!existsSync(path)) return
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(fstatSync(file).size, 'x'), 0, undefined, 0)
  closeSync(file)
}

/** A server with all of its processes, at one moment: none of them has time to end in its own way. */
function killServer(server) {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const children = [...stdout.matchAll(/^\s*(\d+)\s+(\d+)$/gm)].filter(([, , parent]) => Number(parent) === server)
  process.kill(server, 'SIGKILL')
  for (const [, child] of children) {
    try {
      process.kill(Number(child), 'SIGKILL')
    } catch {
      // It has ended by itself since.
    }
  }
}

exports.strike = (kind, pid, journal, server) => {
  if (kind === 'kill -9') process.kill(pid, 'SIGKILL')
  else if (kind.startsWith('database')) killServer(server)
  else if (kind === 'full disk') fillDisk(pid)
  else if (kind === 'damaged file') for (const suffix of ['', '-wal']) overwrite(`${journal}${suffix}`)
  else throw new Error(`no such crash: ${kind}`)
}
