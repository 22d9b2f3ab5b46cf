/** The clients of test/clients/ that go through all areas: each is started as its own language starts it. */
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { isMissingProgram } from '../program/missing.ts'
import { clients, expectWhole, runClient, type ShapeName } from './client.ts'

interface Client {
  /** True, loudly, where this machine has no such language. */
  readonly isMissing: boolean
  /** Fails unless the client finds everything as the specification says. */
  check(shape: ShapeName): Promise<void>
}

const java = env.JAVA ?? 'java'
// Java runs a source since 11, and a runtime alone has no compiler.
const compiler = ['--source', '11', '--describe-module', 'jdk.compiler']
/** Reads the letters of the source as UTF-8 everywhere, and keeps one short run small. */
const javaFlags = ['-Dfile.encoding=UTF-8', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-XX:-UsePerfData']

export const javaClient: Client = {
  isMissing: isMissingProgram(java, compiler, 'the client in Java did not check the sandbox'),
  async check(shape) {
    const ran = await runClient(shape, java, ...javaFlags, join(clients, 'Client.java'))
    expectWhole(shape, ran, ['order status, sealed as Java does by itself'])
  },
}

/** It reads numbers as numbers. */
export const javascriptClient: Client = {
  isMissing: false,
  async check(shape) {
    expectWhole(shape, await runClient(shape, execPath, join(clients, 'client.mjs')))
  },
}

const php = env.PHP ?? 'php'
const withOpenssl = ['-r', 'exit(PHP_VERSION_ID >= 80000 && extension_loaded("openssl") ? 0 : 1);']

export const phpClient: Client = {
  isMissing: isMissingProgram(php, withOpenssl, 'the client in PHP did not check the sandbox'),
  async check(shape) {
    // A remark of PHP is no line of the client.
    expectWhole(shape, await runClient(shape, php, '-d', 'display_errors=stderr', join(clients, 'client.php')))
  },
}
