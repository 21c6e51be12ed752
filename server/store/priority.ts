import { readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import type pg from 'pg'

/** A tenth of the processor beside one that acknowledges orders; all of it when nobody else wants it. */
const niceness = 10

/**
 * Lets the server process of a connection stand back behind those that commit orders, where it is ours to say: on this
 * machine, and on Linux. Elsewhere nothing happens.
 */
export async function standBack(client: pg.ClientBase): Promise<void> {
  if (process.platform !== 'linux') return
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]!.pid
  const { localPort } = (client as unknown as { connection: { stream: Socket } }).connection.stream
  try {
    // A database elsewhere has other numbers: the title of the process must name our end of the connection.
    if (localPort === undefined || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`(${localPort})`)) return
    setPriority(pid, niceness)
    // Each server process is a session of its own, and where sessions share the processor, theirs is what counts.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // Not ours to say; it then competes like everybody else.
  }
}
