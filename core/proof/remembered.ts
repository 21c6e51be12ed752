/** What somebody who kept a head of the journal can tell about a later one: whether both tell the same story. */
import { headLeaf, type ProofHead, readHeadText } from './head.ts'
import { type CheckSignature, type HeadKey, HeadKeys, isHex } from './head-keys.ts'
import { areEqual, type Hash, rootOfPath } from './merkle.ts'
import { fromHex } from './sha256.ts'

/** A head as the exchange sends it: its text and its signature in hex. */
export type SignedHead = { readonly n: number; readonly text: string; readonly signature: string }

/** A head that was kept, with all keys up to the one that signed it. */
export type Remembered = { readonly keys: readonly HeadKey[]; readonly head: SignedHead }

/** What the exchange shows now. `head`: the newest one; null when it says that there is none. */
export type Shown = { readonly keys: readonly HeadKey[]; readonly head: SignedHead | null }

/**
 * How two heads contradict each other, or how one contradicts itself:
 *
 *   keys       the keys are not those known so far with announced ones behind them
 *   signature  the newer head is none, or is not signed by its key
 *   gone       the exchange no longer has the remembered head: its newest one has a smaller number
 *   twin       two signed heads have the same number
 *   back       the newer head covers less of the journal, or is earlier
 *   path       no path leads from the remembered head to the root in the newer one
 */
export type Contradiction = 'keys' | 'signature' | 'gone' | 'twin' | 'back' | 'path'

/** All contradictions, for whoever has words for each. */
export const contradictions: readonly Contradiction[] = ['keys', 'signature', 'gone', 'twin', 'back', 'path']

/** What is wrong with a head that was kept, by itself; undefined when its keys belong together and its key signed it. */
export async function faultOf(check: CheckSignature, kept: Remembered): Promise<'key' | 'unsigned' | undefined> {
  const keys = new HeadKeys(check)
  if ((await keys.take(kept.keys)) !== undefined) return 'key'
  return (await keys.read(kept.head)) === undefined ? 'unsigned' : undefined
}

/**
 * Whether what the exchange shows now contradicts what was kept. Undefined when it does not, and the newer head then follows from the
 * remembered one.
 *
 * kept  undefined: nothing was kept yet, so that only keys and signature can be checked
 * path  from the remembered head to the root in the newer one, in hex; needed when the newer one has a larger number
 */
export async function contradictionOf(
  check: CheckSignature,
  kept: Remembered | undefined,
  shown: Shown,
  path: readonly string[] | undefined,
): Promise<Contradiction | undefined> {
  const keys = new HeadKeys(check)
  if (kept !== undefined && (await keys.take(kept.keys)) !== undefined) return 'keys'
  if ((await keys.take(shown.keys)) !== undefined) return 'keys'
  const old = kept === undefined ? undefined : readHeadText(kept.head.text)
  if (shown.head === null) return old === undefined ? undefined : 'gone'
  const head = await keys.read(shown.head)
  if (head === undefined) return 'signature'
  if (old === undefined || kept === undefined) return undefined
  if (head.n < old.n) return 'gone'
  if (head.n === old.n) return shown.head.text === kept.head.text ? undefined : 'twin'
  if (head.seq < old.seq || head.at <= old.at) return 'back'
  return leadsTo(kept.head, head, path ?? []) ? undefined : 'path'
}

/**
 * Whether what the exchange shows has begun anew: another first key, or a journal that ends before the remembered one. Data of a sandbox
 * may be thrown away; data of an exchange with money may not.
 */
export function isAnew(kept: Remembered, shown: Shown): boolean {
  const old = readHeadText(kept.head.text)
  const head = shown.head === null ? undefined : readHeadText(shown.head.text)
  if (old === undefined || shown.keys[0]?.publicKey !== kept.keys[0]?.publicKey) return true
  return head === undefined || head.n < old.n || head.seq < old.seq
}

/** Whether the path leads from a head to the root that a later one carries. */
function leadsTo({ n, text }: SignedHead, later: ProofHead, path: readonly string[]): boolean {
  if (path.some((hash) => !isHex(hash, 32))) return false
  const root = rootOfPath(
    headLeaf(text),
    n - 1,
    later.n - 1,
    path.map((hash) => fromHex(hash) as Hash),
  )
  return root !== undefined && areEqual(root, fromHex(later.log) as Hash)
}
