/** Tries what a taken-over decoder would try; answers IMAGE_KIND when all of it is refused, IMAGE_TOO_SMALL when something works. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const isRefused = (attempt: () => unknown): boolean => {
  try {
    attempt()
    return false
  } catch (cause) {
    return (cause as { code?: string }).code === 'ERR_ACCESS_DENIED'
  }
}

const reaches = (): Promise<boolean> =>
  new Promise((resolve) => {
    try {
      const socket = connect(9, '127.0.0.1')
      socket.on('connect', () => resolve(true))
      // Refused by the other side: the attempt left this process.
      socket.on('error', (cause) => resolve((cause as { code?: string }).code !== 'ERR_ACCESS_DENIED'))
    } catch (cause) {
      resolve((cause as { code?: string }).code !== 'ERR_ACCESS_DENIED')
    }
  })

process.on('message', async ({ id }: { readonly id: number }) => {
  const isClosed =
    Object.keys(process.env).filter((name) => !name.startsWith('NODE_CHANNEL')).length === 0 &&
    isRefused(() => readFileSync('/etc/passwd')) &&
    isRefused(() => readFileSync(join(root, 'package-lock.json'))) &&
    isRefused(() => writeFileSync(join(tmpdir(), 'curious'), '')) &&
    isRefused(() => spawn('true')) &&
    !(await reaches())
  process.send?.({ id, refusal: isClosed ? 'IMAGE_KIND' : 'IMAGE_TOO_SMALL' })
})
