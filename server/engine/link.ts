import type { Ask, Submit } from '@candor/core/protocol/port.ts'
import type { Released } from '@candor/core/protocol/released.ts'

/** The connection to the engine, from the same process or another. It behaves the same in both cases. */
export type Link = AsyncDisposable & {
  readonly submit: Submit
  readonly ask: Ask
  /**
   * Each durable batch, in order. After a break, missed batches follow if the engine still has them; otherwise one without events, and a
   * gap between `lastSeq` and its `firstSeq`: holders of a copy must `ask` again.
   */
  onReleased(listener: (released: Released) => void): void
  /**
   * Reports the journal's durable end to readers of the journal, a few dozen times a second at most. Returns a function that
   * stops the reports.
   */
  onHead(listener: (seq: number) => void): () => void
  /** From now on commands are not sent again after a break: see `LinkOptions.resendMs`. */
  sendOnce(): void
  publish(topic: string, value: unknown): void
  /** A new subscriber gets the last value of the topic, if any. Publishers don't get their own values. */
  onPublished(topic: string, listener: (value: unknown) => void): void
  /** Called at once with the current state. `down`: commands are refused with UNAVAILABLE until it is `up` again. */
  onState(listener: (state: 'up' | 'down') => void): void
}
