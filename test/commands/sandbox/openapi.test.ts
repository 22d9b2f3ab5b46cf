import { expect, test } from 'vitest'
import { writeJson } from '../../../src/lib/json.ts'
import { openApiDocument } from '../../../src/lib/sandbox/openapi.ts'
import { newHome, paydesk } from '../../kit/program.ts'

test('sandbox openapi: prints the whole document, with --json and without', async () => {
  const document = JSON.parse(writeJson(openApiDocument()))
  for (const more of [[], ['--json']]) {
    const ended = await paydesk(['sandbox', 'openapi', ...more], { home: newHome() })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.json).toEqual(document)
  }
})

test('sandbox openapi: --query prints a part of the document', async () => {
  const argv = ['sandbox', 'openapi', '--query', 'components.securitySchemes.bearer.scheme', '--json']
  expect((await paydesk(argv, { home: newHome() })).stdout).toBe('"bearer"\n')
})
