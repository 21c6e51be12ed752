/** Spot or perp: the screen shows the lists of one of them. */
import { client } from '../../app/client.ts'
import { perp } from '../../parts/perp/api.ts'

export type Product = 'spot' | 'perp'
export type Exportable = 'history' | 'fills' | 'closed' | 'funding' | 'open' | 'positions'

/** The calls that spot and perp have alike. */
export function apiOf(product: Product): Pick<typeof client.spot, 'history' | 'fills' | 'order'> {
  return product === 'perp' ? perp : client.spot
}
