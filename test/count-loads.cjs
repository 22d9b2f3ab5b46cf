// Preloaded into the built program: writes at its end which files it loaded, in the order it did, to the file that LOADS names.
const { writeFileSync } = require('node:fs')

process.on('exit', () => {
  const loaded = Object.keys(require.cache).filter((file) => file !== __filename)
  writeFileSync(process.env.LOADS, JSON.stringify(loaded))
})
