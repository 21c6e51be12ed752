import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { linkPath } from '../engine/link-path.ts'

/** Another process runs on the data folder. */
export class AlreadyRunning extends Error {
  constructor(dataFolder: string) {
    super(`Candor is already running on ${dataFolder}. Stop it first, or set CANDOR_DATA to another folder.`)
    this.name = 'AlreadyRunning'
  }
}

/**
 * Allows one exchange per data folder. The lock is a listening socket: it ends with its process, however that ends, and a file
 * left behind by a crash has no effect.
 *
 * throws  AlreadyRunning
 */
export async function takeLock(dataFolder: string): Promise<AsyncDisposable> {
  mkdirSync(dataFolder, { recursive: true })
  const path = lockPath(dataFolder)
  if (await isSomebodyThere(path)) throw new AlreadyRunning(dataFolder)
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const server = createServer((socket) => socket.end())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cause.code === 'EADDRINUSE' ? new AlreadyRunning(dataFolder) : cause))
    server.listen(path, resolve)
  })
  server.unref()
  return {
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Whether an exchange runs on this folder and its engine can be reached. */
export async function isRunning(dataFolder: string): Promise<boolean> {
  return existsSync(dataFolder) && (await isSomebodyThere(linkPath(dataFolder)))
}

function lockPath(dataFolder: string): string {
  const link = linkPath(dataFolder)
  return process.platform === 'win32' ? `${link}-lock` : join(dirname(link), 'lock.sock')
}

function isSomebodyThere(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
