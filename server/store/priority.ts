import { readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { constants, setPriority } from 'node:os'
import type pg from 'pg'

/** A tenth of the processor beside a process that commits orders; all of it when no other process wants it. */
const tenth = 10
/** A hundredth. */
const least = constants.priority.PRIORITY_LOW

/**
 * Lowers the priority of this connection's server process below those that commit orders, where that is possible: on this
 * machine, on Linux. Elsewhere it does nothing.
 *
 * canWait  for what nobody needs soon
 */
export async function standBack(client: pg.ClientBase, canWait = false): Promise<void> {
  if (process.platform !== 'linux') return
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const pid = rows[0]!.pid
  const { localPort } = (client as unknown as { connection: { stream: Socket } }).connection.stream
  const niceness = canWait ? least : tenth
  try {
    // A remote database has other process ids: the process title must name our end of the connection.
    if (localPort === undefined || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`(${localPort})`)) return
    setPriority(pid, niceness)
    // Each server process is a session of its own, and where sessions share the processor, the session's priority counts.
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness))
  } catch {
    // Without permission it competes like all other processes.
  }
}
