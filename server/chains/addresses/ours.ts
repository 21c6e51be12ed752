import type pg from 'pg'

/** The exchange's own addresses on a network. */
export type OwnAddresses = { readonly name: string; readonly hot: string; readonly gas: string; readonly sink: string }

/** Whether an address is a deposit address of a customer, or the exchange's own: no withdrawal goes there. */
export async function isOurs(
  pool: pg.Pool,
  config: { readonly networks: readonly OwnAddresses[] } | undefined,
  network: string,
  address: string,
): Promise<boolean> {
  const same = (own: string): boolean => own.toLowerCase() === address.toLowerCase()
  const own = config?.networks.find(({ name }) => name === network)
  if (own !== undefined && [own.hot, own.gas, own.sink].some(same)) return true
  const { rowCount } = await pool.query('select from deposit_addresses where network = $1 and address = $2', [network, address])
  return rowCount !== 0
}
