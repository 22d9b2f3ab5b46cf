import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepCompiled } from '../../../../src/lib/cli/program/compiled.ts'
import { temporaryDirectory } from '../../../kit/run/temporary.ts'

let home = ''
const enabled = vi.fn()

beforeEach(() => {
  home = temporaryDirectory('compiled')
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue({ enableCompileCache: enabled })
})

afterEach(() => {
  vi.restoreAllMocks()
  enabled.mockReset()
})

describe('compiled code is kept', () => {
  test('in a new directory that only its owner may enter', () => {
    keepCompiled({ env: { PAYDESK_HOME: home } })
    const directory = join(home, 'compiled')
    expect(enabled.mock.calls).toEqual([[directory]])
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test('without a home of its own where caches lie', () => {
    keepCompiled({ env: { XDG_CACHE_HOME: home } })
    expect(enabled.mock.calls).toEqual([[join(home, 'paydesk', 'compiled')]])
  })

  test('not where others may write', () => {
    mkdirSync(join(home, 'compiled'))
    chmodSync(join(home, 'compiled'), 0o777)
    keepCompiled({ env: { PAYDESK_HOME: home } })
    expect(enabled).not.toHaveBeenCalled()
  })

  test('not where something else stands in the way, and nothing fails', () => {
    writeFileSync(join(home, 'file'), '')
    keepCompiled({ env: { PAYDESK_HOME: join(home, 'file') } })
    expect(enabled).not.toHaveBeenCalled()
  })

  test('not by a Node that has no such cache', () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue({})
    keepCompiled({ env: { PAYDESK_HOME: home } })
    expect(existsSync(join(home, 'compiled'))).toBe(false)
  })
})
