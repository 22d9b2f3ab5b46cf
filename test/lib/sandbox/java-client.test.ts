import { join } from 'node:path'
import { env } from 'node:process'
import { test } from 'vitest'
import { isMissingProgram } from '../../kit/program/missing.ts'
import { clients, expectWhole, runClient, shapes } from '../../kit/sandbox/client.ts'

const java = env.JAVA ?? 'java'
const source = join(clients, 'Client.java')

/** Reads the letters of the source as UTF-8 everywhere, and keeps one short run small. */
const flags = ['-Dfile.encoding=UTF-8', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData']

// Java runs a source since 11, and a runtime alone has no compiler.
const trial = ['--source', '11', '--describe-module', 'jdk.compiler']
const missing = isMissingProgram(java, trial, 'the client in Java did not check the sandbox')

test.skipIf(missing).each(shapes)(
  'a client in Java goes through all areas, with answers as %s',
  { timeout: 180_000 },
  async (shape) => {
    const ran = await runClient(shape, java, ...flags, source)
    expectWhole(shape, ran, ['order status, sealed as Java does by itself'])
  },
)
