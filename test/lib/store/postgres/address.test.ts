import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Failure } from '../../../../src/lib/failure.ts'
import { readTeamAddress } from '../../../../src/lib/store/postgres/address.ts'
import { isSameStore, storeComplaint } from '../../../../src/lib/store/postgres/address-rule.ts'
import { assertOfBoth } from '../../../kit/run/property.ts'

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
      expect(() => readTeamAddress(text)).toThrow('is none')
    },
  )
})
