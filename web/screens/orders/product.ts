/** The product whose lists the screen shows: spot or perp. */
import { client } from '../../app/client.ts'
import { perp } from '../../parts/perp/api.ts'

export type Product = 'spot' | 'perp'
export type Exportable = 'history' | 'fills' | 'closed' | 'funding' | 'open' | 'positions'

/** The routes that spot and perp have in common. */
export function apiOf(product: Product): Pick<typeof client.spot, 'history' | 'fills' | 'order'> {
  return product === 'perp' ? perp : client.spot
}
