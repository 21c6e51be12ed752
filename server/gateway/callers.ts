import type { Sent } from '../http/shut.ts'
import type { People } from './people.ts'

export type CallerParts = {
  readonly cookies: Pick<People['cookies'], 'tokenOf'>
  readonly sessions: Pick<People['sessions'], 'userOf'>
  readonly deviceOf: (request: Sent) => { readonly account: string } | undefined
  readonly userOfKey: (key: string | undefined) => number | undefined
  /** The account whose signal address this is. */
  readonly ownerOfSignal: (url: string | undefined) => string | undefined
}

/**
 * The account of a recent good caller, whatever number of sessions, keys or browsers it uses. Browsers are apart from the rest:
 * the id of a key is no secret, so that a stranger may use up what sessions and keys have. So are signal addresses, which their
 * senders know.
 */
export function accountBy({ cookies, sessions, deviceOf, userOfKey, ownerOfSignal }: CallerParts): (request: Sent) => string | undefined {
  const userOf = (request: Sent): number | undefined => {
    const token = cookies.tokenOf(request)
    const user = token === undefined ? undefined : sessions.userOf(token)
    return user ?? userOfKey(request.headers['x-mbx-apikey']?.toString())
  }
  return (request) => {
    const device = deviceOf(request)
    if (device) return `device ${device.account}`
    const user = userOf(request)
    if (user !== undefined) return `user ${user}`
    const owner = ownerOfSignal(request.url)
    return owner === undefined ? undefined : `signals ${owner}`
  }
}
