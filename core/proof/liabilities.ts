/**
 * Statements of liabilities: what the exchange owes to its customers at one place of the journal, by asset, and what they owe to it. A
 * customer who is shown their own leaves can check that their balance is part of the sums.
 */
import { type CheckSignature, hasFields, type HeadKey, HeadKeys, isHex } from './head-keys.ts'
import { type ProofHead, timeMax } from './head.ts'
import { fromHex, sha256, toHex } from './sha256.ts'
import { isTreeSum, leafOwner, nonceBytes, rootOfSumPath, type SumNode, sumLeaf, sumTreeLevels } from './sum-tree.ts'

/** `claims`: what the exchange owes to customers. `debts`: what they owe to it. In the order of the statement's lines. */
export const treeKinds = ['claims', 'debts'] as const
export type TreeKind = (typeof treeKinds)[number]

export type LiabilityTree = {
  readonly asset: string
  readonly kind: TreeKind
  /** Decimal digits of the asset: sums are in its smallest unit. */
  readonly scale: number
  /** Leaves: a power of two. */
  readonly size: number
  readonly sum: number
  /** In hex. */
  readonly root: string
}

export type LiabilityStatement = {
  /** Number of the statement, from 1. */
  readonly n: number
  /** Time at which it was made, in milliseconds. */
  readonly at: number
  /** Journal position: the balances are those after this command. */
  readonly seq: number
  /** Ascending by asset, then by kind. A tree that nobody is in is left out. */
  readonly trees: readonly LiabilityTree[]
}

const digits = '(0|[1-9][0-9]{0,15})'
const treeShape = `tree ([A-Z0-9]{1,20}) (claims|debts) ([0-9]|1[0-9]) ${digits} ${digits} ([0-9a-f]{64})\\n`
const shape = new RegExp(`^candor liabilities 1\\nn ${digits}\\nat ${digits}\\nseq ${digits}\\n((?:${treeShape})*)$`)
const treeLine = new RegExp(treeShape, 'g')

/** The text whose hash a head carries, byte by byte: lines of ASCII, each ended by a line feed. */
export function liabilityText({ n, at, seq, trees }: LiabilityStatement): string {
  const lines = trees.map(({ asset, kind, scale, size, sum, root }) => `tree ${asset} ${kind} ${scale} ${size} ${sum} ${root}\n`)
  const text = `candor liabilities 1\nn ${n}\nat ${at}\nseq ${seq}\n${lines.join('')}`
  if (readLiabilityText(text) === undefined) throw new Error('a statement of liabilities has whole numbers, and sorted trees')
  return text
}

/** Reads the text of a statement; undefined for any other text. */
export function readLiabilityText(text: string): LiabilityStatement | undefined {
  const found = shape.exec(text)
  if (found === null) return undefined
  const [n, at, seq] = found.slice(1, 4).map(Number) as [number, number, number]
  const trees = Array.from(found[4]!.matchAll(treeLine), ([, asset, kind, scale, size, sum, root]) => {
    return { asset: asset!, kind: kind as TreeKind, scale: Number(scale), size: Number(size), sum: Number(sum), root: root! }
  })
  const areTrees = trees.every(
    (tree, index) => isTreeSum(tree.sum) && sumTreeLevels(tree.size) !== undefined && isAfter(trees[index - 1], tree),
  )
  return n >= 1 && at <= timeMax && [n, at, seq].every(Number.isSafeInteger) && areTrees ? { n, at, seq, trees } : undefined
}

/** SHA-256 of the text in hex, as a head carries it. */
export function liabilityHash(text: string): string {
  return toHex(sha256(Uint8Array.from(text, (letter) => letter.charCodeAt(0))))
}

/** A sum in the smallest unit of its asset. */
export type OwnAmount = { readonly asset: string; readonly kind: TreeKind; readonly amount: number }

/** What a customer is shown of a statement. Hashes, nonces and the signature in hex. Everything is in this order. */
export type LiabilityProof = {
  readonly uid: string
  /** Text of the statement. */
  readonly statement: string
  /** A head that names it. */
  readonly head: { readonly n: number; readonly text: string; readonly signature: string }
  readonly keys: readonly HeadKey[]
  /** Trees that the customer has leaves in, in the order of the statement. */
  readonly trees: readonly {
    readonly asset: string
    readonly kind: TreeKind
    /** All leaves of the customer, by their split, from 0. */
    readonly leaves: readonly {
      readonly split: number
      readonly index: number
      readonly nonce: string
      readonly amount: number
      /** From the leaf to the root. */
      readonly path: readonly { readonly sum: number; readonly hash: string }[]
    }[]
  }[]
}

/** What a proof shows: `own` is part of the sums of the statement, which the head names. */
export type ProvedLiabilities = {
  readonly statement: LiabilityStatement
  readonly head: ProofHead
  /** The public key of the first key in hex: what the reader has to trust, or to compare. */
  readonly firstKey: string
  readonly own: readonly OwnAmount[]
}

export type LiabilityCheck = {
  /** Whose proof it must be; undefined: that of whoever it names. */
  readonly uid?: string | undefined
  /** What the customer has and owes; an asset that is not named is 0. Undefined: they compare it themselves. */
  readonly balances?: readonly OwnAmount[] | undefined
}

