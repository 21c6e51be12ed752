/**
 * Many WebSocket clients in one process, as cheap as possible: they shake hands and count the bytes that arrive. The parent
 * process says how many bytes all of them together must receive.
 */
import { connect } from 'node:net'

const port = Number(process.argv[2])
const count = Number(process.argv[3])
let received = 0
let awaited: number | undefined
const open: Promise<void>[] = []

function tell(): void {
  if (awaited === undefined || received < awaited) return
  awaited = undefined
  process.send?.({ type: 'received', bytes: received })
}

function start(i: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let isOpen = false
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('connect', () => {
      socket.write(
        `GET /${i} HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
      )
    })
    socket.on('data', (chunk: Buffer) => {
      if (isOpen) {
        received += chunk.length
        tell()
        return
      }
      const end = chunk.indexOf('\r\n\r\n')
      if (end < 0) return
      isOpen = true
      received += chunk.length - end - 4
      resolve()
    })
  })
}

for (let i = 0; i < count; i++) {
  open.push(start(i))
  if (open.length % 200 === 0) await Promise.all(open)
}
await Promise.all(open)
process.on('message', (message: { bytes: number }) => {
  awaited = message.bytes
  tell()
})
process.on('disconnect', () => process.exit(0))
process.send?.({ type: 'open' })
