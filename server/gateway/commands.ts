import type { Command } from '@candor/core/protocol/command/index.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Submit } from '@candor/core/protocol/port.ts'
import type { CancelNames } from '../programs/socket/cancel-names.ts'
import type { UserData } from '../programs/socket/user-data.ts'
import type { Live } from './live.ts'
import type { GatewayOptions } from './options.ts'
import { OldIds } from '../live/requests/old-ids.ts'
import type { ActivityWriter } from '../activity/writer.ts'
import { timed } from '../watch/request.ts'
import { topics } from './topics.ts'

/** Commands whose time to the answer the console shows. */
const orders: ReadonlySet<Command['type']> = new Set(['spot.place', 'perp.place', 'option.open'])

/** Sends commands to the engine. Checks client ids against old ones in the tables first, and remembers the client id of each cancel. */
export function submitTo(
  { link, store }: Pick<GatewayOptions, 'link' | 'store'>,
  live: Live,
  userData: UserData,
  cancelNames: CancelNames,
  activity: ActivityWriter,
): Submit {
  const { data, freshness, orderTimes } = live
  const oldIds = new OldIds({
    ...{ submit: link.submit, ask: link.ask, freshness, pool: store.pool },
    tell: (user) => link.publish(topics.looked, user),
    onCrowded: () => link.sendOnce(),
  })
  link.onPublished(topics.looked, (user) => oldIds.heard(user as UserId))
  link.onState(() => oldIds.doubtAll())
  link.onReleased(({ lastSeq }) => oldIds.reached(lastSeq))
  // The user's ring has changed: those of the house's programs are unlimited.
  data.onCommand((events, { user }) => {
    if (live.hasOthers()) oldIds.saw(user)
    for (const event of events) if (event.type === 'user.housed') oldIds.doubt(event.user)
  })
  const noted = activity.noting((command, keyId) => oldIds.submit(command, keyId))
  return (command, keyId) => {
    if ('user' in command) data.orders.follow(command.user)
    if (command.type === 'spot.cancel' && userData.isListening(command.user)) cancelNames.note(command)
    const send = () => noted(command, keyId)
    if (!orders.has(command.type)) return timed(command.type, send)
    const begun = performance.now()
    const sent = timed(command.type, send)
    sent.then(() => orderTimes.note(performance.now() - begun)).catch(() => undefined)
    return sent
  }
}