/**
 * Checks a `LiabilityProof` as it was received, without trusting whoever sent it: signatures, the hash of the statement, and for each
 * leaf its owner, its path, and every sum on the way.
 *
 * Returns what it proves, or in `wrong` the first fault as a sentence.
 */
export async function checkLiabilities(
  proof: unknown,
  { uid, balances }: LiabilityCheck,
  check: CheckSignature,
): Promise<ProvedLiabilities | { readonly wrong: string }> {
  if (!hasFields(proof, 'uid,statement,head,keys,trees')) return { wrong: 'It is no proof of liabilities' }
  const { uid: named, statement: text, head: given, trees } = proof
  if (typeof named !== 'string' || !/^[1-9][0-9]{0,15}$/.test(named)) return { wrong: 'It names no customer' }
  if (uid !== undefined && uid !== named) return { wrong: `It is about customer ${named}, not ${uid}` }
  const keys = new HeadKeys(check)
  const wrongKey = await keys.take(proof['keys'])
  if (wrongKey !== undefined) return { wrong: `It ${wrongKey}` }
  const head = hasFields(given, 'n,text,signature') ? await keys.read(given) : undefined
  if (head === undefined) return { wrong: 'It has no head that its key signed' }
  const statement = typeof text === 'string' ? readLiabilityText(text) : undefined
  if (statement === undefined) return { wrong: 'It has no statement of liabilities' }
  if (head.liabilities.n !== statement.n || head.liabilities.hash !== liabilityHash(text as string))
    return { wrong: `Head ${head.n} names another statement` }
  if (statement.seq > head.seq || statement.at > head.at) return { wrong: `Head ${head.n} is older than the statement that it names` }
  if (!Array.isArray(trees)) return { wrong: 'It has no list of trees' }
  const own: OwnAmount[] = []
  for (const tree of trees as readonly unknown[]) {
    const found = treeFrom(tree, statement)
    if (found === undefined || !isAfter(own.at(-1), found)) return { wrong: 'It has a tree that is not in the statement' }
    const amount = ownAmount(named, found, (tree as { readonly leaves: unknown }).leaves)
    if (typeof amount === 'string') return { wrong: `${found.asset} ${found.kind}: ${amount}` }
    own.push({ asset: found.asset, kind: found.kind, amount })
  }
  const differs = balances === undefined ? undefined : differenceOf(own, balances)
  return differs === undefined ? { statement, head, firstKey: keys.first!, own } : { wrong: differs }
}

function treeFrom(tree: unknown, { trees }: LiabilityStatement): LiabilityTree | undefined {
  if (!hasFields(tree, 'asset,kind,leaves')) return undefined
  return trees.find(({ asset, kind }) => asset === tree['asset'] && kind === tree['kind'])
}

/** Sum of a customer's leaves in a tree, in units; or what is wrong with them. */
function ownAmount(uid: string, tree: LiabilityTree, leaves: unknown): number | string {
  if (!Array.isArray(leaves) || leaves.length === 0) return 'there is no leaf'
  const places = new Set<number>()
  let sum = 0
  for (const [split, leaf] of leaves.entries() as IterableIterator<[number, unknown]>) {
    if (!hasFields(leaf, 'split,index,nonce,amount,path') || leaf['split'] !== split) return `leaf ${split} is missing`
    const { index, nonce, amount, path } = leaf
    if (!isTreeSum(index) || !isHex(nonce, nonceBytes) || !isTreeSum(amount)) return `leaf ${split} is none`
    const steps = pathFrom(path)
    const owner = leafOwner({ uid, asset: tree.asset, kind: tree.kind, split })
    const root = steps && rootOfSumPath(sumLeaf(fromHex(nonce)!, owner, amount), index, tree.size, steps)
    if (root === undefined || toHex(root.hash) !== tree.root || root.sum !== tree.sum) return `leaf ${split} is not in the tree`
    if (places.has(index)) return `leaf ${split} counts twice`
    places.add(index)
    sum += amount
    // Different leaves of one tree can't add up to more than it.
    if (sum > tree.sum) return 'the leaves are more than the tree'
  }
  return sum
}

function pathFrom(path: unknown): readonly SumNode[] | undefined {
  if (!Array.isArray(path)) return undefined
  const nodes: SumNode[] = []
  for (const one of path as readonly unknown[]) {
    if (!hasFields(one, 'sum,hash') || !isTreeSum(one['sum']) || !isHex(one['hash'], 32)) return undefined
    nodes.push({ sum: one['sum'], hash: fromHex(one['hash'])! })
  }
  return nodes
}

function differenceOf(own: readonly OwnAmount[], balances: readonly OwnAmount[]): string | undefined {
  const amountIn = (list: readonly OwnAmount[], { asset, kind }: OwnAmount): number =>
    list.find((one) => one.asset === asset && one.kind === kind)?.amount ?? 0
  for (const one of [...own, ...balances]) {
    const [proved, known] = [amountIn(own, one), amountIn(balances, one)]
    if (proved !== known) return `${one.asset} ${one.kind}: the leaves are ${proved} units, and the balance is ${known}`
  }
  return undefined
}

/** Whether a tree comes after another one in a statement. Compares ASCII. */
function isAfter(before: Pick<LiabilityTree, 'asset' | 'kind'> | undefined, tree: Pick<LiabilityTree, 'asset' | 'kind'>): boolean {
  if (before === undefined || before.asset < tree.asset) return true
  return before.asset === tree.asset && before.kind < tree.kind
}
