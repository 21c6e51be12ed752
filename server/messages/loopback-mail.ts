import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Inbox } from './inbox.ts'

const bytesMax = 256 * 1024

export type LoopbackMail = AsyncDisposable & { readonly url: string }

/** The sandbox's own mail server: real SMTP, on this machine only; everything it receives goes to the inbox. */
export async function startLoopbackMail(inbox: Inbox): Promise<LoopbackMail> {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'Candor sandbox',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: bytesMax,
    maxClients: 20,
    socketTimeout: 30_000,
    closeTimeout: 500,
    onData(stream, session, done) {
      receive(inbox, stream, session).then(() => done(), done)
    },
  })
  // A client that disconnects early is not an error of the server.
  server.on('error', () => undefined)
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(resolve)),
  }
}

async function receive(inbox: Inbox, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) throw Object.assign(new Error('The message is too large'), { responseCode: 552 })
  const mail = await PostalMime.parse(Buffer.concat(chunks))
  for (const { address } of session.envelope.rcptTo) {
    await inbox.add({
      channel: 'email',
      to: address,
      from: mail.from?.address ?? '',
      subject: mail.subject ?? '',
      text: (mail.text ?? '').trim(),
    })
  }
}
