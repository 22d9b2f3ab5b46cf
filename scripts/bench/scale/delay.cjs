// A way to a server that takes its time: `delay.cjs <port> <milliseconds>`. Every piece arrives so much later, in both directions.
const { connect, createServer } = require('node:net')

const [port, late] = process.argv.slice(2).map(Number)

function passOn(from, to) {
  from.setNoDelay(true)
  from.on('data', (piece) => setTimeout(() => to.destroyed || to.write(piece), late))
  from.on('close', () => setTimeout(() => to.destroy(), late))
  from.on('error', () => undefined)
}

const way = createServer((client) => {
  const server = connect(port, '127.0.0.1')
  passOn(client, server)
  passOn(server, client)
})
way.listen(0, '127.0.0.1', () => process.send(way.address().port))
