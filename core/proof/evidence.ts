/** Evidence that an exchange told two stories: both heads with their keys and signatures, and the path that does not fit. */
import { type CheckSignature, isHex } from './head-keys.ts'
import { timeMax } from './head.ts'
import { type Contradiction, contradictionOf, contradictions, faultOf, type Remembered, type Shown, type SignedHead } from './remembered.ts'

/** The file. `path`: from the remembered head to the root in the shown one, as the exchange gave it; null when none was needed or given. */
export type Evidence = {
  readonly evidence: 'candor heads 1'
  readonly found: Contradiction
  /** When it was found, in milliseconds. */
  readonly at: number
  /** Where: the host of the exchange. */
  readonly host: string
  /** Null when nothing was remembered yet, and what was shown is wrong by itself. */
  readonly remembered: Remembered | null
  readonly shown: Shown
  readonly path: readonly string[] | null
}

/** What a file of evidence says, and whether its two heads bear it out. */
export type EvidenceVerdict = {
  readonly found: Contradiction
  readonly remembered: SignedHead | null
  readonly shown: SignedHead | null
  /** The public key of the first key, in hex: anybody can sign contradictions with another one. Undefined when the file has none. */
  readonly firstKey: string | undefined
  /** Whether the two heads prove it by themselves. If not, the file is only what somebody says that they were shown. */
  readonly isComplete: boolean
  /** What is wrong with the file; undefined when both heads show what it says. */
  readonly wrong: 'key' | 'unsigned' | 'agrees' | undefined
}

/** Terminals show it as it is: without other characters it can't pretend to be more than a host. */
const hostShape = /^[a-zA-Z0-9.:[\]-]{0,260}$/
/** Whether the file proves what it says by itself: two signed heads are all that it needs. */
export const isComplete = ({ found }: Pick<Evidence, 'found'>): boolean => found === 'twin' || found === 'back'

/** Reads a file of evidence; undefined for any other value. */
export function readEvidence(value: unknown): Evidence | undefined {
  const { evidence, found, at, host, remembered, shown, path } = (value ?? {}) as Partial<Record<keyof Evidence, unknown>>
  if (evidence !== 'candor heads 1' || !contradictions.some((one) => one === found)) return undefined
  if (!Number.isSafeInteger(at) || (at as number) < 0 || (at as number) > timeMax) return undefined
  if (typeof host !== 'string' || !hostShape.test(host)) return undefined
  const [old, now] = [remembered, shown] as (Partial<Shown> | null | undefined)[]
  if (old !== null && !(Array.isArray(old?.keys) && isHead(old.head))) return undefined
  if (!Array.isArray(now?.keys) || !(now.head === null || isHead(now.head))) return undefined
  if (path !== null && !(Array.isArray(path) && path.every((hash) => typeof hash === 'string'))) return undefined
  return value as Evidence
}

/**
 * Checks that the remembered head is signed with the exchange's keys, and that the two heads contradict each other in the way that the
 * file names. Anybody can write a file with a head that is not signed, so that evidence of one convinces nobody but its finder.
 */
export async function evidenceVerdict(check: CheckSignature, { found, remembered, shown, path }: Evidence): Promise<EvidenceVerdict> {
  const key = (remembered ?? shown).keys[0]?.publicKey
  const said = {
    ...{ found, remembered: remembered?.head ?? null, shown: shown.head },
    ...{ firstKey: isHex(key, 32) ? key : undefined, isComplete: isComplete({ found }) },
  }
  const fault = remembered === null ? undefined : await faultOf(check, remembered)
  if (fault !== undefined) return { ...said, wrong: fault }
  const again = await contradictionOf(check, remembered ?? undefined, shown, path ?? undefined)
  return { ...said, wrong: again === found ? undefined : 'agrees' }
}

function isHead(value: unknown): value is SignedHead {
  const { n, text, signature } = (value ?? {}) as Partial<SignedHead>
  return typeof n === 'number' && typeof text === 'string' && typeof signature === 'string'
}
