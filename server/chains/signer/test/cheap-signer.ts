/** The signer's process with the key files of tests: `node cheap-signer.ts FOLDER SOCKET`. */
import { runSigner } from '../start.ts'
import { cheapLock } from './cheap.ts'

await runSigner(process.argv.slice(2), { lockOf: cheapLock })
