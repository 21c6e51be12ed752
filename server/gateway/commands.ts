import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { CancelNames } from '../programs/socket/cancel-names.ts'
import type { UserData } from '../programs/socket/user-data.ts'
import type { Live } from './live.ts'
import type { GatewayOptions } from './options.ts'
import { OldIds } from '../live/requests/old-ids.ts'
import { topics } from './topics.ts'

/** The way of commands to the engine: past what the tables know of old client ids, and noting under which name an order is cancelled. */
export function submitTo(
  { link, store }: Pick<GatewayOptions, 'link' | 'store'>,
  { data, freshness }: Live,
  userData: UserData,
  cancelNames: CancelNames,
): Submit {
  const oldIds = new OldIds({
    ...{ submit: link.submit, ask: link.ask, freshness, pool: store.pool },
    tell: (user) => link.publish(topics.looked, user),
  })
  link.onPublished(topics.looked, (user) => oldIds.heard(user as UserId))
  link.onState(() => oldIds.doubtAll())
  link.onReleased(({ lastSeq }) => oldIds.reached(lastSeq))
  // The ring of the house's programs has no end.
  data.onCommand((events) => {
    for (const event of events) if (event.type === 'user.housed') oldIds.doubt(event.user)
  })
  return (command, keyId) => {
    if (command.type === 'spot.cancel' && userData.isListening(command.user)) cancelNames.note(command)
    return oldIds.submit(command, keyId)
  }
}
