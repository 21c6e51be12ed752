import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '../../bus/bus.ts'
import type { Seen } from '../../journal/witness-file.ts'
import { peersWaitMs, type WitnessPeers } from '../../journal/witness-peers.ts'
import { type Beacon, beaconBytes, beaconIn } from './beacon.ts'
import { subjects } from './subjects.ts'

/** Answers are collected for a little less time than the engine waits for them. */
const collectMs = peersWaitMs - 50

/** Witnesses on the bus: those of gateways, and of engines that lead or stand by. */
export function busPeers(bus: Bus): WitnessPeers {
  return {
    async ask() {
      const told: Beacon[] = []
      const stop = bus.hear(subjects.witness(bus.id), (bytes) => {
        const seen = beaconIn(bytes)
        if (seen !== undefined) told.push(seen)
      })
      bus.send(subjects.witnesses, Buffer.from(bus.id, 'latin1'))
      await sleep(collectMs)
      stop()
      return told
    },
    answer(seen: () => Seen) {
      bus.hear(subjects.witnesses, (bytes) => {
        const asking = bytes.toString('latin1')
        if (/^[0-9a-f]{16}$/.test(asking)) bus.send(subjects.witness(asking), beaconBytes({ engine: bus.id, ...seen() }))
      })
    },
  }
}
