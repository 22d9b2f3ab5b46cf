#!/usr/bin/env -S node --import tsx
// The same from source, without a build: the commands of src/commands, and none that was built or listed before.
const { join } = require('node:path')
const { Plugin } = require('@oclif/core')
const pjson = require('../package.json')

const root = join(__dirname, '..')

async function fromSource() {
  const commands = { ...pjson.oclif.commands, target: './src/commands' }
  const source = { ...pjson, oclif: { ...pjson.oclif, commands } }
  const plugin = new Plugin({ root, isRoot: true, pjson: source, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  return { root, plugins: new Map([[plugin.name, plugin]]) }
}

require('../src/main.ts').main(process.argv.slice(2), fromSource)
