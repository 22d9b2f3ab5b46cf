// Preloaded into the built program: at one boundary of its first write over a team's store the process is killed, or
// the server that it talks to, with all of its processes.
const { Socket } = require('node:net')
const { strike } = require('./strike.cjs')

const { CRASH_AT: at, CRASH_KIND: kind, CRASH_PORT: port, CRASH_SERVER: server, CRASH_NTH: nth = '1' } = process.env
const left = { intent: Number(nth), outcome: Number(nth) }
const write = Socket.prototype.write
let touched = null

function meet(boundary) {
  if (boundary === at) strike(kind, process.pid, '', Number(server))
}

function seen(socket, text) {
  // A call of the database commits by itself; what it opens and what it finishes stand in its request.
  const isCall = text.includes('{"changes":{')
  if (/insert into "attempts"/i.test(text) || (isCall && !text.includes('"attempts":[]'))) touched = 'intent'
  if (/update "attempts"/i.test(text) || (isCall && !text.includes('"tried":[]'))) touched = 'outcome'
  if (touched === null || !(isCall || /commit\0/.test(text))) return
  const [before, after] = touched === 'intent' ? ['before intent', 'after intent'] : ['after answer', 'after outcome']
  left[touched] -= 1
  const isIt = left[touched] === 0
  touched = null
  if (!isIt) return
  meet(before)
  const hear = (answer) => {
    if (!answer.includes(isCall ? 'SELECT 1\0' : 'COMMIT\0')) return
    socket.off('data', hear)
    meet(after)
  }
  socket.prependListener('data', hear)
}

Socket.prototype.write = function (piece, ...more) {
  if (String(this.remotePort) === port) seen(this, Buffer.from(piece).toString('latin1'))
  return write.call(this, piece, ...more)
}
