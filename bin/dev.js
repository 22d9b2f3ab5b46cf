#!/usr/bin/env -S node --import tsx
// The same from source, without a build: the commands of src/commands, and none that was built or listed before.
const { join } = require('node:path')
const { Config, Plugin } = require('@oclif/core')
const pjson = require('../package.json')
const { completionTree } = require('../src/lib/cli/completion/tree.ts')
const { helpPageOf } = require('../src/lib/cli/help/pages.ts')
const { listingOf } = require('../src/lib/cli/program/config.ts')

const root = join(__dirname, '..')

async function fromSource() {
  const commands = { ...pjson.oclif.commands, target: './src/commands' }
  const source = { ...pjson, oclif: { ...pjson.oclif, commands } }
  const plugin = new Plugin({ root, isRoot: true, pjson: source, ignoreManifest: true, errorOnManifestCreate: true })
  await plugin.load()
  const config = await Config.load({ root, plugins: new Map([[plugin.name, plugin]]) })
  return {
    root,
    ...listingOf(config),
    config,
    helpPage: (id) => helpPageOf(config, id),
    completion: () => completionTree(config),
    load: (id) => require(`../src/commands/${id.replaceAll(':', '/')}.ts`),
  }
}

require('../src/main.ts').main(process.argv.slice(2), fromSource)
