/** The minutes of this session of the page, in sight, and when the reality check is due. */
import type { WireActive } from '@candor/core/protocol/wire/own-limits.ts'
import { limits } from './limits.ts'

/** The most frequent reality check: before it, nobody has to ask how often the customer wants one. */
const checkMin = 15
const key = 'minutes'

/** `checked`: at which minute the last check was. They outlive a reload. */
type Counted = { readonly uid: string; readonly minutes: number; readonly checked: number }
export type Due = { readonly minutes: number; readonly active: WireActive }

/** Counts minutes that passed in sight and tells the exchange. Returns what a reality check shows, if one is due. */
export async function beat(uid: string, passed: number): Promise<Due | undefined> {
  const counted = read(uid)
  const minutes = counted.minutes + passed
  write({ ...counted, minutes })
  const active = await limits.active()
  if (minutes - counted.checked < checkMin) return undefined
  const { checkEvery } = await limits.mine()
  if (minutes - counted.checked < checkEvery) return undefined
  write({ uid, minutes, checked: minutes })
  return { minutes, active }
}

function read(uid: string): Counted {
  const none = { uid, minutes: 0, checked: 0 }
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Counted | null
    return kept?.uid === uid ? kept : none
  } catch {
    return none
  }
}

function write(counted: Counted): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(counted))
  } catch {
    // A browser that keeps nothing counts from the last load.
  }
}
