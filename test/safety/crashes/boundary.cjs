// Preloaded into the built program: at one boundary of its first write the process is killed, may write no file any
// more, or has its journal overwritten.
const driver = require('@photostructure/sqlite')
const { strike } = require('./strike.cjs')

const { CRASH_AT: at, CRASH_KIND: kind, CRASH_JOURNAL: journal, CRASH_NTH: nth = '1' } = process.env
const left = { intent: Number(nth), outcome: Number(nth) }
let touched = null

function meet(boundary) {
  if (boundary === at) strike(kind, process.pid, journal)
}

// Called before the statement is executed, which is done when the next microtask begins.
function seeStatement(sql) {
  if (/^begin/i.test(sql)) touched = null
  if (/^insert .*"attempts"/i.test(sql)) touched = 'intent'
  if (/^update .*"attempts"/i.test(sql)) touched = 'outcome'
  if (!/^commit/i.test(sql) || touched === null) return
  left[touched] -= 1
  if (left[touched] !== 0) return
  const [before, after] = touched === 'intent' ? ['before intent', 'after intent'] : ['after answer', 'after outcome']
  meet(before)
  queueMicrotask(() => meet(after))
}

class WatchedDatabase extends driver.DatabaseSync {
  prepare(sql) {
    return new Proxy(super.prepare(sql), {
      get(statement, name) {
        const member = statement[name]
        if (typeof member !== 'function') return member
        return (...values) => {
          if (name === 'all' || name === 'run') seeStatement(sql)
          return member.apply(statement, values)
        }
      },
    })
  }
}

require.cache[require.resolve('@photostructure/sqlite')].exports = { ...driver, DatabaseSync: WatchedDatabase }
