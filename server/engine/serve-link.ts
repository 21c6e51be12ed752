import { commandLength } from '@candor/core/protocol/codec/command.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { StoreFault } from '../store/fault.ts'
import type { ReleasedBatch, Sink } from './batch.ts'
import type { Engine } from './engine.ts'
import { bytesOf, FrameReader, type FrameType, frame, frameHead, frameTypes, jsonFrame, parseJson, slotsOf } from './frames.ts'
import { HeadTeller } from './head-teller.ts'
import { answerQuestion, type Question } from './questions.ts'

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
  const connection = new Served(engine, write)
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

/** One linked process, seen from the engine. */
class Served implements Sink {
  wantsAll = false
  #wantsHead = false
  readonly #teller = new HeadTeller((seq) => this.#write(jsonFrame(frameTypes.head, seq)))
  readonly #engine: Engine
  readonly #write: (...parts: Uint8Array[]) => void
  readonly #hear = (topic: string, value: unknown) => this.#write(jsonFrame(frameTypes.publish, { topic, value }))
  readonly #tellState = () => this.#write(jsonFrame(frameTypes.state, this.#engine.state === 'up' ? 'up' : 'down'))

  constructor(engine: Engine, write: (...parts: Uint8Array[]) => void) {
    this.#engine = engine
    this.#write = write
    engine.attach(this)
    this.#tellState()
    engine.onState(this.#tellState)
    engine.hub.join(this.#hear)
  }

  take(type: FrameType, body: Buffer): void {
    if (type === frameTypes.submit) return this.#offer(body)
    if (type === frameTypes.ask) return this.#ask(parseJson(body))
    if (type === frameTypes.head) {
      this.#wantsHead = true
      return this.advanced(this.#engine.seq)
    }
    if (type === frameTypes.subscribe) return this.#subscribe(parseJson(body))
    if (type !== frameTypes.publish) throw new StoreFault(`A linked process sent a frame of type ${type}`)
    const { topic, value } = parseJson(body) as { topic: string; value: unknown }
    this.#engine.hub.publish(topic, value, this.#hear)
  }

  release({ firstSeq, lastSeq, events }: ReleasedBatch, own: readonly number[]): void {
    const head = new Float64Array(4 + own.length)
    head[0] = firstSeq
    head[1] = lastSeq
    head[2] = this.wantsAll ? 1 : 0
    head[3] = own.length
    if (this.wantsAll) {
      head.set(own, 4)
      // The events are sent as they are, shared with all receivers; the system joins both parts in one write.
      this.#write(frameHead(frameTypes.released, head.byteLength + events.byteLength, bytesOf(head)), bytesOf(events))
      return
    }
    const slices: Uint8Array[] = []
    let at = 0
    for (let i = 0; i < own.length; i += 3) {
      const from = own[i + 1] as number
      const to = own[i + 2] as number
      head[4 + i] = own[i] as number
      head[5 + i] = at
      at += to - from
      head[6 + i] = at
      slices.push(bytesOf(events.subarray(from, to)))
    }
    this.#write(frame(frameTypes.released, bytesOf(head), ...slices))
  }

  advanced(seq: number): void {
    if (this.#wantsHead) this.#teller.advanced(seq)
  }

  refuse(requests: readonly number[], refusal: keyof typeof refusals): void {
    this.#write(frame(frameTypes.refused, bytesOf(Uint32Array.of(refusals[refusal].id, ...requests))))
  }

  close(): void {
    this.#teller.stop()
    this.#engine.detach(this)
    this.#engine.offState(this.#tellState)
    this.#engine.hub.leave(this.#hear)
  }

  /** Count, request numbers, then the records; checks that they are complete, so that the engine can walk them. */
  #offer(body: Buffer): void {
    const count = body.readUInt32LE(0)
    const start = 4 + count * 4
    const data = slotsOf(body.subarray(start))
    const requests = Array.from({ length: count }, (_, i) => body.readUInt32LE(4 + i * 4))
    let at = 0
    for (let i = 0; i < count; i++) at += commandLength(data, at)
    if (at !== data.length) throw new StoreFault('The commands of a linked process do not fill their frame exactly')
    this.#engine.offer({ sink: this, data, requests })
  }

  #ask({ id, question }: { id: number; question: Question }): void {
    answerQuestion(this.#engine, question).then(
      (answer) => this.#write(jsonFrame(frameTypes.answer, { id, answer })),
      () => this.#write(jsonFrame(frameTypes.answer, { id, isUnavailable: true })),
    )
  }

  #subscribe({ after }: { after: number }): void {
    this.wantsAll = true
    for (const batch of after === 0 ? [] : (this.#engine.recent.since(after) ?? [])) this.release(batch, [])
  }
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
