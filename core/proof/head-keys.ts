/** The keys that sign heads: each but the first is announced by the one before it. */
import { headKeyText, readHeadText, type ProofHead } from './head.ts'

/** Whether the Ed25519 key signed the text, which is ASCII. Key and signature in hex, 32 and 64 bytes. */
export type CheckSignature = (publicKey: string, text: string, signature: string) => Promise<boolean>

/** `signature`: of the key before; null for the first. */
export type ListedKey = { readonly key: number; readonly publicKey: string; readonly signature: string | null }

/** Lower case, so that no letter of a file can change unnoticed. */
export const isHex = (value: unknown, bytes: number): value is string =>
  typeof value === 'string' && value.length === bytes * 2 && /^[0-9a-f]*$/.test(value)

/** Whether a value has these fields in this order, and no others. */
export const hasFields = (value: unknown, names: string): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).join() === names

/** Adds the keys of a list to those that are known already. Returns what is wrong with the list; undefined when nothing is. */
export async function takeKeys(known: ListedKey[], given: unknown, check: CheckSignature): Promise<string | undefined> {
  if (!Array.isArray(given)) return 'has no list of keys'
  for (const [index, key] of given.entries() as IterableIterator<[number, unknown]>) {
    if (!hasFields(key, 'key,publicKey,signature') || key['key'] !== index + 1 || !isHex(key['publicKey'], 32))
      return 'has a key that is none'
    const { publicKey, signature } = key
    const same = known[index]
    if (same !== undefined) {
      if (same.publicKey !== publicKey || same.signature !== signature) return `has another key ${index + 1} than before`
      continue
    }
    const before = known[index - 1]
    const isAnnounced =
      before === undefined
        ? signature === null
        : isHex(signature, 64) && (await check(before.publicKey, headKeyText({ key: index + 1, publicKey }), signature))
    if (!isAnnounced) return `has a key ${index + 1} that the one before did not announce`
    known.push({ key: index + 1, publicKey, signature: signature as string | null })
  }
  return given.length < known.length ? 'has fewer keys than before' : undefined
}

/** The head of `{ n, text, signature }` if one of the keys signed it; undefined if not. */
export async function signedHead(
  keys: readonly ListedKey[],
  { n, text, signature }: { readonly n?: unknown; readonly text?: unknown; readonly signature?: unknown },
  check: CheckSignature,
): Promise<ProofHead | undefined> {
  const head = typeof text === 'string' ? readHeadText(text) : undefined
  if (head === undefined || head.n !== n || !isHex(signature, 64)) return undefined
  const key = keys[head.key - 1]
  return key !== undefined && (await check(key.publicKey, text as string, signature)) ? head : undefined
}
