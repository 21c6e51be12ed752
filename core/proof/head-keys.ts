/** The keys that sign heads: each is announced by the one before it, so that whoever trusts the first trusts them all. */
import { headKeyText, type ProofHead, readHeadText } from './head.ts'

/** Whether the Ed25519 key signed the text, which is ASCII. Key and signature in hex, 32 and 64 bytes. */
export type CheckSignature = (publicKey: string, text: string, signature: string) => Promise<boolean>

/** As downloads have it. `signature`: of the key before it; null for the first. Both in hex. */
export type HeadKey = { readonly key: number; readonly publicKey: string; readonly signature: string | null }

/** Bytes as lower-case hexadecimal digits. */
export const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

/** Whether a value has these fields in this order, and no others. */
export const hasFields = (value: unknown, names: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).join() === names

/** Whether a value is written as this text, without spaces. What is nested too deeply to be written is not. */
export function isWritten(value: unknown, text: string): boolean {
  try {
    return JSON.stringify(value) === text
  } catch {
    return false
  }
}

/** More would fill the memory of a phone, which then could remember nothing: two stories would leave no trace. */
export const keysMax = 200

/**
 * The points whose order divides 8, without the bit of their sign: with such a key, one signature fits many texts, and some libraries
 * accept it. The last two are other ways to write the first two.
 */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
])

const isSmallOrder = (publicKey: string): boolean =>
  smallOrder.has(publicKey.slice(0, 62) + (Number.parseInt(publicKey.slice(62), 16) & 0x7f).toString(16).padStart(2, '0'))

export class HeadKeys {
  readonly #check: CheckSignature
  readonly #keys: HeadKey[] = []

  constructor(check: CheckSignature) {
    this.#check = check
  }

  /** The public key of the first key: what the reader has to trust, or to compare. */
  get first(): string | undefined {
    return this.#keys[0]?.publicKey
  }

  /** Takes a list of keys, from the first on: those that are known, perhaps followed by others. Returns what is wrong with it. */
  async take(keys: unknown): Promise<string | undefined> {
    if (!Array.isArray(keys)) return 'has no list of keys'
    if (keys.length > keysMax) return `has more than ${keysMax} keys`
    for (const [index, key] of keys.entries() as IterableIterator<[number, Partial<HeadKey> | null]>) {
      const { publicKey, signature } = key ?? {}
      if (
        Object.keys(key ?? {}).join() !== 'key,publicKey,signature' ||
        key?.key !== index + 1 ||
        !isHex(publicKey, 32) ||
        isSmallOrder(publicKey)
      )
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
      this.#keys.push(key as HeadKey)
    }
    return keys.length < this.#keys.length ? 'has fewer keys than before' : undefined
  }

  /** Whether the key that the head names signed its text. */
  async isSigned(head: ProofHead, text: string, signature: unknown): Promise<boolean> {
    const key = this.#keys[head.key - 1]
    return key !== undefined && isHex(signature, 64) && (await this.#check(key.publicKey, text, signature))
  }

  /** The head of `{ n, text, signature }` if its number is right and one of the keys signed it; undefined if not. */
  async read({
    n,
    text,
    signature,
  }: {
    readonly n?: unknown
    readonly text?: unknown
    readonly signature?: unknown
  }): Promise<ProofHead | undefined> {
    const head = typeof text === 'string' ? readHeadText(text) : undefined
    return head !== undefined && head.n === n && (await this.isSigned(head, text as string, signature)) ? head : undefined
  }
}
