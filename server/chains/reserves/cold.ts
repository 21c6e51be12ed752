/** Cold addresses sign once a month: the operator takes the message to their key, and brings the signature back. */
import { dayOf } from '@candor/core/proof/chain/day.ts'
import { isPossessed, ownHead, type Possession } from '@candor/core/proof/chain/possession.ts'
import type pg from 'pg'
import type { ChainsConfig } from '../config.ts'
import { written } from './maker.ts'
import { firstKey, headOfDay, keepPossession, recentHeads } from './tables.ts'

/** A message of so many days ago may still be brought back signed. */
const carriedDays = 7

export type ColdMessage = { readonly network: string; readonly about: Possession }

/** The message that each cold address signs today. Empty before the day has a head that names liabilities. */
export async function coldMessages(
  pool: pg.Pool,
  { networks }: Pick<ChainsConfig, 'networks'>,
  now: number,
): Promise<readonly ColdMessage[]> {
  const day = dayOf(now)
  const head = await headOfDay(pool, day)
  if (head === undefined) return []
  const named = ownHead(await firstKey(pool), head)
  return networks.map(({ name, kind, chainId, sink }) => ({
    network: name,
    about: { network: name, kind, chainId, address: written(kind, sink), day, head: named },
  }))
}

/**
 * Stores the signature of a network's cold address, if its key signed the message of one of the last days.
 *
 * signature  65 bytes in hex, as wallets show it
 * returns    the day of the message
 * throws     Error when it fits none
 */
export async function submitCold(
  pool: pg.Pool,
  { networks }: Pick<ChainsConfig, 'networks'>,
  { network: name, signature: given }: { readonly network: string; readonly signature: string },
  now: number,
): Promise<string> {
  const network = networks.find((one) => one.name === name)
  if (network === undefined) throw new Error(`There is no network ${name}`)
  const { kind, chainId, sink } = network
  const signature = asWritten(given)
  const address = written(kind, sink)
  const first = await firstKey(pool)
  for (const { n, at, text } of await recentHeads(pool, now - carriedDays * 86_400_000)) {
    const day = dayOf(at)
    if (!isPossessed({ network: name, kind, chainId, address, day, head: ownHead(first, { n, text }) }, signature)) continue
    await keepPossession(pool, { network: name, address, day, head: n, signature }, now)
    return day
  }
  throw new Error(`This is not signed by the key of ${address} with a message of the last ${carriedDays} days`)
}

/** Wallets write the last byte as 0 and 1, or as 27 and 28, with or without `0x`. */
function asWritten(text: string): string {
  const hex = text.trim().toLowerCase().replace(/^0x/, '')
  return hex.length === 130 && /0[01]$/.test(hex) ? `${hex.slice(0, 128)}${hex.endsWith('00') ? '1b' : '1c'}` : hex
}
