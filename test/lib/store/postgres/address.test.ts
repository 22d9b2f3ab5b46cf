import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/lib/failure.ts'
import { isSameStore, readTeamAddress, storeComplaint } from '../../../../src/lib/store/postgres/address.ts'
import { assertOfBoth } from '../../../kit/run/property.ts'

/** Passwords where a slash, a colon or the sign in front of the host was mistyped. */
const mistyped = [
  'postgres:/me:hunter2@db.example.com/team',
  'postgres:me:hunter2@db.example.com/team',
  'postgres:///me:hunter2@db.example.com/team',
  'postgres:////me:hunter2@db.example.com/team',
  'postgres:\\\\me:hunter2@db.example.com/team',
  'postgres//me:hunter2@db.example.com/team',
  'postgres://me%3Ahunter2@db.example.com/team',
  'postgres://db.example.com/me:hunter2@team',
  'postgres://db.example.com/me%3Ahunter2%40team',
  'postgres://me:hunter2#@db.example.com/team',
  'postgres://db.example.com/team?hunter2',
  'postgres://db.example.com/team?sslmode=hunter2',
  'postgres://db.example.com/team#hunter2',
  'me:hunter2@db.example.com/team',
]

describe('an address', () => {
  test('on this machine needs no encryption', () => {
    expect(readTeamAddress('postgres://me@localhost:5433/team')).toMatchObject({
      place: 'localhost:5433/team',
      connection: { host: 'localhost', port: 5433, user: 'me', database: 'team', ssl: false },
    })
  })

  test.each(['postgres://me@db.example.com/team', 'postgresql://me@db.example.com/team?sslmode=verify-full'])(
    'of another machine is reached encrypted, with a certificate that is checked: %s',
    (text) => {
      const { place, connection } = readTeamAddress(text)
      expect(place).toBe('db.example.com/team')
      expect(connection.ssl).toEqual({ rejectUnauthorized: true })
      expect(connection).not.toHaveProperty('sslmode')
    },
  )

  test.each(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'no-verify'])(
    'of another machine with sslmode=%s is refused (2)',
    (mode) => {
      expect(() => readTeamAddress(`postgres://me@db.example.com/team?sslmode=${mode}`)).toThrow(`sslmode=${mode}`)
    },
  )

  test('with a password in it is refused (2), and the password is not told', () => {
    const refused = () => readTeamAddress('postgres://me:hunter2@localhost/team')
    expect(refused).toThrow('has a password in it')
    expect(refused).not.toThrow('hunter2')
  })

  test.each(mistyped)('that is mistyped around a password is refused (2) without a word of it: %s', (text) => {
    const refused = () => readTeamAddress(text)
    expect(refused).toThrow(Failure)
    expect(refused).not.toThrow('hunter2')
    expect(refused).not.toThrow('db.example.com')
    expect(storeComplaint(text)?.advice).not.toContain('hunter2')
  })

  test('never has a part of its way in which a password could stand', () => {
    const piece = fc.constantFrom(
      'postgres',
      ':',
      '/',
      '//',
      '@',
      'me',
      'hunter2',
      'db',
      '?',
      '#',
      '%3A',
      '%40',
      '[',
      '\\',
    )
    assertOfBoth(
      fc.oneof(
        fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
        fc
          .array(fc.oneof(fc.constantFrom('team', 'db', 'me'), piece), { maxLength: 3 })
          .map((all) => `postgres://me@db/${all.join('')}`),
      ),
      (text) => storeComplaint(text) === null,
      (text, isAccepted) => {
        if (!isAccepted) return expect(storeComplaint(text)?.why).not.toContain('hunter2')
        const { place, connection } = readTeamAddress(text)
        expect(place).toMatch(/^[^@]*\/[^:/?#@]+$/)
        expect(`${connection.user}${connection.database}`).not.toMatch(/[:/?#@]/)
      },
    )
  })

  test.each([
    'host=db.example.com',
    'port=5433',
    'database=other',
    'user=other',
    'ssl=true',
    'sslmode=disable&sslmode=disable',
  ])('is refused (2) where something behind its question mark leads elsewhere: %s', (parameter) => {
    expect(() => readTeamAddress(`postgres://me@localhost/team?${parameter}`)).toThrow('behind its question mark')
  })

  test('leads where it says before its question mark, whatever stands behind it, or is refused (2)', () => {
    const known = [
      'host',
      'hostaddr',
      'port',
      'database',
      'dbname',
      'user',
      'ssl',
      'sslrootcert',
      'options',
      'sslmode',
      'OPTIONS',
    ]
    const name = fc.oneof(fc.constantFrom(...known), fc.string({ unit: 'grapheme' }))
    const value = fc.oneof(fc.constantFrom('db.example.com', '5433', 'verify-full', 'disable'), fc.string())
    const query = fc.array(fc.tuple(name, value), { maxLength: 3 }).map((all) => new URLSearchParams(all).toString())
    assertOfBoth(
      query.map((text) => `postgres://me@localhost/team?${text}`),
      (text) => storeComplaint(text) === null,
      (text, isAccepted) => {
        if (!isAccepted) return expect(() => readTeamAddress(text)).toThrow(Failure)
        const { searchParams } = new URL(text)
        const { password: _, ssl: __, ...way } = readTeamAddress(text).connection
        const options = searchParams.get('options')
        const place = { host: 'localhost', port: 5432, database: 'team', user: 'me' }
        expect(way).toEqual({ ...place, ...(options === null ? {} : { options }) })
        expect(isSameStore(text, 'postgres://me@localhost/team')).toBe(options === null)
      },
    )
  })

  test.each(['', 'postgres', 'mysql://me@localhost/team', 'postgres://me@localhost', 'postgres://me@localhost/'])(
    'that is none is refused (2): "%s"',
    (text) => {
      expect(() => readTeamAddress(text)).toThrow('is not the address of a Postgres database')
    },
  )
})
