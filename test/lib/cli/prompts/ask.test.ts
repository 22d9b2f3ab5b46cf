import { PassThrough } from 'node:stream'
import { Chalk } from 'chalk'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askForMissing, fittingWords, terminalAsker, withWayBack } from '../../../../src/lib/cli/prompts/ask.ts'
import { askYesOrNo, requireConsent } from '../../../../src/lib/cli/prompts/confirm.ts'
import { editableFields, editFields } from '../../../../src/lib/cli/write/at-terminal.ts'
import { consentTo } from '../../../../src/lib/cli/write/consent.ts'
import { createPayout } from '../../../../src/lib/contract/payout/payout.ts'
import { type Edge, realClock, realRandom } from '../../../../src/lib/edge.ts'

/** A person at a terminal: sees what is drawn, and types the next keys whenever the screen says what they wait for. */
function terminal(script: readonly (readonly [waitFor: string | RegExp, keys: string])[]) {
  const stream = () => Object.assign(new PassThrough(), { isTTY: true, columns: 200, rows: 40 })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  stderr.end = () => stderr
  let screen = ''
  let drawnSince = ''
  let step = 0
  stderr.on('data', (chunk: Buffer) => {
    screen += chunk
    drawnSince += chunk
    const next = script[step]
    if (!next || !(typeof next[0] === 'string' ? drawnSince.includes(next[0]) : next[0].test(drawnSince))) return
    step += 1
    drawnSince = ''
    setTimeout(() => stdin.write(next[1]), 5)
  })
  const edge: Edge = {
    env: {},
    stdin,
    stdout,
    stderr,
    clock: realClock,
    random: realRandom,
    onSignal: () => () => undefined,
    every: () => () => undefined,
    exit: () => undefined,
  }
  return {
    asker: terminalAsker(edge),
    screen: () => screen,
    printed: () => String(stdout.read() ?? ''),
    played: () => step === script.length,
  }
}

const enter = '\r'
const down = '\u001b[B'
const interrupt = '\u0003'

describe('yes or no', () => {
  test('is a whole word, and Enter alone means nothing', async () => {
    const person = terminal([
      ['Send it?', enter],
      ['Type yes or no.', `ye${enter}`],
      ['Type yes or no.', `s${enter}`],
    ])
    expect(await askYesOrNo(person.asker, 'Send it?')).toBe(true)
    expect(person.played()).toBe(true)
    expect(person.screen()).toContain('Send it? (yes or no)')
    expect(person.printed(), 'stdout').toBe('')
  })

  test.each([
    ['NO', false],
    ['n', false],
    ['Y', true],
  ])('%s is an answer, in any case', async (typed, is) => {
    expect(await askYesOrNo(terminal([['Send it?', `${typed}${enter}`]]).asker, 'Send it?')).toBe(is)
  })

  test('^C ends the question as what it is and answers nothing', async () => {
    const person = terminal([['Send it?', interrupt]])
    await expect(askYesOrNo(person.asker, 'Send it?')).rejects.toMatchObject({ name: 'ExitPromptError' })
  })
})

