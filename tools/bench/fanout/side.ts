/**
 * One side of `against.ts` here: a crowd at the fan-out of this or another clone. It answers each message of its parent, a number of
 * ticks, with the messages per CPU-second that they gave. Its first message says that all sockets are open.
 *
 *   side.ts CLONE SOCKETS
 */
import { Crowd } from './crowd.ts'

const [clone, sockets] = [process.argv[2]!, Number(process.argv[3])]

const crowd = await Crowd.start(clone, sockets)
process.on('message', (ticks: number) => {
  crowd.ours(ticks).then(
    (speed) => process.send!(speed),
    (cause: unknown) => {
      console.error(cause)
      process.exit(1)
    },
  )
})
process.on('disconnect', () => process.exit(0))
process.send!('open')
