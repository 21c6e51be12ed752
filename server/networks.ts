import { remembering } from './remembering.ts'

/** Addresses whose networks are remembered: each request is counted for both of them. */
const addressesMax = 4_096
/** A wide network gets this many times the allowance of one network. */
export const wideTimes = 8

/**
 * The network that limits count by: an IPv4 address, or the 64-bit network of an IPv6 address, because a customer who has one of
 * its addresses has all of them.
 */
export function networkOf(ip: string): string {
  return isV6(ip) ? network64(ip) : ip
}

/** The wider network around an address that a single customer of a provider may have: 24 bits of IPv4, 48 of IPv6. */
export function wideNetworkOf(ip: string): string {
  return wideNetwork(ip)
}

const isV6 = (ip: string): boolean => ip.includes(':') && !ip.includes('.')

/** The eight groups of an IPv6 address. */
function groupsOf(ip: string): readonly string[] {
  const [before = '', after = ''] = ip.split('::')
  const groups = before === '' ? [] : before.split(':')
  const rest = after === '' ? [] : after.split(':')
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest]
}

const network64 = remembering(addressesMax, (ip) => `${groupsOf(ip).slice(0, 4).join(':')}::/64`)
const wideNetwork = remembering(addressesMax, (ip) =>
  isV6(ip) ? `${groupsOf(ip).slice(0, 3).join(':')}::/48` : `${ip.slice(0, ip.lastIndexOf('.'))}.0/24`,
)