describe('texts of others are harmless in every question', () => {
  const title = '\u001b]0;PWNED\u0007'
  const foreign = `Nino${title}\u001b[2K\r\u202eShop`
  const harmless = 'Nino<U+001B>]0;PWNED<U+0007><U+001B>[2K<U+000D><U+202E>Shop'

  test('in the message, in a choice, what explains it, and what was chosen', async () => {
    const person = terminal([[/navigate/, enter]])
    const options = [{ value: foreign, description: `to ${foreign}` }, foreign]
    expect(await person.asker.choice(`About ${foreign}?`, options)).toBe(foreign)
    expect(person.screen()).not.toContain(title)
    expect(person.screen()).not.toContain('\u202e')
    expect(person.screen()).toContain(`About ${harmless}?`)
    expect(person.screen()).toContain(`to ${harmless}`)
  })

  test('in what is agreed to, whose lines they cannot break, and in its phrase', async () => {
    const person = terminal([[/Type/, `cancel${enter}`]])
    const what = { live: true, lines: [`to ${foreign}\nfor nothing`], phrase: foreign, draw: (text: string) => text }
    await expect(requireConsent(what, {}, person.asker)).rejects.toMatchObject({ kind: 'declined' })
    expect(person.screen()).not.toContain(title)
    expect(person.screen()).not.toContain('\u202e')
    expect(person.screen()).toContain(`to ${harmless}<U+000A>for nothing`)
    expect(person.screen()).toContain(`Type "${harmless}" to send it`)
  })

  test('in a complaint', async () => {
    const person = terminal([
      ['Which?', `x${enter}`],
      ['PWNED', interrupt],
    ])
    const asked = person.asker.text({ message: 'Which?', validate: () => `There is no ${foreign}.` })
    await expect(asked).rejects.toMatchObject({ name: 'ExitPromptError' })
    expect(person.screen()).toContain(`There is no ${harmless}.`)
  })

  test('in the list of what may be edited', async () => {
    const person = terminal([[/What is to be edited/, interrupt]])
    const fields = editableFields(createPayout, {})
    const request = { amount: '5', currency: 'GEL', beneficiaryName: foreign, description: foreign, toIban: foreign }
    const asked = editFields(
      person.asker,
      createPayout,
      { fields: fields.filter(({ name }) => name in request).toReversed(), request },
      () => [],
    )
    await expect(asked).rejects.toMatchObject({ name: 'ExitPromptError' })
    expect(person.screen()).toContain(harmless)
    expect(person.screen()).not.toContain(title)
    expect(person.screen()).not.toContain('\u202e')
  })

  test('and what paydesk draws itself is drawn', async () => {
    const ink = new Chalk({ level: 1 })
    const who = { name: foreign, environment: 'live' } as const
    const request = { amount: '5', currency: 'GEL', description: 'x', toIban: 'GE29NB0000000101904917' }
    const what = consentTo(createPayout, request, who, { currency: null, details: [], standing: null, ink })
    const person = terminal([[/Type/, `cancel${enter}`]])
    await expect(requireConsent(what, {}, person.asker)).rejects.toMatchObject({ kind: 'declined' })
    expect(person.screen()).toContain(`as  ${harmless} (${ink.red.bold('LIVE: REAL MONEY')})`)
  })
})

test('missing fields: without an IBAN lead to the receiver and its type', async () => {
  const rest = { currency: 'GEL', description: 'Salary', amount: '5' }
  const person = terminal([
    ['the full legal name', `Nino${enter}`],
    ['To which IBAN?', `GE1${enter}`],
    ['must be a Georgian IBAN', `${'\u007f'.repeat(3)}${enter}`],
    ['To which registered receiver?', `f47ac10b-58cc-4372-a567-0e02b2c3d479${enter}`],
    ['Of which kind is this receiver?', `${down}${enter}`],
  ])
  expect(await askForMissing(person.asker, createPayout, rest)).toEqual({
    ...rest,
    beneficiaryName: 'Nino',
    receiverId: 'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    receiverType: 'USER',
  })
})

test('whatever is answered and taken back, a dialog ends with the answers that stand', async () => {
  const keys = fc.array(fc.constantFrom('a', 'b', '<'), { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(keys, fc.integer({ min: 1, max: 6 }), async (typed, length) => {
      const given = [...typed, ...Array.from({ length: 50 }, () => 'c')]
      const heard = () => Promise.resolve(given.shift() ?? 'c')
      const asker = { text: heard, hidden: heard, choice: heard, document: heard }
      const stands: string[] = []
      for (const key of [...given]) {
        if (stands.length === length) break
        if (key !== '<') stands.push(key)
        else if (stands.length === 0) stands.push('<')
        else stands.pop()
      }
      const question = { message: 'What?', validate: () => true as const }
      const asked = await withWayBack(asker, async (within) => {
        const answers: string[] = []
        for (const at of Array.from({ length }).keys()) {
          answers.push(await (at % 2 === 0 ? within.text(question) : within.choice('Which?', ['a', 'b'])))
        }
        return answers
      })
      expect(asked).toEqual(stands)
    }),
  )
})

test('a text at 40 columns is broken between words, and stays as it is where nobody knows the columns', () => {
  const asked = 'Pay GEL 12.50\nTo which IBAN? (Enter to skip, < goes back)'
  expect(fittingWords(asked, 40)).toBe('Pay GEL 12.50\nTo which IBAN? (Enter to skip, < goes\nback)')
  expect(fittingWords(asked, undefined)).toBe(asked)
})
