import { subjects } from '../../engine/bus/subjects.ts'
import { topics } from '../../gateway/topics.ts'

/** Users of the bus. People’s commands come as a gateway. */
export const busUsers = ['engine', 'follower', 'gateway'] as const
export type BusUser = (typeof busUsers)[number]

export type BusRights = { readonly publish: readonly string[]; readonly subscribe: readonly string[] }

type Topic = keyof typeof topics

/** What only one of the two tells. An engine repeats every topic for those that come later. */
const told: Readonly<Record<'follower' | 'gateway', readonly Topic[]>> = {
  follower: ['projected', 'followerHealth', 'followerMetrics', 'chainsMetrics', 'feed', 'ticked', 'webhooks'],
  gateway: ['sessions', 'keys', 'listenKeys', 'wanted', 'webhooks', 'support', 'counts', 'alerts', 'looked', 'chains'],
}

const clientOf = (role: 'follower' | 'gateway'): BusRights => ({
  publish: [subjects.engine('*'), ...told[role].map((name) => subjects.topic(topics[name]))],
  subscribe: [subjects.leader, subjects.client('*'), subjects.released, subjects.topics],
})

/**
 * What each user of the bus may send and hear, as subjects of NATS. Only an engine says that it leads, answers clients and releases
 * batches. A gateway is a witness besides: it hears the question of a starting engine and answers it.
 */
export function busRights(user: BusUser): BusRights {
  if (user === 'follower') return clientOf(user)
  const { publish, subscribe } = clientOf('gateway')
  if (user === 'gateway') return { publish: [...publish, subjects.witness('*')], subscribe: [...subscribe, subjects.witnesses] }
  return {
    publish: [subjects.leader, subjects.client('*'), subjects.released, subjects.topics, subjects.witnesses, subjects.witness('*')],
    subscribe: [subjects.engine('*'), subjects.topics, subjects.witnesses, subjects.witness('*')],
  }
}
