import type pg from 'pg'
import { inTransaction } from '../../store/transaction.ts'
import type { AuditedReader, Block, TokenTransfer } from '../ports.ts'
import { NodeFault } from '../rpc/json-rpc.ts'
import { type Cursor, Cursors } from './cursors.ts'

/** A transfer with the time of its block. */
export type Found = TokenTransfer & { readonly at: number }

/** What becomes of the transfers that the scanner finds. The last two run in the transaction that moves the cursor. */
export type ScanSink = {
  /** Those that concern us. */
  ours(transfers: readonly TokenTransfer[]): Promise<readonly TokenTransfer[]>
  /** Transfers of blocks that are part of the chain now; those already known change nothing. Returns the count of new ones. */
  added(client: pg.PoolClient, found: readonly Found[]): Promise<number>
  /** A block is no part of the chain any more. */
  removed(client: pg.PoolClient, block: Block): Promise<void>
}

export type ScannerOptions = {
  readonly network: string
  /** Nodes, the preferred one first. */
  readonly readers: readonly AuditedReader[]
  readonly pool: pg.Pool
  readonly sink: ScanSink
  readonly log: (line: { readonly message: string; readonly cause?: unknown }) => void
  /** The first block to read, at the very first start; default: the newest final one then. */
  readonly from?: number | undefined
  /** Largest range of final blocks that is read at once. */
  readonly rangeMax?: number
}

/** The chain contradicts a block that was final. A person must look: nothing may be rolled back. */
export class ChainFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ChainFault'
  }
}

const rangeMaxDefault = 1_000
/** Blocks of one turn, so that what they brought is confirmed and credited between turns. */
const blocksPerTurn = 200
const rangesPerTurn = 10
const auditsPerTurn = 100

/**
 * Reads a chain block by block into a sink, across reorganizations and stops. Near the head it reads each block by its hash and checks
 * its parent; ranges are read of final blocks only. The cursor is in the database and moves in the transaction that writes what a
 * block brought, so that each block counts once, also with two scanners at a time.
 */
export class Scanner {
  readonly #options: ScannerOptions
  readonly #cursors: Cursors
  #reader = 0
  #range: number

  constructor(options: ScannerOptions) {
    this.#options = options
    this.#cursors = new Cursors(options.pool, options.network)
    this.#range = options.rangeMax ?? rangeMaxDefault
  }

  /**
   * Reads what is new. Returns whether there may be more right now.
   *
   * throws  NodeFault when the node fails: the next turn asks the next one. ChainFault when a final block vanished
   */
  async turn(): Promise<boolean> {
    try {
      return await this.#turn(this.reader)
    } catch (cause) {
      if (cause instanceof NodeFault) this.#reader++
      throw cause
    }
  }

