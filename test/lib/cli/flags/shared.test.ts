/** The times in the help are those that hold where none is given. */
import { expect, test } from 'vitest'
import { sharedFlags } from '../../../../src/lib/cli/flags/shared.ts'
import { readDuration } from '../../../../src/lib/cli/flags/times.ts'
import { usualSettings } from '../../../../src/lib/client/exchange.ts'

test('help names the times that are usual', () => {
  const { timeout, 'connect-timeout': connect, 'answer-timeout': answer } = sharedFlags
  const named = [timeout, connect, answer].map(({ helpValue }) => readDuration(String(helpValue)))
  expect(named).toEqual([usualSettings.timeout, usualSettings.connectTimeout, usualSettings.answerTimeout])
  expect(usualSettings).toEqual({ timeout: 120_000, connectTimeout: 5_000, answerTimeout: 30_000 })
})
