#!/usr/bin/env node
// The built program. CommonJS, because it starts faster.
const { join } = require('node:path')
const { enableCompileCache } = require('node:module')

enableCompileCache?.()
require('../dist/main.js').main(process.argv.slice(2), join(__dirname, '..'))