  /** The node that is read now. */
  get reader(): AuditedReader {
    const { readers } = this.#options
    return readers[this.#reader % readers.length]!
  }

  /** A node other than the one that is read; undefined: there is none. */
  get other(): AuditedReader | undefined {
    const { readers } = this.#options
    return readers.length > 1 ? readers[(this.#reader + 1) % readers.length] : undefined
  }

  /** How far the chain was read; undefined before the first turn. */
  cursor(): Promise<Cursor | undefined> {
    return this.#cursors.get()
  }

  async #turn(reader: AuditedReader): Promise<boolean> {
    const head = await reader.head()
    const final = Math.min(head, await this.#final(reader))
    if ((await this.#cursors.get()) === undefined) await this.#begin(reader, final)
    if (!(await this.#rollBack(reader, head))) return false
    const hasMore = await this.#readOn(reader, head, final)
    await this.#cursors.settle(final)
    const hasUnaudited = await this.#audit()
    return hasMore || hasUnaudited
  }

  /** The newest block that is final for all nodes that answer: one alone can't make a block final too early. */
  async #final(reader: AuditedReader): Promise<number> {
    const others = this.#options.readers.filter((one) => one !== reader)
    const answers = await Promise.allSettled(others.map((one) => one.final()))
    return Math.min(await reader.final(), ...answers.map((one) => (one.status === 'fulfilled' ? one.value : Number.POSITIVE_INFINITY)))
  }

  async #begin(reader: AuditedReader, final: number): Promise<void> {
    const at = Math.min(Math.max(0, (this.#options.from ?? final) - 1), final)
    const block = await reader.block(at)
    if (block === undefined) throw new NodeFault(`The node does not have its final block ${at}`)
    await this.#cursors.begin(block)
  }

  /** Takes back blocks that are no part of the chain any more. False: the node has not come as far as we, so nothing can be said. */
  async #rollBack(reader: AuditedReader, head: number): Promise<boolean> {
    const kept = await this.#cursors.blocks()
    const last = kept.findLastIndex(({ number }) => number <= head)
    if (last < 0) throw new NodeFault(`The node is at block ${head}, below what was final`)
    let common = last
    while (common >= 0 && (await reader.block(kept[common]!.number))?.hash !== kept[common]!.hash) common--
    if (common < 0) throw new ChainFault(`Block ${kept[0]!.number} of ${this.#options.network} was final and is another one now`)
    if (common === last && last < kept.length - 1) return false
    for (const block of kept.slice(common + 1).reverse()) {
      const isOurs = await this.#moved(block, async (client) => {
        await this.#options.sink.removed(client, block)
        await this.#cursors.remove(client, block)
      })
      if (!isOurs) return false
    }
    return true
  }

  async #readOn(reader: AuditedReader, head: number, final: number): Promise<boolean> {
    let last = await this.#cursors.last()
    for (let ranges = 0, blocks = 0; last.number < head; ) {
      if (ranges >= rangesPerTurn || blocks >= blocksPerTurn) return true
      if (last.number < final) ranges++
      else blocks++
      const next = last.number < final ? await this.#readRange(reader, last, final) : await this.#readBlock(reader, last)
      // Another scanner was here, or the block does not stand on what was read: the next turn sees.
      if (next === undefined) return true
      last = next
    }
    return false
  }

  /** Reads the next block, if it stands on the last one that was read. */
  async #readBlock(reader: AuditedReader, last: Block): Promise<Block | undefined> {
    const block = await reader.block(last.number + 1)
    if (block === undefined || block.parent !== last.hash) return undefined
    const transfers = await this.#options.sink.ours(await reader.transfers('any', { blockHash: block.hash }))
    const found = transfers.map((transfer) => ({ ...transfer, at: block.at }))
    if (found.some((transfer) => transfer.block !== block.number)) throw new NodeFault('The node tells a wrong number of a block')
    return (await this.#write(last, block, found)) ? block : undefined
  }

  /** Reads final blocks; fewer at a time while the node refuses. */
  async #readRange(reader: AuditedReader, last: Block, final: number): Promise<Block | undefined> {
    const to = Math.min(final, last.number + this.#range)
    const block = await reader.block(to)
    if (block === undefined) throw new NodeFault(`The node does not have its final block ${to}`)
    const transfers = await this.#inRange(reader, last.number + 1, to)
    if (transfers === undefined) return last
    this.#range = Math.min(this.#options.rangeMax ?? rangeMaxDefault, this.#range * 2)
    const found = await timed(reader, await this.#options.sink.ours(transfers))
    return (await this.#write(last, block, found)) ? block : undefined
  }

  /** Undefined: the node could not, and the range is shorter next time. */
  async #inRange(reader: AuditedReader, from: number, to: number): Promise<readonly TokenTransfer[] | undefined> {
    try {
      return await reader.transfers('any', { from, to })
    } catch (cause) {
      if (to === from || !(cause instanceof NodeFault)) throw cause
      this.#range = Math.max(1, (to - from + 1) >> 1)
      return undefined
    }
  }

  /** Reads final blocks again by the results of their transactions, with another node if there is one. */
  async #audit(): Promise<boolean> {
    const { sink, network, log } = this.#options
    const reader = this.other ?? this.reader
    try {
      for (let done = 0; done < auditsPerTurn; done++) {
        const cursor = (await this.#cursors.get())!
        if (cursor.audited >= cursor.final) return false
        const number = cursor.audited + 1
        const found = await timed(reader, await sink.ours(await reader.audit(number)))
        const missed = await inTransaction(this.#options.pool, async (client) => {
          if ((await this.#cursors.lock(client)).audited !== cursor.audited) return undefined
          await this.#cursors.audited(client, number)
          return sink.added(client, found)
        })
        if (missed === undefined) return true
        if (missed > 0)
          log({
            message: `The audit of block ${number} of ${network} found ${missed} transfers that its logs did not have, or that a node called failed`,
          })
      }
    } catch (cause) {
      if (!(cause instanceof NodeFault)) throw cause
      // What was read stands without it; the audit goes on where it stopped.
      log({ message: `The audit of ${network} waits for its node`, cause })
      return false
    }
    return true
  }

  /** Writes what blocks after the last one, up to this one, brought. False: another scanner was here. */
  #write(last: Block, block: Block, found: readonly Found[]): Promise<boolean> {
    return this.#moved(last, async (client) => {
      await this.#options.sink.added(client, found)
      await this.#cursors.add(client, block)
    })
  }

  /** Runs a change if this block is still the last one that was read: number and hash, since another one may stand there now. */
  #moved(last: Block, change: (client: pg.PoolClient) => Promise<void>): Promise<boolean> {
    return inTransaction(this.#options.pool, async (client) => {
      const { block, hash } = await this.#cursors.lock(client)
      if (block !== last.number || hash !== last.hash) return false
      await change(client)
      return true
    })
  }
}

/** Adds the times of final blocks. throws  NodeFault when the node has another block at the place of a transfer */
async function timed(reader: AuditedReader, transfers: readonly TokenTransfer[]): Promise<readonly Found[]> {
  const blocks = new Map<number, Block>()
  for (const number of new Set(transfers.map(({ block }) => block))) {
    const block = await reader.block(number)
    if (block !== undefined) blocks.set(number, block)
  }
  return transfers.map((transfer) => {
    const block = blocks.get(transfer.block)
    if (block?.hash !== transfer.blockHash) throw new NodeFault('The node tells logs of a block that is not on its chain')
    return { ...transfer, at: block.at }
  })
}
