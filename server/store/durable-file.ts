import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Writes or replaces a small file so that after a power cut either the old or the new version is there, complete. */
export function writeDurably(path: string, text: string): void {
  const draft = `${path}.new-${process.pid}`
  writeFileSync(draft, text, { mode: 0o600, flush: true })
  renameSync(draft, path)
  syncFolder(dirname(path))
}

/** Makes names that were added to or moved into the folder survive a power cut. */
export function syncFolder(folder: string): void {
  // Windows has no such call for folders; it persists names by itself.
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
