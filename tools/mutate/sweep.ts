/** Removes the folders and database servers that interrupted tests leave behind. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Stops the servers whose data is in folders of `folder` that belong to `own` or to a process that is gone, and removes these
 * folders.
 */
export function sweep(folder: string, own?: string): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) {
    const place = join(folder, name)
    if (place !== own && isAlive(Number(name))) continue
    for (const data of existsSync(place) ? readdirSync(place) : []) stopServer(join(place, data, 'postgres', 'data', 'postmaster.pid'))
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

/** SIGQUIT: it ends at once without writing anything. */
function stopServer(pidFile: string): void {
  if (!existsSync(pidFile)) return
  const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
  if (pid > 1 && isAlive(pid)) process.kill(pid, 'SIGQUIT')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM'
  }
}
