/** What a socket said, as far as it is an object; of what is in it nothing is known. */
export function messageIn<Message extends object>(text: string): Partial<Message> | undefined {
  try {
    const message: unknown = JSON.parse(text)
    if (typeof message === 'object' && message !== null) return message
  } catch {}
  return undefined
}
