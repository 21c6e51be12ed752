import { connect } from 'node:net'

/** An open connection to the engine: bytes arrive whole and in order, or it ends. */
export type Wire = {
  write(bytes: Uint8Array): void
  /** Called before all batches are asked for, where they come beside the connection. */
  readonly hearAll?: () => void
}

/** What happens on a connection. After `closed`, another one may open. */
export type WireEvents = {
  opened(wire: Wire): void
  /** Valid during the call only. */
  data(bytes: Buffer): void
  /**
   * A batch that came beside the connection, as the slots of a frame of type `released`. The connection may be within a longer frame, whose
   * rest is lost.
   */
  released(slots: Float64Array): void
  closed(): void
  /** A small fact that came beside the connection. */
  published(topic: string, value: unknown): void
}

export type Dialled = {
  end(): void
  /** Small facts to all linked processes, where they travel beside the connection, and without it too. */
  readonly publish?: (topic: string, value: unknown) => void
}

/** Keeps one connection to the engine open, and opens another whenever it breaks. */
export type Dial = (events: WireEvents) => Dialled

const retryMs = 100

/** Connects to the engine that listens at `path`. */
export const dialSocket =
  (path: string): Dial =>
  (events) => {
    let retry: NodeJS.Timeout | undefined
    let isOver = false
    let socket = open()
    function open() {
      const opening = connect(path)
      opening.on('connect', () => events.opened({ write: (bytes) => void opening.write(bytes) }))
      opening.on('data', (bytes: Buffer) => events.data(bytes))
      opening.on('error', () => undefined)
      opening.on('close', () => {
        if (isOver) return
        events.closed()
        retry = setTimeout(() => {
          socket = open()
        }, retryMs)
      })
      return opening
    }
    return {
      end() {
        isOver = true
        clearTimeout(retry)
        socket.destroy()
      },
    }
  }
