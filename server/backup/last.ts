import { readFileSync, statSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What an operator watches the age of. `rehearsal`: one that found no problem. */
type Deed = 'backup' | 'rehearsal'

/** Times in milliseconds. */
type Deeds = { readonly [deed in Deed]: number }

const fileOf = (dataFolder: string): string => join(dataFolder, 'backups.json')

/**
 * When the newest backup of the embedded database in this folder was made, and when one was last rehearsed here. Where neither ever was: when
 * the database was made. Undefined for a folder without one.
 */
export function lastDeeds(dataFolder: string): Deeds | undefined {
  const madeAt = madeAtOf(dataFolder)
  if (madeAt === undefined) return undefined
  const { backup = madeAt, rehearsal = madeAt } = noted(dataFolder)
  return { backup, rehearsal }
}

/** Notes that something was done now. In the data folder, which the backup does not store: a restored exchange has no backup yet. */
export async function noteDeed(dataFolder: string, deed: Deed, at = Date.now()): Promise<void> {
  if (madeAtOf(dataFolder) === undefined) return
  const draft = `${fileOf(dataFolder)}.new-${process.pid}`
  await writeFile(draft, `${JSON.stringify({ ...noted(dataFolder), [deed]: at })}\n`, { mode: 0o644 })
  await rename(draft, fileOf(dataFolder))
}

function madeAtOf(dataFolder: string): number | undefined {
  try {
    return statSync(join(dataFolder, 'postgres')).birthtimeMs
  } catch {
    return undefined
  }
}

function noted(dataFolder: string): Partial<Deeds> {
  try {
    return JSON.parse(readFileSync(fileOf(dataFolder), 'utf8')) as Partial<Deeds>
  } catch {
    return {}
  }
}
