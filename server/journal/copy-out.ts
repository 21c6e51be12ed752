import type pg from 'pg'
import { StoreFault } from '../store/fault.ts'

type Connection = { query(text: string): void }
type Message = { readonly chunk: Buffer }

const signatureBytes = 19

/**
 * The rows of a query as raw column bytes, by binary COPY: numbers big-endian, bytea unchanged. Text results would carry every
 * byte as two characters. `text` can't have parameters: insert only numbers of our own.
 */
export function copyOut(client: pg.ClientBase, text: string): Promise<Buffer[][]> {
  return new Promise((resolve, reject) => {
    const rows: Buffer[][] = []
    let failure: unknown
    const fail = (cause: unknown): void => {
      failure ??= cause
      reject(cause)
    }
    // A query in node-postgres's queue, which passes the protocol's messages to these methods.
    const submittable = {
      submit: (connection: Connection) => connection.query(`copy (${text}) to stdout (format binary)`),
      handleCopyData: ({ chunk }: Message) => {
        // The driver calls this from its socket: an error thrown here would end the process.
        try {
          const row = parseRow(chunk)
          if (row) rows.push(row)
        } catch (cause) {
          fail(cause)
        }
      },
      handleError: fail,
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => {
        if (!failure) resolve(rows)
      },
    }
    client.query(submittable as unknown as pg.Submittable)
  })
}

/** PostgreSQL sends one message per row; the first carries the header before its row, the last only a trailer. */
function parseRow(chunk: Buffer): Buffer[] | undefined {
  let at = chunk.subarray(0, 6).toString('latin1') === 'PGCOPY' ? signatureBytes : 0
  if (at === chunk.length) return undefined
  const columns = chunk.readInt16BE(at)
  if (columns === -1) return undefined
  at += 2
  const row: Buffer[] = []
  for (let column = 0; column < columns; column++) {
    const length = chunk.readInt32BE(at)
    at += 4
    if (length < 0 || at + length > chunk.length) throw new StoreFault('A row of binary COPY is not complete')
    // The driver reuses a message's memory: kept values are copied, aligned to 8 bytes.
    row.push(Buffer.from(chunk.subarray(at, at + length)))
    at += length
  }
  return row
}

export function safeInteger(bytes: Buffer): number {
  const value = bytes.length === 4 ? bytes.readInt32BE() : Number(bytes.readBigInt64BE())
  if (!Number.isSafeInteger(value)) throw new StoreFault('The database has a number that is not a safe integer')
  return value
}
