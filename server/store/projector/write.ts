import type pg from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing, StoreFault } from '../fault.ts'
import type { Part } from '../projection/projection.ts'
import { standBack } from '../priority.ts'
import { readWatermark } from './watermark.ts'

/**
 * Another process moved the watermark: a second projector, or a running rebuild. This projector's memory no longer matches the
 * tables.
 */
export class Superseded extends StoreFault {
  constructor(message: string) {
    super(message)
    this.name = 'Superseded'
  }
}

const pauseMs = 100

/**
 * Writes batches on its own connection, each exactly once: the watermark moves from the batch's start to its end in the same
 * transaction, so after any failure the watermark tells whether the batch is in the tables.
 */
export class PartWriter {
  readonly #pool: pg.Pool
  readonly #onTrouble: (cause: unknown) => void
  readonly #mayWrite: () => boolean
  /** The next batch notices that a connection broke between two. */
  readonly #onError = (): void => undefined
  #client: pg.PoolClient | undefined
  #isGivenUp = false

  /** mayWrite  false while another process may be the one that writes */
  constructor(pool: pg.Pool, onTrouble: (cause: unknown) => void, mayWrite: () => boolean = () => true) {
    this.#pool = pool
    this.#onTrouble = onTrouble
    this.#mayWrite = mayWrite
  }

  /** Resolves when the batch is in the tables, after as many tries as it takes. Throws on errors that a retry can't fix. */
  async write(part: Part): Promise<void> {
    let told = ''
    for (let isRepeat = false; ; isRepeat = true) {
      try {
        if (!this.#mayWrite()) await this.#waitForOther(part)
        const client = await this.#connect()
        await (isRepeat ? repeatPart(client, part) : writePart(client, part))
        return
      } catch (cause) {
        this.#drop(cause)
        if (!isPassing(cause) || this.#isGivenUp) throw cause
        // A follower may wait like this for hours.
        const trouble = String(cause)
        if (trouble !== told) this.#onTrouble(cause)
        told = trouble
        await sleep(pauseMs)
      }
    }
  }

  /** throws  Superseded when another process has written meanwhile; otherwise a fault after which the batch is tried again */
  async #waitForOther({ from, to }: Part): Promise<never> {
    const { seq } = await readWatermark(this.#pool)
    if (seq !== from && seq !== to) throw new Superseded(`The tables do not stand at ${from} any more`)
    throw new StoreFault('Another process may be writing the tables', { isRetryable: true })
  }

  /** Stops retrying; a write in flight still ends. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  close(): void {
    this.#release()
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.#client === undefined) {
      this.#client = await this.#pool.connect()
      this.#client.on('error', this.#onError)
      await standBack(this.#client)
    }
    return this.#client
  }

  #drop(cause: unknown): void {
    this.#release(cause instanceof Error ? cause : new Error(String(cause)))
  }

  #release(cause?: Error): void {
    this.#client?.off('error', this.#onError)
    this.#client?.release(cause)
    this.#client = undefined
  }
}

/**
 * Retries a write whose result is unknown. The earlier try may still be running on the server: then this one waits for it, and
 * finds the watermark already moved.
 */
async function repeatPart(client: pg.ClientBase, part: Part): Promise<void> {
  const isWritten = async (): Promise<boolean> => (await readWatermark(client)).seq === part.to
  if (await isWritten()) return
  try {
    await writePart(client, part)
  } catch (cause) {
    if (!(cause instanceof Superseded)) throw cause
    await client.query('rollback')
    if (!(await isWritten())) throw cause
  }
}

/** Writes the batch in one transaction. An asynchronous commit is enough: a crash loses the rows together with the watermark. */
export async function writePart(client: pg.ClientBase, part: Part): Promise<void> {
  await client.query('begin; set local synchronous_commit = off')
  const moved = await client.query('update projection set seq = $2, at_ms = $3 where seq = $1', [part.from, part.to, part.at])
  if (moved.rowCount !== 1) throw new Superseded(`The tables do not stand at ${part.from} any more`)
  for (const { text, name, batches } of part.statements) {
    for (const values of batches) await client.query({ text, name, values: values as (string | Buffer)[] })
  }
  await client.query('commit')
}
