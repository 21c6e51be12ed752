import { setTimeout as sleep } from 'node:timers/promises'
import { addNotice } from '../store/notices.ts'
import type { AlertDb, AlertRow } from './tables.ts'
import type { Turn } from './watch.ts'

/** A turn of an alert, with the row as it was watched and the value as its owner reads it. */
export type TurnToWrite = Turn & { readonly row: AlertRow; readonly text: string; readonly at: number }

const pauseMs = 1_000
/** Turns of an alert within this time after it was told are those of a gateway that is behind: an alert rests for longer. */
const toldMs = 30_000

/**
 * Writes what alerts did, in its order. An alert and its notice change in one transaction, from the state and version that were
 * watched: a turn that is written twice, that another gateway has written, or that the owner's change overtook, does nothing. What
 * can't be written waits.
 */
export class TurnWriter implements AsyncDisposable {
  readonly #db: AlertDb
  readonly #onFault: (cause: unknown) => void
  readonly #waiting: TurnToWrite[] = []
  readonly #closing = new AbortController()
  #running: Promise<void> | undefined

  constructor(db: AlertDb, onFault: (cause: unknown) => void) {
    this.#db = db
    this.#onFault = onFault
  }

  add(turn: TurnToWrite): void {
    this.#waiting.push(turn)
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Writes what is there, if the database lets it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      try {
        await this.#write(next)
        this.#waiting.shift()
      } catch (cause) {
        this.#onFault(cause)
        if (this.#closing.signal.aborted) return
        await sleep(pauseMs, undefined, { ref: false, signal: this.#closing.signal }).catch(() => undefined)
      }
    }
  }

  async #write({ id, turn, row, text, at }: TurnToWrite): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      const found = db
        .updateTable('alerts')
        .where('id', '=', id)
        .where('version', '=', row.version)
        .where((where) => where.or([where('last_at', 'is', null), where('last_at', '<', at - toldMs)]))
      if (turn === 'armed') {
        await found.where('state', '=', 'waiting').set({ state: 'armed' }).execute()
        return
      }
      const fired = await found
        .where('state', '=', 'armed')
        .set((old) => ({
          state: row.rearm === null ? ('done' as const) : ('waiting' as const),
          count: old('count', '+', 1),
          last_at: at,
          last_value: text,
        }))
        .returning(['account', 'count'])
        .executeTakeFirst()
      if (fired === undefined) return
      const { symbol, condition, source, level, note } = row
      const isChange = condition === 'rise' || condition === 'fall'
      const values = { symbol, condition, source, level, note, value: text, reached: isChange ? `${text} %` : text }
      await addNotice(db, { account: fired.account, kind: 'price-alert', values, event: `alert-${id}-${fired.count}`, at })
    })
  }
}
