#!/usr/bin/env node
// The built program. CommonJS, because it starts faster.
const { existsSync } = require('node:fs')
const { join } = require('node:path')

const root = join(__dirname, '..')

if (existsSync(join(root, 'dist', 'main.js'))) {
  require('../dist/main.js').main(process.argv.slice(2), () => ({
    root,
    ...require('../dist/listing.json'),
    helpPage: (id) => require(`../dist/${['help', ...id.split(':')].filter(Boolean).join('/')}.json`),
    completion: () => require('../dist/completion.json'),
    load: (id) => require(`../dist/commands/${id.replaceAll(':', '/')}.js`),
  }))
} else {
  process.stderr.write(
    'paydesk is not built yet: run `npm ci && npm run build` (building needs the development packages).\n',
  )
  process.exitCode = 1
}
