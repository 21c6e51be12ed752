/** The signer's door: a Unix socket that only its own user, or the group of its folder, can reach. */
import { chmodSync, rmSync, statSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { FrameReader, frame } from './frames.ts'
import { CustodyFault } from './reasons.ts'
import type { Signer } from './signer.ts'
import { type Answer, request } from './wire.ts'

/** Requests that wait for their turn. */
const waitingMax = 64
const connectionsMax = 16

/**
 * Takes the socket's path. Of two signers on one folder the second fails here, before it opens the journal.
 *
 * throws  CustodyFault when a signer listens there, or others may enter the folder
 */
export async function takeDoor(path: string): Promise<Door> {
  const { mode } = statSync(dirname(path))
  if (process.platform !== 'win32' && (mode & 0o007) !== 0)
    throw new CustodyFault(`${dirname(path)} is open to others: its mode must be 700 or 750`)
  await removeStale(path)
  const door = new Door()
  await new Promise<void>((resolve, reject) => {
    door.server.once('error', reject)
    // The socket file is created inside listen(): no other user ever sees it with wider rights.
    const mask = process.umask(0o177)
    door.server.listen(path, resolve)
    process.umask(mask)
  })
  // A folder that its group may enter shares the socket with that group.
  if ((mode & 0o010) !== 0) chmodSync(path, 0o660)
  return door
}

export class Door implements AsyncDisposable {
  readonly server: Server
  readonly #sockets = new Set<Socket>()
  #answer: ((text: string) => Promise<Answer>) | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor() {
    this.server = createServer((socket) => this.#enter(socket))
    this.server.maxConnections = connectionsMax
  }

  /** From now on requests are answered, one at a time. */
  open(signer: Pick<Signer, 'answer'>, onFault: (cause: unknown) => void): void {
    this.#answer = async (text) => {
      const read = readRequest(text)
      if (read === undefined) return { ok: false, reason: 'BAD_REQUEST' }
      try {
        return await signer.answer(read)
      } catch (cause) {
        onFault(cause)
        return { ok: false, reason: 'FAULT' }
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve))
    await this.#turn
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  #enter(socket: Socket): void {
    if (this.#answer === undefined) return void socket.destroy()
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => undefined)
    const reader = new FrameReader((text) => this.#queue(socket, text))
    socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk)
      } catch {
        socket.destroy()
      }
    })
  }

  #queue(socket: Socket, text: string): void {
    const say = (answer: Answer): void => void (socket.writable && socket.write(frame(answer)))
    if (this.#waiting >= waitingMax) return say({ ok: false, reason: 'BUSY' })
    this.#waiting++
    this.#turn = this.#turn.then(async () => {
      try {
        if (this.#answer) say(await this.#answer(text))
      } finally {
        this.#waiting--
      }
    })
  }
}

function readRequest(text: string) {
  try {
    return request.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A socket file survives its process. One that accepts connections belongs to a running signer. */
async function removeStale(path: string): Promise<void> {
  if (process.platform === 'win32') return
  const isAlive = await new Promise<boolean>((resolve) => {
    const socket = connect(path, () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })
  if (isAlive) throw new CustodyFault(`Another signer listens at ${path}`)
  rmSync(path, { force: true })
}
