#!/usr/bin/env -S node --import tsx
// The same from source, without a build.
const { join } = require('node:path')

require('../src/main.ts').main(process.argv.slice(2), join(__dirname, '..'))
