import { createTransport, type Transporter } from 'nodemailer'
import type { Message } from '../ports.ts'
import { MessageFault } from './fault.ts'
import { renderMail } from './render.ts'

/** Sends mail through one SMTP server. */
export class MailSender implements Disposable {
  readonly #transport: Transporter
  readonly #from: string

  /**
   * url   smtp://user:password@host:port or smtps://…; for another machine TLS is required unless the URL says
   *       `requireTLS=false`
   * from  the sender, as in a From header
   */
  constructor(url: string, from: string) {
    const { hostname, searchParams } = new URL(url)
    const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
    const options = {
      url,
      pool: true as const,
      maxConnections: 2,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...(isHere || searchParams.has('requireTLS') ? {} : { requireTLS: true }),
    }
    this.#transport = createTransport(options)
    this.#from = from
  }

  /** throws  MessageFault when the server did not accept it */
  async send(message: Message): Promise<void> {
    const { subject, text, html } = renderMail(message)
    try {
      await this.#transport.sendMail({
        from: this.#from,
        to: { name: '', address: message.to },
        subject,
        text,
        html,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
    } catch (cause) {
      const { responseCode } = cause as { responseCode?: number }
      throw new MessageFault('The mail server did not accept a message', {
        cause,
        isRetryable: responseCode === undefined || responseCode < 500,
      })
    }
  }

  [Symbol.dispose](): void {
    this.#transport.close()
  }
}
