/** A downloaded file of heads: whether each head follows from those before it and is signed. Reads line by line. */
import { headKeyText, headLeaf, type ProofHead, readHeadText } from './head.ts'
import { GrowingTree } from './merkle.ts'
import { toHex } from './sha256.ts'

/** Whether the Ed25519 key signed the text, which is ASCII. Key and signature in hex, 32 and 64 bytes. */
export type CheckSignature = (publicKey: string, text: string, signature: string) => Promise<boolean>

type Key = { readonly key: number; readonly publicKey: string; readonly signature: string | null }

const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

/**
 * Checks the lines of `heads.ndjson` from head 1 on. Several files may follow one another: lines of keys may come again.
 *
 *   const file = new HeadFile(check)
 *   for (const line of lines) { const wrong = await file.take(line); … }
 */
export class HeadFile {
  readonly #check: CheckSignature
  readonly #keys: Key[] = []
  readonly #tree = new GrowingTree()
  #last: ProofHead | undefined

  constructor(check: CheckSignature) {
    this.#check = check
  }

  /** The last head that was taken. */
  get last(): ProofHead | undefined {
    return this.#last
  }

  /** The public key of the first key: what the reader has to trust, or to compare. */
  get firstKey(): string | undefined {
    return this.#keys[0]?.publicKey
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
    if (typeof value !== 'object' || value === null || JSON.stringify(value) !== line) return 'is not written as the exchange writes it'
    const names = Object.keys(value).join()
    if (names === 'keys') return this.#takeKeys((value as { keys: unknown }).keys)
    if (names === 'n,text,signature') return this.#takeHead(value as Record<'n' | 'text' | 'signature', unknown>)
    return 'has neither keys nor a head'
  }

  async #takeKeys(keys: unknown): Promise<string | undefined> {
    if (!Array.isArray(keys)) return 'has no list of keys'
    for (const [index, key] of keys.entries() as IterableIterator<[number, Partial<Key> | null]>) {
      const { publicKey, signature } = key ?? {}
      if (Object.keys(key ?? {}).join() !== 'key,publicKey,signature' || key?.key !== index + 1 || !isHex(publicKey, 32))
        return 'has a key that is none'
      const known = this.#keys[index]
      if (known !== undefined) {
        if (known.publicKey !== publicKey || known.signature !== signature) return `has another key ${index + 1} than before`
        continue
      }
      const before = this.#keys[index - 1]
      const isAnnounced =
        before === undefined
          ? signature === null
          : isHex(signature, 64) && (await this.#check(before.publicKey, headKeyText({ key: index + 1, publicKey }), signature))
      if (!isAnnounced) return `has a key ${index + 1} that the one before did not announce`
      this.#keys.push(key as Key)
    }
    return keys.length < this.#keys.length ? 'has fewer keys than before' : undefined
  }

  async #takeHead({ n, text, signature }: Record<'n' | 'text' | 'signature', unknown>): Promise<string | undefined> {
    const head = typeof text === 'string' ? readHeadText(text) : undefined
    if (head === undefined || head.n !== n) return 'has no head'
    if (n !== this.#tree.size + 1) return `has head ${n} in place of head ${this.#tree.size + 1}`
    if (head.log !== toHex(this.#tree.root())) return `has a head ${n} that does not follow from those before it`
    if (this.#last !== undefined && (head.seq < this.#last.seq || head.at < this.#last.at)) return `has a head ${n} that goes back`
    const key = this.#keys[head.key - 1]
    const isSigned = key !== undefined && isHex(signature, 64) && (await this.#check(key.publicKey, text as string, signature))
    if (!isSigned) return `has a head ${n} that is not signed by its key`
    this.#tree.add(headLeaf(text as string))
    this.#last = head
    return undefined
  }
}
