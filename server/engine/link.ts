import type { Ask, Released, Submit } from '@candor/core/protocol/port.ts'

/** The way to the engine, from the same process or another. Same behaviour, whatever lies between. */
export type Link = AsyncDisposable & {
  readonly submit: Submit
  readonly ask: Ask
  /**
   * Each durable batch, in order. After a break the missed ones follow when the engine still holds them; else there is
   * a gap between `lastSeq` and the next `firstSeq`, and whoever keeps a picture has to `ask` anew.
   */
  onReleased(listener: (released: Released) => void): void
  /** How far the journal is durable, some dozen times a second at most: for who reads the journal itself. Answers with how to stop. */
  onHead(listener: (seq: number) => void): () => void
  publish(topic: string, value: unknown): void
  /** A newcomer hears the last value of the topic, if there is one. Nobody hears what they published themselves. */
  onPublished(topic: string, listener: (value: unknown) => void): void
  /** Called at once with the present state. `down`: commands are refused with UNAVAILABLE until it is `up` again. */
  onState(listener: (state: 'up' | 'down') => void): void
}
