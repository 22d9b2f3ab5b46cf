#!/usr/bin/env node
// The built program. CommonJS, because it starts faster.
const { existsSync } = require('node:fs')
const { enableCompileCache } = require('node:module')
const { join } = require('node:path')

const root = join(__dirname, '..')

if (existsSync(join(root, 'dist', 'main.js'))) {
  enableCompileCache?.()
  require('../dist/main.js').main(process.argv.slice(2), () => ({ root }))
} else {
  process.stderr.write(
    'paydesk is not built yet: run `npm ci && npm run build` (building needs the development packages).\n',
  )
  process.exitCode = 1
}
