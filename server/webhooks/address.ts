import { BlockList, isIP } from 'node:net'

/** IPv4 networks that are not public internet addresses (RFC 6890 and its successors). */
const special4 = [
  ...(['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'] as const),
  ...(['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'] as const),
  ...(['224.0.0.0/4', '240.0.0.0/4'] as const),
] as const
/** Networks within 2000::/3 that are not public: protocol assignments (Teredo included), documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const

const listed = (networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix = ''] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}
const notPublic4 = listed(special4, 'ipv4')
const notPublic6 = listed(special6, 'ipv6')
const global6 = listed(['2000::/3'], 'ipv6')
const loopback4 = listed(['127.0.0.0/8'], 'ipv4')

/** Whether an address is public: not this machine, not its network, and not a form of an address in either. */
export function isPublic(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !notPublic4.check(address, 'ipv4')
  // Mapped and translated IPv4 addresses are outside 2000::/3.
  return family === 6 && global6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && loopback4.check(address, 'ipv4'))
}

/** Rules for the addresses that may be called. `hasLoopback`: also this machine, and by plain http, for developers. */
export type AddressRules = { readonly hasLoopback: boolean }

/** Whether a webhook of this protocol may connect to this IP. */
export function mayConnect(protocol: string, address: string, { hasLoopback }: AddressRules): boolean {
  if (hasLoopback && isLoopbackAddress(address)) return true
  return protocol === 'https:' && isPublic(address)
}

/** The URL's host if it is a literal IP address. */
export function literalOf(url: URL): string | undefined {
  const host = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname
  return isIP(host) === 0 ? undefined : host
}
