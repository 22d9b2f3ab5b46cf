import { describe, expect, test } from 'vitest'
import { readTeamAddress } from '../../../../src/lib/store/postgres/address.ts'

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

  test.each(['', 'postgres', 'mysql://me@localhost/team', 'postgres://me@localhost', 'postgres://me@localhost/'])(
    'that is none is refused (2): "%s"',
    (text) => {
      expect(() => readTeamAddress(text)).toThrow('is none')
    },
  )
})
