import { Exchange } from '@candor/core/exchange/exchange.ts'
import { decodeCommand } from '@candor/core/protocol/codec/command.ts'
import { decodeEvents } from '@candor/core/protocol/codec/event.ts'
import { Records } from '@candor/core/protocol/codec/records.ts'
import assert from 'node:assert/strict'
import type pg from 'pg'
import { decodePayload } from '../../journal/payload.ts'
import { readJournal } from '../../journal/read.ts'
import { replayRow } from '../../journal/replay.ts'
import { emptyHead, type Head } from '../../journal/row.ts'

/** The journal's record of one command. `id` is user and client id. */
export type Done = { readonly id: string; readonly order: number; readonly refusal: string | undefined; readonly isRepeat: boolean }

/**
 * An independent reader of the journal: replays the rows since the last call and compares every batch's digest. Fails when a
 * client id was executed twice, an account fell below zero, or an asset does not sum to zero.
 */
export class LedgerCheck {
  readonly exchange = Exchange.create()
  /** Records by seq. A caller that has compared one may delete it. */
  readonly done = new Map<number, Done>()
  /** The seq at which each client id was executed. */
  readonly acted = new Map<string, number>()
  readonly #events = new Records()
  readonly #sums = new Map<number, number>()
  #head: Head = emptyHead

  get seq(): number {
    return this.#head.seq
  }

  async follow(pool: pg.Pool): Promise<void> {
    for await (const row of readJournal(pool, this.#head)) {
      replayRow(this.exchange, row, this.#events)
      this.#head = { seq: row.seq, hash: row.hash }
      this.#check(idsOf(row.payload))
    }
    for (const [asset, sum] of this.#sums) assert.equal(sum, 0, `asset ${asset} does not sum to zero`)
  }

  #check(ids: ReadonlyMap<number, string>): void {
    for (const event of decodeEvents(this.#events.data, 0, this.#events.length)) {
      if (event.type === 'entry') {
        const { asset } = event.account
        this.#sums.set(asset, (this.#sums.get(asset) ?? 0) + event.delta + event.heldDelta)
        if ('user' in event.account) assert.ok(event.available >= 0 && event.held >= 0, 'an account is below zero')
      }
      if (event.type !== 'outcome') continue
      const { seq, order, refusal, isRepeat } = event
      const id = ids.get(seq)
      if (id === undefined) continue
      this.done.set(seq, { id, order, refusal, isRepeat })
      if (isRepeat || refusal !== undefined) continue
      assert.equal(this.acted.get(id), undefined, `${id} acted twice, the second time at ${seq}`)
      this.acted.set(id, seq)
    }
  }
}

function idsOf(payload: Uint8Array): Map<number, string> {
  const { commands } = decodePayload(payload)
  const ids = new Map<number, string>()
  for (let at = 0; at < commands.length; ) {
    const { command, stamp, length } = decodeCommand(commands.data, at)
    if ('clientId' in command) ids.set(stamp.seq, `${command.user}/${command.clientId}`)
    at += length
  }
  return ids
}
