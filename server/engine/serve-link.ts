import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { StoreFault } from '../store/fault.ts'
import type { Engine } from './engine.ts'
import { FrameReader } from './frames.ts'
import { Served } from './link/served.ts'

/** A linked process with more unread bytes than this has stopped reading: it is disconnected and may reconnect. */
const unreadMax = 64 * 1024 * 1024

/** Lets other processes of this user reach the engine through a socket at `path`. */
export async function serveLink(engine: Engine, path: string): Promise<AsyncDisposable> {
  await removeStale(path)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serve(engine, socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    // The socket file is created inside listen(): no other user ever sees it with wider rights.
    const mask = process.umask(0o177)
    server.listen(path, resolve)
    process.umask(mask)
  })
  return {
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.end()
      const closed = new Promise((resolve) => server.close(resolve))
      setTimeout(() => sockets.forEach((socket) => socket.destroy()), 500).unref()
      await closed
    },
  }
}

function serve(engine: Engine, socket: Socket): void {
  const write = (...parts: Uint8Array[]) => {
    if (!socket.writable) return
    socket.cork()
    for (const part of parts) socket.write(part)
    socket.uncork()
    if (socket.writableLength > unreadMax) socket.destroy()
  }
  const connection = new Served(engine, { write })
  const reader = new FrameReader((type, body) => connection.take(type, body))
  socket.on('data', (chunk: Buffer) => {
    try {
      reader.push(chunk)
    } catch {
      // The other end does not follow the protocol, so nothing more is read from it.
      socket.destroy()
    }
  })
  socket.on('error', () => undefined)
  socket.on('close', () => connection.close())
}

/** A socket file survives its process. One that accepts connections belongs to a running engine. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
  if (isAlive) throw new StoreFault(`Another engine listens at ${path}`)
  rmSync(path, { force: true })
}
