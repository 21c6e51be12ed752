import { chownSync, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** PostgreSQL refuses to run as root. This decides as which user its programs are started instead. */
export type RunAs = { readonly prefix: readonly string[]; readonly uid?: number; readonly gid?: number }

const nobody = 65534
const asNobody: RunAs = { prefix: [], uid: nobody, gid: nobody }
const unshare = ['unshare', '--user', `--map-user=${nobody}`, `--map-group=${nobody}`]

/**
 * Not root: as this user. Root: as an unprivileged user that owns the folder. If that user could not even reach the folder or the
 * programs (below /root), inside a user namespace in which our own files belong to it. An existing folder keeps the way in which
 * it was created.
 */
export function chooseUser(folder: string, binaries: string): RunAs {
  if (process.getuid?.() !== 0 || !existsSync(folder)) return chooseNewUser(folder, binaries)
  return statSync(folder).uid === nobody ? asNobody : { prefix: unshare }
}

/** The same for a folder that was not yet given to anybody. */
export function chooseNewUser(folder: string, binaries: string): RunAs {
  if (process.getuid?.() !== 0) return { prefix: [] }
  return isReachableByOthers(dirname(folder)) && isReachableByOthers(binaries) ? asNobody : { prefix: unshare }
}

export function giveTo(user: RunAs, ...paths: readonly string[]): void {
  if (user.uid === undefined || user.gid === undefined) return
  for (const path of paths) chownSync(path, user.uid, user.gid)
}

function isReachableByOthers(path: string): boolean {
  for (let folder = path; ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false
    if (dirname(folder) === folder) return true
  }
}
