import type { ChainsDoor } from '../app/chains/desks.ts'
import type { GatewayOptions } from './options.ts'
import { topics } from './topics.ts'

/** How the routes of the app and of programs reach the chains. */
export function chainsDoor({ chains, link, logger }: GatewayOptions): ChainsDoor {
  const onFault = (cause: unknown): void => logger.warn({ err: cause }, 'a deposit or withdrawal could not be looked after')
  return { ...chains, poke: () => link.publish(topics.chains, 'address'), onFault }
}
