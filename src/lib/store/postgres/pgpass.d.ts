/** The part of pgpass that is used: the password that the file of PGPASSFILE has for a connection. */
declare module 'pgpass' {
  interface Connection {
    readonly host: string
    readonly port: number
    readonly database: string
    readonly user: string
  }
  export default function pgpass(connection: Connection, told: (password: string | undefined) => void): void
}
