/**
 * The password of a team's store, as libpq finds it: PGPASSWORD, else the file that PGPASSFILE names. The driver would read that
 * file itself, with a warning on stderr, where scripts read the error line.
 */
import pgpass from 'pgpass'
import { libraryVariable, nameOfUser } from '../../edge.ts'

/** The parts of an address by which a line of the file is found. */
export function wayTo(url: URL) {
  return {
    host: url.hostname.replace(/^\[|\]$/g, '') || 'localhost',
    port: Number(url.port || '5432'),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username) || nameOfUser() || '',
  }
}

/** Gives the password when it is asked for; empty text where there is none. */
export function passwordOf(connection: ReturnType<typeof wayTo>): () => Promise<string> {
  return () =>
    new Promise((resolve) => {
      const given = libraryVariable('PGPASSWORD')
      // Without a home pgpass would look into the current directory.
      const hasFile = libraryVariable('PGPASSFILE') || libraryVariable('HOME')
      if (given || !hasFile) resolve(given ?? '')
      else pgpass(connection, (password) => resolve(password ?? ''))
    })
}
