import type pg from 'pg'
import { StoreFault } from '../store/fault.ts'
import { coreVersion, coreVersionsBefore } from './row.ts'

/** Another build wrote the data, and this one can't take it over as it is. The message tells what to do. */
export class NotClosed extends StoreFault {
  constructor(message: string) {
    super(message)
    this.name = 'NotClosed'
  }
}

/**
 * An upgrade begins with a clean stop: the previous build left a snapshot at the end of its journal, and its tables end there,
 * too. This build replays none of the previous build's commands. The check is cheap, changes nothing, and runs before tables are
 * migrated.
 *
 * throws  NotClosed when the previous build left a tail, or the data is of a build that can't be taken over
 */
export async function checkUpgrade(queries: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows: tables } = await queries.query<{ has: boolean }>(`select to_regclass('journal') is not null as has`)
  if (!tables[0]!.has) return
  const { rows } = await queries.query<{ seq: number; version: number }>(
    'select seq, core_version as version from journal order by seq desc limit 1',
  )
  const last = rows[0]
  if (last === undefined || last.version === coreVersion) return
  if (!coreVersionsBefore.includes(last.version)) {
    throw new NotClosed(
      `This data was written by version ${last.version} of the core; this build takes over versions ${coreVersionsBefore.join(', ')} and goes on with ${coreVersion}`,
    )
  }
  const { rows: places } = await queries.query<{ snapshot: number; projected: number }>(
    `select coalesce((select max(seq) from snapshots where core_version = $1), 0) as snapshot,
            coalesce((select seq from projection), 0) as projected`,
    [last.version],
  )
  const { snapshot, projected } = places[0]!
  if (snapshot === last.seq && projected === last.seq) return
  throw new NotClosed(
    `The build before did not close this data: its journal ends at ${last.seq}, its snapshot at ${snapshot}, its tables at ${projected}. ` +
      'Start that build once, stop it with Ctrl-C or SIGTERM, then start this one',
  )
}

/** The last command that the previous build decided; undefined when this build decided all. */
export async function upgradePlace(queries: pg.Pool | pg.ClientBase): Promise<number | undefined> {
  const { rows } = await queries.query<{ seq: number }>('select max(seq) as seq from snapshots where core_version = any($1)', [
    coreVersionsBefore,
  ])
  const seq = rows[0]?.seq ?? undefined
  return seq !== undefined && (await endsBefore(queries, seq)) ? seq : undefined
}

/** Whether the previous build decided nothing after this command. */
export async function endsBefore(queries: pg.Pool | pg.ClientBase, seq: number): Promise<boolean> {
  const { rows } = await queries.query<{ version: number }>(
    'select core_version as version from journal where seq > $1 order by seq limit 1',
    [seq],
  )
  return rows[0] === undefined || rows[0].version === coreVersion
}
