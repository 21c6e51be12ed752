import type { Message, Messages } from '../ports.ts'
import { MessageFault } from './fault.ts'
import type { Inbox } from './inbox.ts'
import { startLoopbackMail } from './loopback-mail.ts'
import { MailSender } from './mail.ts'
import { renderSms } from './render.ts'
import { type CarrySms, smsByWebhook } from './sms.ts'

export type MessagesOptions = {
  /** An smtp:// or smtps:// URL. None: mail goes to the inbox, through the sandbox's own server. */
  readonly smtpUrl?: string | undefined
  /** URL of a carrier's webhook. None: short messages go to the inbox. */
  readonly smsUrl?: string | undefined
  /** The From header. None: derived from the user of the mail server. */
  readonly from?: string | undefined
  /** Sandbox only. Without it, a message that has no server or carrier throws a fault. */
  readonly inbox?: Inbox | undefined
}

/** throws  MessageFault when mail has neither a server nor an inbox */
export async function openMessages(options: MessagesOptions): Promise<Messages & AsyncDisposable> {
  const { inbox, smsUrl } = options
  if (options.smtpUrl === undefined && inbox === undefined)
    throw new MessageFault('SMTP_URL is missing: codes cannot be sent', { isRetryable: false })
  const loopback = options.smtpUrl === undefined ? await startLoopbackMail(inbox as Inbox) : undefined
  const mail = new MailSender(options.smtpUrl ?? (loopback?.url as string), options.from ?? senderOf(options.smtpUrl))
  const carry = smsUrl === undefined ? smsToInbox(inbox) : smsByWebhook(smsUrl)
  return {
    send: (message: Message) => (message.channel === 'email' ? mail.send(message) : carry(message.to, renderSms(message))),
    async [Symbol.asyncDispose]() {
      mail[Symbol.dispose]()
      await loopback?.[Symbol.asyncDispose]()
    },
  }
}

/** Default sender: the mail server's user, else no-reply at its host. */
export function senderOf(smtpUrl: string | undefined): string {
  if (smtpUrl === undefined) return 'Candor <no-reply@candor.invalid>'
  const { username, hostname } = new URL(smtpUrl)
  const user = decodeURIComponent(username)
  return `Candor <${/^[^\s<>@,]+@[^\s<>@,]+$/.test(user) ? user : `no-reply@${hostname}`}>`
}

function smsToInbox(inbox: Inbox | undefined): CarrySms {
  return async (to, text) => {
    if (inbox === undefined) throw new MessageFault('SMS_URL is missing: short messages cannot be sent', { isRetryable: false })
    await inbox.add({ channel: 'phone', to, from: 'Candor', subject: '', text })
  }
}
