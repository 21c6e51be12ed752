/** Histories of heads as an exchange would sign them, with a change of the key. */
import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { headKeyText, headLeaf, headText } from '../head.ts'
import type { CheckSignature, HeadKey } from '../head-keys.ts'
import { GrowingTree, pathPlaces, rootOfSubtrees, type Subtree } from '../merkle.ts'
import type { SignedHead } from '../remembered.ts'
import { toHex } from '../sha256.ts'

export type Signer = { readonly secret: KeyObject; readonly publicKey: string }

export function draw(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return { secret: privateKey, publicKey: Buffer.from(x, 'base64url').toString('hex') }
}
export const signed = ({ secret }: Signer, text: string): string => sign(null, Buffer.from(text), secret).toString('hex')
export const check: CheckSignature = (publicKey, text, signature) => {
  const key = { key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') }, format: 'jwk' } as const
  return Promise.resolve(verify(null, Buffer.from(text), key, Buffer.from(signature, 'hex')))
}

export const [first, second] = [draw(), draw()]
/** Before the change of the key, and after it. */
export const keys: readonly HeadKey[] = [{ key: 1, publicKey: first.publicKey, signature: null }]
export const both: readonly HeadKey[] = [
  ...keys,
  { key: 2, publicKey: second.publicKey, signature: signed(first, headKeyText({ key: 2, publicKey: second.publicKey })) },
]

/** A history of heads. `mark`: makes it another one from the head on that it names. */
export class Story {
  readonly heads: SignedHead[] = []
  readonly #tree = new GrowingTree()

  constructor(count: number, { from = Infinity, keyFrom = Infinity }: { readonly from?: number; readonly keyFrom?: number } = {}) {
    for (let n = 1; n <= count; n++) {
      const key = n >= keyFrom ? 2 : 1
      const text = headText({
        ...{
          n,
          at: 1_790_000_000_000 + n * 60_000,
          seq: n * 5,
          epoch: 1,
          hash: (n >= from ? 'ab' : 'cd').repeat(32),
          log: toHex(this.#tree.root()),
        },
        ...{ receipts: { size: 0, root: '00'.repeat(32) }, liabilities: { n: 0, hash: '00'.repeat(32) }, key },
      })
      this.heads.push({ n, text, signature: signed(key === 2 ? second : first, text) })
      this.#tree.add(headLeaf(text))
    }
  }

  head(n: number): SignedHead {
    return this.heads[n - 1]!
  }

  path(n: number, later: number): readonly string[] {
    const hash = ({ level, place }: Subtree): Uint8Array => {
      const tree = new GrowingTree()
      for (const { text } of this.heads.slice(place * 2 ** level, (place + 1) * 2 ** level)) tree.add(headLeaf(text))
      return tree.root()
    }
    return pathPlaces(n - 1, later - 1).map((step) => toHex(rootOfSubtrees(step.map(hash))))
  }
}
