import type { Exchange } from '@candor/core/exchange/exchange.ts'
import type { ProofHead } from '@candor/core/proof/head.ts'
import { GrowingTree } from '@candor/core/proof/merkle.ts'
import { receiptLeaf, receiptText } from '@candor/core/proof/receipt.ts'
import { toHex } from '@candor/core/proof/sha256.ts'
import type { Records } from '@candor/core/protocol/codec/records.ts'
import type { Event, OutcomeEvent } from '@candor/core/protocol/event/index.ts'
import type { Seq, UserId } from '@candor/core/protocol/ids.ts'
import { eachCommand } from '../../store/projection/each-command.ts'
import type { Known } from '../../store/projection/known.ts'
import { ReceiptLines } from '../../store/projection/receipts/lines.ts'
import { knownOf } from '../../store/projector/standing.ts'

/** Bytes of a salt. */
export const saltBytes = 32

/** What the trees of receipts show that were made again from the journal and the salts. */
export type CopiedReceipts = {
  /** Heads that name the size and the root of the tree that the journal gives, and heads that name another one. */
  readonly equal: number
  readonly different: number
  /** The first head that differs, as a sentence; undefined when none does. */
  readonly first: string | undefined
  /** Heads that can't be checked, because they cover commands before the state that the copy begins with. */
  readonly unknown: number
  /** Receipts in the trees. */
  readonly leaves: number
  /** Receipts that the journal gives before the first leaf of their user, which are in no tree; of how many users; the first command. */
  readonly without: number
  readonly usersWithout: number
  readonly firstWithout: number | undefined
}

/** Makes the tree of each head again while the journal is executed, a row at a time. Of a tree only its right edge is kept. */
export class ReceiptCheck {
  readonly #known: Known
  readonly #lines: ReceiptLines
  readonly #from: number
  readonly #uids = new Map<UserId, string>()
  readonly #givenUids = new Set<string>()
  readonly #without = new Set<UserId>()
  /** Those whose first leaf must be in the next row. */
  readonly #fresh = new Set<UserId>()
  readonly #found: { -readonly [Name in keyof CopiedReceipts]: CopiedReceipts[Name] } = {
    ...{ equal: 0, different: 0, first: undefined, unknown: 0 },
    ...{ leaves: 0, without: 0, usersWithout: 0, firstWithout: undefined },
  }
  #tree = new GrowingTree()
  /** Where the head before ends. */
  #after = 0
  /** What is wrong with the current head, before its root is known. */
  #fault: string | undefined

  /** `exchange`: as the copy begins, after the command `from`. */
  constructor(exchange: Exchange, from: number) {
    this.#known = knownOf(exchange)
    const users = Array.from({ length: exchange.userCount }, (_, n) => (n + 1) as UserId)
    // The first leaf of each user says where their receipts begin, also where none had receipts before.
    this.#lines = new ReceiptLines(this.#known, { house: users.filter((user) => exchange.isHouse(user)), after: 0 as Seq })
    this.#from = from
  }

  get found(): CopiedReceipts {
    return { ...this.#found }
  }

  /** Users whose first leaf is in the next row. Returns what is wrong with them; undefined when nothing is. */
  admit(users: readonly (readonly [user: number, uid: string])[]): string | undefined {
    if (this.#fresh.size > 0) return 'users come twice before a row'
    for (const [number, uid] of users) {
      const user = number as UserId
      if (this.#uids.has(user)) return `user ${user} came before`
      // Two customers with one UID and one balance could be shown the same liabilities.
      if (this.#givenUids.has(uid)) return `the UID ${uid} is given to two users`
      this.#uids.set(user, uid)
      this.#givenUids.add(uid)
      this.#fresh.add(user)
    }
    return undefined
  }

  /**
   * Takes the receipts of the next row. `head`: the one that covers it; undefined after the last one.
   *
   * Returns what makes the copy none; undefined otherwise. Salts that are missing, or too many, are counted against the head.
   */
  takeRow(head: ProofHead | undefined, { seq, events, commands, salts }: ReplayedRow): string | undefined {
    const isChecked = head !== undefined && this.#after >= this.#from
    if (!isChecked && (salts.length > 0 || this.#fresh.size > 0)) return 'it has salts that no head needs'
    let count = 0
    eachCommand(events, commands, (own, place) => {
      this.#learn(own)
      for (const [user, lines] of this.#lines.of(own, place)) {
        const outcome = own.at(-1) as OutcomeEvent
        const uid = this.#uids.get(user)
        if (!isChecked) continue
        if (uid === undefined) this.#passOver(user, outcome.seq)
        else this.#add(salts.subarray(count * saltBytes, ++count * saltBytes), receiptText({ ...outcome, user: uid }, lines))
        this.#fresh.delete(user)
      }
    })
    const given = salts.length / saltBytes
    if (given !== count) this.#fault ??= `the row that ends at ${seq} gives ${count} receipts, and has ${given} salts`
    const [lost] = this.#fresh
    return lost === undefined ? undefined : `user ${lost} has no receipt in it`
  }

  /** All rows of the head were taken: compares its tree. `place`: where in the copy that is, for people. */
  end({ n, seq, receipts }: ProofHead, place: string): void {
    const [found, size, root] = [this.#found, this.#tree.size, toHex(this.#tree.root())]
    const isSame = size === receipts.size && root === receipts.root
    const why = isSame ? undefined : `it names ${receipts.size} with the root ${receipts.root}, the journal gives ${size} with ${root}`
    const wrong = this.#fault ?? why
    if (this.#after < this.#from) found.unknown += 1
    else if (wrong === undefined) found.equal += 1
    else {
      found.different += 1
      found.first ??= `${place}: head ${n} has other receipts than the journal: ${wrong}`
    }
    found.leaves += size
    this.#after = seq
    this.#tree = new GrowingTree()
    this.#fault = undefined
  }

  #learn(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'asset.listed') this.#known.addAsset(event.asset)
      else if (event.type === 'market.listed' || event.type === 'market.changed') this.#known.addMarket(event.market)
    }
  }

  #add(salt: Buffer, text: string): void {
    if (salt.length === saltBytes) this.#tree.add(receiptLeaf(salt, text))
  }

  #passOver(user: UserId, seq: number): void {
    this.#without.add(user)
    this.#found.without += 1
    this.#found.usersWithout = this.#without.size
    this.#found.firstWithout ??= seq
  }
}

/** `events`, `commands`: of the row that ends at `seq`, as `replayRow` gives them. `salts`: of its leaves, in their order. */
type ReplayedRow = { readonly seq: number; readonly events: Records; readonly commands: Records; readonly salts: Buffer }
