import { execFile } from 'node:child_process'

/**
 * Leaves a process only what no other one wants, where that is possible: on Linux, in its class for idle work. Even at the lowest priority,
 * whoever wakes up would wait some milliseconds until that process has used up its turn; in this class it makes room at once.
 *
 * pid      of this machine
 * Resolves when it is done, or can't be.
 */
export async function takeIdleOnly(pid: number): Promise<void> {
  if (process.platform !== 'linux') return
  // Node has no call for it. All threads, because each has its own class.
  await new Promise<void>((resolve) => execFile('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], () => resolve()))
}
