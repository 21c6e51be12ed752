/** The signer's process with a clock that the test moves: `node moved-signer.ts FOLDER SOCKET CLOCK`, CLOCK a file with milliseconds. */
import { readFileSync } from 'node:fs'
import { startSigner } from '../../signer/start.ts'
import { cheapLock } from '../../signer/test/cheap.ts'
import { passphrase } from '../../signer/test/custody.ts'

const [folder = '', door = '', clockFile = ''] = process.argv.slice(2)
const clock = (): number => Date.now() + Number(readFileSync(clockFile, 'utf8'))
await startSigner({ folder, door, lock: cheapLock(passphrase), clock })
process.stdout.write('ready\n')
