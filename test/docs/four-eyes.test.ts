/** The lines about four eyes in docs/teams.md, in one journal; the others are typed in test/docs/teams.test.ts, with a store. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { linesBelow } from '../kit/docs/command-lines.ts'
import { root } from '../kit/docs/page.ts'
import { Stage } from '../kit/docs/stage.ts'
import { create } from '../kit/payment.ts'

// Programs are started, which all that runs beside holds up.
vi.setConfig({ testTimeout: 60_000 })

const page = linesBelow(readFileSync(join(root, 'docs/teams.md'), 'utf8'))

test('Anna asks, Nino says yes, Anna sends it', async () => {
  const stage = new Stage()
  onTestFinished(() => stage.clear())
  const lines = page.get('Four eyes') ?? []
  expect(lines).toHaveLength(8)
  const told = async (line: string, code = 0) => {
    const ended = await stage.type(line)
    expect(ended.code, `${line}\n${ended.stderr}`).toBe(code)
    return `${ended.stdout}${ended.stderr}`
  }
  const nino = /ed25519:\S+/.exec(await told('paydesk team key generate nino.key'))?.[0] ?? ''
  const setUp = lines.filter((line) => line.includes(' team '))
  for (const line of setUp) await told(line.replace(/ed25519:\S+/, nino))
  const pay = create({ amount: '1200' })
    .map((word) => `'${word}'`)
    .join(' ')
  const held = /j-[0-9a-f]{12}/.exec(await told(`paydesk ${pay}`, 13))?.[0] ?? ''
  let approval = ''
  const own: Readonly<Record<string, string>> = { request: 'anna', approve: 'nino', list: 'nino' }
  for (const line of lines.filter((each) => !setUp.includes(each))) {
    const who = own[line.split(' ')[2] ?? ''] ?? 'anna'
    stage.variables = { ...stage.variables, PAYDESK_PERSON_KEY: `${who}.key` }
    // At a terminal the approver is asked.
    const asked = line.includes(' approve ') ? ' --confirm "GEL 1200.00"' : ''
    const said = await told(`${line.replace(/j-\w+/, held).replace(/a-\w+/, approval)}${asked}`)
    approval ||= /\ba-[0-9a-f]{12}\b/.exec(said)?.[0] ?? ''
  }
  expect(await told(`paydesk payout get ${held}`)).toContain('1200.00')
})
