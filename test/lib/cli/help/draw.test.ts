/** Help is drawn without oclif, and to the byte what oclif draws. oclif decides on colour when it is loaded: a process for each. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { drawnHelp } from '../../../../src/lib/cli/help/draw.ts'
import type { HelpPage } from '../../../../src/lib/cli/help/page.ts'

const root = join(import.meta.dirname, '..', '..', '..', '..')
const widths = [40, 80, 200]

/** Prints what oclif draws of every command and topic, by width and name. */
const byOclif = `
  const { Config, Help } = require('@oclif/core')
  const drawn = {}
  const draw = async (width, id) => {
    const config = await Config.load(${JSON.stringify(root)})
    const help = new Help(config, { ...config.pjson.oclif.helpOptions, maxWidth: width })
    let text = ''
    help.log = (line = '') => { text += line + '\\n' }
    await help.showHelp(id === '' ? [] : [id])
    drawn[width + ' ' + id] = text
  }
  Config.load(${JSON.stringify(root)}).then(async ({ commandIDs, topics, userAgent }) => {
    const ids = ['', ...commandIDs, ...topics.map(({ name }) => name)].filter((id) => id !== 'help' && !id.includes(' '))
    for (const width of ${JSON.stringify(widths)}) for (const id of ids) await draw(width, id)
    process.stdout.write(JSON.stringify({ drawn, agent: userAgent }))
  })
`

async function drawnByOclif(colour: Record<string, string>) {
  const env = { PATH: process.env.PATH ?? '', ...colour }
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', byOclif], {
    cwd: root,
    env,
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as { readonly drawn: Record<string, string>; readonly agent: string }
}

function builtPage(id: string): HelpPage {
  return JSON.parse(readFileSync(`${join(root, 'dist', 'help', ...id.split(':'))}.json`, 'utf8'))
}

describe('help of every command, topic and of the program', () => {
  test.each([
    ['without colours', { NO_COLOR: '1' }, false],
    ['in colours', { FORCE_COLOR: '1' }, true],
  ])('%s is what oclif draws at 40, 80 and 200 columns', async (_how, colour, coloured) => {
    const { drawn, agent } = await drawnByOclif(colour)
    expect(Object.keys(drawn).length).toBeGreaterThan(widths.length * 60)
    for (const [name, theirs] of Object.entries(drawn)) {
      const [width = '', id = ''] = name.split(' ')
      const ours = drawnHelp(builtPage(id), { width: Number(width), coloured, agent, goesOn: '\\' })
      expect(ours, name).toBe(theirs)
    }
    expect(Object.values(drawn).some((text) => text.includes('\u001B[4m'))).toBe(coloured)
  })
})
