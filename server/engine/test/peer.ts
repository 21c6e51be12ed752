import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { FrameReader, type FrameType } from '../frames.ts'

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** One end of a connection: collects the frames that arrive. */
export class Peer {
  readonly frames: [FrameType, Buffer][] = []
  readonly socket: Socket
  isClosed = false

  constructor(socket: Socket) {
    this.socket = socket
    const reader = new FrameReader((type, body) => this.frames.push([type, Buffer.from(body)]))
    socket.on('data', (bytes: Buffer) => reader.push(bytes))
    socket.on('error', () => undefined)
    socket.on('close', () => (this.isClosed = true))
  }

  /** The next frame, which must have this type. */
  async next(type: FrameType): Promise<Buffer> {
    await until(() => this.frames.length > 0)
    const [got, body] = this.frames.shift()!
    assert.equal(got, type)
    return body
  }
}
