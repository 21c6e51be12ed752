/** Differences between the chains and the books, for the staff. */
import type pg from 'pg'

/**
 * unknown-inflow  somebody sent to an own address: named, and counted from then on
 * missed-log      a deposit address has more than its node's logs said: the audit finds it
 * frozen          an issuer froze an address and took what it had
 * fee             a token kept a part of a sweep for itself
 * token-refused, token-unproven: a token that is neither credited nor paid, at its contract
 * in-flight       the chain is ahead of what the core was told
 * unexplained     something is missing, or the core's books say something else: the signer stops
 * foreign-nonce   an own address sent a transaction that nobody ordered: its key may be in other hands, and the signer stops
 */
export const findingKinds = [
  ...(['unknown-inflow', 'missed-log', 'frozen', 'fee', 'in-flight', 'unexplained', 'foreign-nonce'] as const),
  ...(['token-refused', 'token-unproven'] as const),
] as const
export type FindingKind = (typeof findingKinds)[number]
const stopping: readonly FindingKind[] = ['unexplained', 'foreign-nonce']

export type Finding = {
  readonly network: string
  readonly kind: FindingKind
  /** The address, or `core`. */
  readonly holder: string
  readonly contract: string
  /** The transaction, if one is known. */
  readonly txid: string
  /** In the token's smallest unit; below zero: missing. */
  readonly amount: bigint
}

export const doesStop = ({ kind }: Pick<Finding, 'kind'>): boolean => stopping.includes(kind)

/**
 * Stores what was found now. Findings of these networks that are not there any more are closed.
 *
 * returns  those that are new
 */
export async function storeFindings(
  client: pg.ClientBase,
  networks: readonly string[],
  found: readonly Finding[],
  now: number,
): Promise<readonly Finding[]> {
  const fresh: Finding[] = []
  for (const finding of found) {
    const { network, kind, holder, contract, txid, amount } = finding
    const { rows } = await client.query<{ is_new: boolean }>(
      `insert into treasury_findings (network, kind, holder, contract, txid, amount, stops, found_at, seen_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
       on conflict (network, kind, holder, contract, txid) where closed_at is null
         do update set amount = excluded.amount, stops = excluded.stops, seen_at = excluded.seen_at
       returning xmax = 0 as is_new`,
      [network, kind, holder, contract, txid, String(amount), doesStop(finding), now],
    )
    if (rows[0]?.is_new === true) fresh.push(finding)
  }
  await client.query('update treasury_findings set closed_at = $2 where network = any($1) and closed_at is null and seen_at < $2', [
    [...networks],
    now,
  ])
  return fresh
}
