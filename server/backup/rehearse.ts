import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import type { AuditReport } from '../journal/audit.ts'
import { openStore } from '../store/open.ts'
import { restore, type RestoreOptions } from './restore.ts'
import type { Run } from './runs.ts'

type Rehearsal = {
  readonly run: Run
  readonly seq: number
  readonly bytes: number
  readonly restoreMs: number
  readonly auditMs: number
  /** Sentences for people. Empty: the backup can be restored, and its journal is consistent. */
  readonly problems: readonly string[]
}

/** Then the id of the process. */
const prefix = 'candor-rehearsal-'

/** Removes the whole database that a killed rehearsal left. Its server, if it still runs, ends by itself once its files are gone. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, id = ''] = new RegExp(`^${prefix}([0-9]{1,10})-`).exec(name) ?? []
    if (id === '' || isRunning(Number(id))) continue
    const stat = await lstat(join(folder, name))
    // Others may write to the system's temporary folder, too.
    if (stat.isDirectory() && stat.uid === (process.getuid?.() ?? stat.uid))
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Restores the newest backup into a temporary folder, audits it there, and compares its head with that of the backup.
 *
 * folder  where the temporary folder is made; default: the system's
 * audit   replays the journal of a database in this folder
 */
export async function rehearse(
  options: Pick<RestoreOptions, 'place' | 'keys' | 'say' | 'space'> & {
    readonly folder?: string | undefined
    readonly audit: (pool: pg.Pool, dataFolder: string) => Promise<AuditReport>
  },
): Promise<Rehearsal> {
  const { place, keys, say, space, folder = tmpdir(), audit } = options
  await removeLeft(folder)
  const dataFolder = await mkdtemp(join(folder, `${prefix}${process.pid}-`))
  try {
    const began = performance.now()
    const { last, head, bytes, damage } = await restore({
      place,
      keys,
      dataFolder,
      target: { kind: 'newest' },
      ...(say && { say }),
      ...(space && { space }),
    })
    const restored = performance.now()
    say?.('Auditing …')
    await using store = await openStore({ dataFolder })
    const report = await audit(store.pool, dataFolder)
    const auditMs = performance.now() - restored
    const isSame = report.seq === head.seq && report.journalHash === head.hash
    const problems = [
      ...report.problems,
      ...(isSame ? [] : [`The audit ended at command ${report.seq}, the journal at ${head.seq}`]),
      ...(damage === undefined ? [] : [damage]),
    ]
    return { run: last, seq: head.seq, bytes, restoreMs: restored - began, auditMs, problems }
  } finally {
    await rm(dataFolder, { recursive: true, force: true })
  }
}
