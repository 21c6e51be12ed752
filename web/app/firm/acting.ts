/**
 * The account of a firm for which this tab acts. Each tab acts on its own, and a change loads the page anew: nothing that one account has
 * shown can appear under another.
 */
import type { FirmRight, FirmRole, WireFirmAccount } from '@candor/core/protocol/wire/firm/firm.ts'
import { onPersonChange, useSession } from '../session.ts'

export type Acting = Pick<WireFirmAccount, 'uid' | 'label' | 'kind'> & {
  /** UID of the member: somebody else who logs in doesn't act. */
  readonly member: string
  readonly firm: string
  readonly firmName: string
  readonly role: FirmRole
  readonly rights: readonly FirmRight[]
}

const name = 'acting'

/** Undefined while the person uses their own account. */
export const acting: Acting | undefined = read()

/** Acts for an account from the next page load on, or for nobody. `path`: where the app opens then. */
export function actFor(next: Acting | undefined, path: string): void {
  try {
    if (next === undefined) sessionStorage.removeItem(name)
    else sessionStorage.setItem(name, JSON.stringify(next))
  } catch {}
  history.replaceState(null, '', `#${path}`)
  location.reload()
}

/** Ends acting when somebody else logs in, or nobody is. */
export function followActing(): void {
  if (acting !== undefined) onPersonChange(() => actFor(undefined, '/'))
}

function read(): Acting | undefined {
  try {
    const kept = JSON.parse(globalThis.sessionStorage?.getItem(name) ?? 'null') as Acting | null
    return kept !== null && kept.member === useSession.getState().me?.uid ? kept : undefined
  } catch {
    return undefined
  }
}
