/** The signer's process: `node server/chains/signer/main.ts FOLDER SOCKET`. It needs no network, no database and no settings. */
import { runSigner } from './start.ts'

await runSigner(process.argv.slice(2))
