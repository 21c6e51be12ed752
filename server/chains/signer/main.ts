/** The signer's process: `node server/chains/signer/main.ts FOLDER SOCKET`. It needs no network, no database and no settings. */
import { readPassphrase } from './passphrase.ts'
import { startSigner } from './start.ts'

const [folder, door] = process.argv.slice(2)
const say = (text: string): void => void process.stderr.write(`${text}\n`)

if (folder === undefined || door === undefined) {
  say('Usage: node server/chains/signer/main.ts FOLDER SOCKET')
  process.exit(2)
}
try {
  const signer = await startSigner({
    ...{ folder, door, passphrase: await readPassphrase() },
    onAlarm: (why) => say(`ALARM: ${why}. The signer signs nothing any more.`),
    onFault: (cause) => say(`The signer could not answer: ${cause instanceof Error ? cause.message : ''}`),
  })
  say('The signer is ready')
  process.send?.({ type: 'ready' })
  const stop = (): void => void signer[Symbol.asyncDispose]().then(() => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.once('disconnect', stop)
} catch (cause) {
  say(cause instanceof Error ? cause.message : String(cause))
  process.exit(1)
}
