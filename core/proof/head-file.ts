/** A downloaded file of heads: whether each head follows from those before it and is signed. Reads line by line. */
import { type CheckSignature, HeadKeys, isWritten } from './head-keys.ts'
import { headLeaf, type ProofHead, readHeadText } from './head.ts'
import { GrowingTree } from './merkle.ts'
import { toHex } from './sha256.ts'

/**
 * Checks the lines of `heads.ndjson` from head 1 on. Several files may follow one another: lines of keys may come again.
 *
 *   const file = new HeadFile(check)
 *   for (const line of lines) { const wrong = await file.take(line); … }
 */
export class HeadFile {
  readonly #keys: HeadKeys
  readonly #tree = new GrowingTree()
  #last: ProofHead | undefined

  constructor(check: CheckSignature) {
    this.#keys = new HeadKeys(check)
  }

  /** The last head that was taken. */
  get last(): ProofHead | undefined {
    return this.#last
  }

  /** The public key of the first key: what the reader has to trust, or to compare. */
  get firstKey(): string | undefined {
    return this.#keys.first
  }

  /** Takes the next line. Returns what is wrong with it; undefined when nothing is. */
  async take(line: string): Promise<string | undefined> {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return 'is no JSON'
    }
    // Written in one way only, so that no byte of the file can change unnoticed.
    if (typeof value !== 'object' || value === null || !isWritten(value, line)) return 'is not written as the exchange writes it'
    const names = Object.keys(value).join()
    if (names === 'keys') return this.#keys.take((value as { keys: unknown }).keys)
    if (names === 'n,text,signature') return this.#takeHead(value as Record<'n' | 'text' | 'signature', unknown>)
    return 'has neither keys nor a head'
  }

  async #takeHead({ n, text, signature }: Record<'n' | 'text' | 'signature', unknown>): Promise<string | undefined> {
    const head = typeof text === 'string' ? readHeadText(text) : undefined
    if (head === undefined || head.n !== n) return 'has no head'
    if (n !== this.#tree.size + 1) return `has head ${n} in place of head ${this.#tree.size + 1}`
    if (head.log !== toHex(this.#tree.root())) return `has a head ${n} that does not follow from those before it`
    if (this.#last !== undefined && (head.seq < this.#last.seq || head.at < this.#last.at)) return `has a head ${n} that goes back`
    if (!(await this.#keys.isSigned(head, text as string, signature))) return `has a head ${n} that is not signed by its key`
    this.#tree.add(headLeaf(text as string))
    this.#last = head
    return undefined
  }
}
