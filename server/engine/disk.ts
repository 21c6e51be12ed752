import { statfs } from 'node:fs/promises'

const checkEveryMs = 5000
const fullShare = 0.05
const fullBytes = 2 * 1024 ** 3

export type DiskSpace = { readonly free: number; readonly total: number }

/**
 * Nearly full: less than 5 % free, or less than 2 GiB where 5 % is more. Commands then wait, because a commit might fail
 * half-way.
 */
export function isFull({ free, total }: DiskSpace): boolean {
  return free < total * fullShare && free < fullBytes
}

export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}

/** Checks every few seconds and reports changes. A disk that can't be measured counts as not full. */
export function watchDisk(folder: string, onChange: (isFullNow: boolean) => void, measure = diskSpace, everyMs = checkEveryMs): Disposable {
  let was = false
  const look = async () => {
    const is = await measure(folder).then(isFull, () => false)
    if (is !== was) onChange((was = is))
  }
  const timer = setInterval(look, everyMs)
  timer.unref()
  void look()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
